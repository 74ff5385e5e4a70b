import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { transact } from '../../server/db/connect.ts'
import { ingest, type RespondentInput } from '../../server/domain/runtime/intake.ts'
import { forgetWithdrawn } from '../../server/domain/runtime/withdrawn.ts'
import { runCli } from '../support/cli.ts'
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

test('after random corrections, withdrawals and returns, counters match the remaining respondents', async () => {
  const random = randomOf(20_261_122)
  const { project, survey } = await fresh(app)
  const questions = [(await question(app, survey.id)).id, (await question(app, survey.id, 'And where?')).id]
  const people = new Map<string, RespondentInput>(makeRespondents(160, 1, questions).map((one) => [one.respondent_id, one]))
  const lines = [...people.values()].map((one) => JSON.stringify(one)).join('\n')
  const url = `/v3/portal/surveys/runtime/${survey.id}/responses`
  expect((await admin().raw('POST', url, lines, { 'content-type': 'application/x-ndjson' })).status).toBe(200)
  const others = makeRespondents(400, 5000, questions)
  const gone = new Map<string, RespondentInput>()
  for (let turn = 0; turn < 120; turn++) {
    const ids = [...people.keys()]
    const id = random.pick(ids)
    if (random.chance(0.35)) {
      const answer = await admin().call('runtime.withdraw', { surveyId: survey.id, respondentId: id })
      expect(answer.status, answer.text).toBe(200)
      gone.set(id, people.get(id)!)
      people.delete(id)
      continue
    }
    const [back] = gone.size && random.chance(0.3) ? [...gone.keys()] : []
    if (back !== undefined) {
      const answer = await admin().call('runtime.putBack', { surveyId: survey.id, respondentId: back })
      expect([answer.status, answer.body.data.is_back], answer.text).toEqual([200, true])
      people.set(back, gone.get(back)!)
      gone.delete(back)
      continue
    }
    const { respondent_id: _, ...other } = others[turn]!
    const answer = await admin().call('runtime.correct', { surveyId: survey.id, respondentId: id, ...other })
    expect(answer.status, answer.text).toBe(200)
    people.set(id, { ...other, respondent_id: id })
  }
  expect(gone.size).toBeGreaterThan(10)
  const again = await admin().raw('POST', url, lines, { 'content-type': 'application/x-ndjson' })
  expect((again as unknown as { body: { data: object } }).body.data).toMatchObject({
    added: 0,
    withdrawn: gone.size,
    repeated: 160 - gone.size,
  })
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
    expect(corrected.body.message).toContain('1 reward is rejected. 1 reward was already paid and stays paid.')
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

describe('a withdrawn respondent', () => {
  const withdrawn = async (more: object = {}) => {
    const { project, survey } = await fresh(app)
    const asked = await question(app, survey.id)
    const row = person({ answers: { [asked.id]: 'Chips' }, gender: 'female', age: 3, ...more })
    await send(app, survey.id, [row])
    const stored = await storedOf(survey.id)
    const at = { surveyId: survey.id, respondentId: row.respondent_id }
    expect((await admin().call('runtime.withdraw', at)).status).toBe(200)
    return { project, survey, row, stored, at, counters: await countersOf(survey.id) }
  }
  const storedOf = (survey: number) => app.db.selectFrom('respondents').selectAll().where('survey_id', '=', survey).execute()
  const ndjson = { 'content-type': 'application/x-ndjson' }

  /** TABLE  every way of sending it again, to a survey that knows other respondents or none. */
  const WAYS: Record<string, (survey: number, row: { respondent_id: string }) => Promise<unknown>> = {
    'as JSON': (surveyId, row) => admin().call('runtime.ingest', { surveyId, rows: [row, row] }),
    'as the list itself': (surveyId, row) => admin().raw('POST', `/v3/portal/surveys/runtime/${surveyId}/responses`, [row]),
    'as NDJSON': (surveyId, row) =>
      admin().raw('POST', `/v3/portal/surveys/runtime/${surveyId}/responses`, JSON.stringify(row), ndjson),
    'in a domain call': (surveyId, row) =>
      app.write((tx) => ingest(app.services.database, tx, { id: surveyId, project_id: 1 }, [row as RespondentInput])),
    'as a correction': async (surveyId, { respondent_id: respondentId, ...row }) => {
      const answer = await admin().call('runtime.correct', { surveyId, respondentId, ...row })
      expect([answer.status, answer.body.code]).toEqual([409, 'withdrawn'])
    },
    'as a withdrawal': async (surveyId, { respondent_id: respondentId }) => {
      const answer = await admin().call('runtime.withdraw', { surveyId, respondentId })
      expect([answer.status, answer.body.code]).toEqual([409, 'withdrawn'])
    },
    'from a file, by the command line': async (survey, row) => {
      const { dataDir, databaseUrl } = app.services.settings
      const path = join(inject('scratch'), `again-${survey}.ndjson`)
      writeFileSync(path, JSON.stringify(row))
      const settings = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
      const { out, err } = await runCli('ingest', [path, '--survey', String(survey)], settings)
      expect(err).toContain(`${row.respondent_id} was withdrawn and is left out`)
      expect(out).toContain('1 withdrawn')
    },
  }
  test.each(Object.keys(WAYS))(
    'stays out when it is sent again %s',
    async (way) => {
      const { survey, row, counters } = await withdrawn()
      await WAYS[way]!(survey.id, row)
      await send(app, survey.id, [person()])
      await WAYS[way]!(survey.id, row)
      expect((await storedOf(survey.id)).map(({ respondent_id }) => respondent_id)).not.toContain(row.respondent_id)
      expect((await admin().call('runtime.summary', { surveyId: survey.id })).body.data.delivered).toBe(1)
      expect(counters.answer_cells).toEqual([])
    },
    30_000,
  )

  test('is reported by row, in dry runs too, beside the rows that are taken', async () => {
    const { survey, row } = await withdrawn()
    const rows = [person(), row, person(), row]
    for (const dry of [true, false]) {
      const { body } = await admin().call('runtime.ingest', { surveyId: survey.id, rows, dry })
      expect(body.data).toMatchObject({ added: 2, repeated: 0, refused: 0, withdrawn: 2 })
      expect(body.data.withdrawn_rows).toEqual([2, 4].map((at) => ({ row: at, respondent_id: row.respondent_id })))
      expect(body.message).toContain('2 withdrawn earlier and left out')
    }
    const { status, body } = await admin().call('runtime.ingest', { surveyId: survey.id, rows: [row] })
    expect([status, body.data.withdrawn]).toEqual([200, 1])
  })

  test('is put back on purpose as it was, with counters and rewards, and can be withdrawn again', async () => {
    const { project, survey, at, stored, row } = await withdrawn({ email_hash: hashOf('cy@mail.test'), fraud: true })
    const entry = await app.make.entry({ project_id: project.id, survey_id: survey.id, email: 'cy@mail.test' })
    await app.write((tx) =>
      tx
        .updateTable('entries')
        .set({ status: 'rejected', reason: 'The respondent was withdrawn' })
        .where('id', '=', entry.id)
        .execute(),
    )
    const answer = await admin().call('runtime.putBack', at)
    expect([answer.status, answer.body.data, answer.body.message]).toEqual([
      200,
      { respondent_id: row.respondent_id, is_back: true, rewards_rejected: 0, rewards_restored: 1, rewards_paid: 0 },
      `Respondent ${row.respondent_id} is back. 1 reward is pending again.`,
    ])
    const back = await storedOf(survey.id)
    const plain = (rows: typeof back) => rows.map(({ ordinal: _, ...one }) => one)
    expect(plain(back)).toEqual(plain(stored))
    const counted = await countersOf(survey.id)
    const { survey: other } = await fresh(app)
    expect(counted.answer_cells).toHaveLength(1)
    expect(other.id).not.toBe(survey.id)
    expect((await admin().call('runtime.putBack', at)).status).toBe(404)
    expect((await send(app, survey.id, [row])).body.data).toMatchObject({ added: 0, repeated: 1, withdrawn: 0 })
    expect((await admin().call('runtime.withdraw', at)).body.data.rewards_rejected).toBe(1)
    const { body } = await admin().call('project.history', { id: project.id })
    expect(body.data.slice(0, 3).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['runtime.withdraw', 'runtime.putBack']),
    )
  })

  test('stays out after thirty days, when nothing else of it is kept, and is accepted again only once it is put back', async () => {
    const { survey, at, row } = await withdrawn()
    const arrived = Math.floor(Date.now() / 86_400_000) - 31
    await app.write((tx) => tx.updateTable('withdrawn_respondents').set({ arrived }).where('survey_id', '=', survey.id).execute())
    await forgetWithdrawn(app.services)
    const rest = await app.db.selectFrom('withdrawn_respondents').selectAll().where('survey_id', '=', survey.id).execute()
    expect(rest.map(({ stored, answers }) => [stored, answers])).toEqual([['', '']])
    const again = () => send(app, survey.id, [row])
    expect((await again()).body.data).toMatchObject({ added: 0, withdrawn: 1 })
    const { body } = await admin().call('runtime.putBack', at)
    expect([body.data.is_back, body.message]).toEqual([false, expect.stringContaining('counts once it is sent again.')])
    expect((await again()).body.data).toMatchObject({ added: 1, withdrawn: 0 })
  })
})

test('a dry run of putting back puts nothing back', async () => {
  const { survey } = await fresh(app)
  const one = person()
  await send(app, survey.id, [one])
  const at = { surveyId: survey.id, respondentId: one.respondent_id }
  expect((await admin().call('runtime.withdraw', at)).status).toBe(200)
  const path = `/v3/portal/surveys/runtime/${survey.id}/responses/${one.respondent_id}/put_back`
  const dry = await admin().raw('POST', `${path}?dry=1`)
  expect([dry.status, dry.headers['fieldwork-dry']]).toEqual([200, '1'])
  expect((await admin().call('runtime.withdraw', at)).status).toBe(409)
})
