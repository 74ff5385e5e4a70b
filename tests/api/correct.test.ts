import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '../../server/db/connect.ts'
import { ingest, type RespondentInput } from '../../server/domain/runtime/intake.ts'
import { makeRespondents } from '../support/respondents.ts'
import { randomOf } from '../torture/random.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, question, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const hashOf = (email: string) => createHash('sha256').update(email).digest('hex')

/** Every counter of a survey, of any author, in a fixed order. */
async function countersOf(survey: number) {
  const tables = ['day_cells', 'demo_cells', 'marginals', 'geo_cells', 'geo_squares', 'answer_cells', 'question_stops']
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)} where survey_id = ${survey}`.execute(
      app.db,
    )
    all[table] = rows.map(({ survey_id: _, project_id: __, ...row }) => JSON.stringify(Object.entries(row).sort())).sort()
  }
  return all
}

test('after random corrections and withdrawals, counters match the remaining respondents', async () => {
  const random = randomOf(20_261_122)
  const { project, survey } = await fresh(app)
  const questions = [(await question(app, survey.id)).id, (await question(app, survey.id, 'And where?')).id]
  const people = new Map<string, RespondentInput>(makeRespondents(160, 1, questions).map((one) => [one.respondent_id, one]))
  const lines = [...people.values()].map((one) => JSON.stringify(one)).join('\n')
  const url = `/v3/portal/surveys/runtime/${survey.id}/responses`
  expect((await admin().raw('POST', url, lines, { 'content-type': 'application/x-ndjson' })).status).toBe(200)
  const others = makeRespondents(400, 5000, questions)
  for (let turn = 0; turn < 120; turn++) {
    const ids = [...people.keys()]
    const id = random.pick(ids)
    if (random.chance(0.35)) {
      const answer = await admin().call('runtime.withdraw', { surveyId: survey.id, respondentId: id })
      expect(answer.status, answer.text).toBe(200)
      people.delete(id)
      continue
    }
    const { respondent_id: _, ...other } = others[turn]!
    const answer = await admin().call('runtime.correct', { surveyId: survey.id, respondentId: id, ...other })
    expect(answer.status, answer.text).toBe(200)
    people.set(id, { ...other, respondent_id: id })
  }
  const { project: second, survey: recounted } = await fresh(app)
  await transact(app.services.database, (tx) =>
    ingest(app.services.database, tx, { id: recounted.id, project_id: second.id }, [...people.values()], {
      trusted: true,
      timeZone: app.services.settings.timeZone,
    }),
  )
  expect(await countersOf(survey.id)).toEqual(await countersOf(recounted.id))
  const delivered = async (id: number) =>
    (await app.db.selectFrom('projects').select('delivered').where('id', '=', id).executeTakeFirstOrThrow()).delivered
  expect(await delivered(project.id)).toBe(await delivered(second.id))
  expect(await delivered(project.id)).toBeGreaterThan(10)
}, 60_000)

describe('a respondent', () => {
  const sent = async (more: object = {}) => {
    const { project, survey } = await fresh(app)
    const row = person(more)
    await send(app, survey.id, [row])
    return { project, survey, row, at: { surveyId: survey.id, respondentId: row.respondent_id } }
  }

  test('is corrected as a whole: omitted fields become unknown, except its time', async () => {
    const { survey, at, row } = await sent({ age: 3, gender: 'female' })
    const { status, body } = await admin().call('runtime.correct', { ...at, outcome: 'completes', gender: 'male' })
    expect([status, body.message]).toEqual([200, `Respondent ${row.respondent_id} is corrected.`])
    const stored = await app.db.selectFrom('respondents').selectAll().where('survey_id', '=', survey.id).executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ respondent_id: row.respondent_id, at: row.at })
    const ages = (await admin().call('runtime.age', { surveyId: survey.id })).body.data
    expect(ages.filter(({ count }) => count).map(({ value }) => value)).toEqual([8])
  })

  test('stays unchanged by an invalid correction, which lists every error at once', async () => {
    const { at } = await sent()
    const { status, body } = await admin().call('runtime.correct', { ...at, outcome: 'foo', age: 99, agee: 3 })
    expect(status).toBe(422)
    expect(Object.keys(body.fields)).toEqual(expect.arrayContaining(['outcome', 'age']))
    expect((await admin().call('runtime.correct', { ...at, outcome: 'completes', respondent_id: 'other' })).status).toBe(422)
    expect((await admin().call('runtime.withdraw', { ...at, respondentId: 'nobody' })).status).toBe(404)
  })

  test('can be corrected and withdrawn for thirty days after it arrived, whenever it took part', async () => {
    const { survey, at } = await sent({ at: '2024-03-01T12:00:00Z' })
    const arrived = (days: number) =>
      app.write((tx) =>
        tx
          .updateTable('respondents')
          .set({ taken_on: Math.floor(Date.now() / 86_400_000) - days })
          .where('survey_id', '=', survey.id)
          .execute(),
      )
    await arrived(31)
    const late = await admin().call('runtime.withdraw', at)
    expect([late.status, late.body.code]).toEqual([409, 'too_late'])
    await arrived(30)
    expect((await admin().call('runtime.correct', { ...at, outcome: 'partials' })).status).toBe(200)
    await arrived(31)
    expect((await admin().call('runtime.correct', { ...at, outcome: 'partials' })).status).toBe(409)
    await arrived(30)
    expect((await admin().call('runtime.withdraw', at)).status).toBe(200)
  })

  test('takes its unpaid rewards along when withdrawn, and a correction restores them', async () => {
    const { project, survey, at } = await sent({ email_hash: hashOf('ann@mail.test') })
    const entry = (email: string, status: 'pending' | 'sent' = 'pending') =>
      app.make.entry({ project_id: project.id, survey_id: survey.id, email, status })
    const [hers, paid, other] = [await entry('ann@mail.test'), await entry('ann@mail.test', 'sent'), await entry('bob@mail.test')]
    const statuses = async () => {
      const rows = await app.db
        .selectFrom('entries')
        .select(['id', 'status'])
        .where('id', 'in', [hers.id, paid.id, other.id])
        .orderBy('id')
        .execute()
      return rows.map(({ status }) => status)
    }
    const corrected = await admin().call('runtime.correct', {
      ...at,
      outcome: 'terminates',
      email_hash: hashOf('ann@mail.test'),
    })
    expect(corrected.body.data).toMatchObject({ rewards_rejected: 1, rewards_paid: 1 })
    expect(corrected.body.message).toContain('One reward is rejected. One reward was already paid and stays paid.')
    expect(await statuses()).toEqual(['rejected', 'sent', 'pending'])
    await admin().call('runtime.correct', { ...at, outcome: 'completes', email_hash: hashOf('ann@mail.test') })
    expect(await statuses()).toEqual(['pending', 'sent', 'pending'])
    await admin().call('runtime.withdraw', at)
    expect(await statuses()).toEqual(['rejected', 'sent', 'pending'])
  })

  test('shows a correction in the history, under the name of the key that made it', async () => {
    const { project, survey, at } = await sent()
    const { data } = (await admin().call('key.create', { name: 'Supplier B' })).body
    const importer = app.person({ authorization: `Bearer ${data.key}` })
    expect((await importer.call('runtime.correct', { ...at, outcome: 'overquota' })).status).toBe(200)
    expect((await importer.call('runtime.withdraw', at)).status).toBe(200)
    const lines = (await admin().call('project.history', { id: project.id })).body.data.slice(0, 2)
    expect(lines).toMatchObject([
      { action: 'runtime.withdraw', who: 'Supplier B', before: { respondent_id: at.respondentId, outcome: 'overquota' } },
      { action: 'runtime.correct', who: 'Supplier B', after: { outcome: 'overquota' }, before: { outcome: 'completes' } },
    ])
    expect((await admin().call('runtime.summary', { surveyId: survey.id })).body.data).toMatchObject({
      entrants: 0,
      delivered: 0,
    })
  })
})
