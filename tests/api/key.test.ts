import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const made = async (given: Record<string, unknown> = {}) => {
  const answer = await admin().call('key.create', { name: 'Supplier B', ...given })
  expect(answer.status, answer.text).toBe(200)
  const { key, ...rest } = answer.body.data
  return { ...rest, key, importer: app.person({ authorization: `Bearer ${key}` }) }
}
const sent = (importer: ReturnType<Fieldwork['person']>, surveyId: number) =>
  importer.call('runtime.ingest', { surveyId, rows: [person()] })

describe('an API key', () => {
  test('opens only its own surveys, or projects with their children', async () => {
    const [one, two] = [await fresh(app), await fresh(app)]
    const child = await fresh(app, { parent_id: two.project.id })
    const ofSurvey = await made({ surveys: [one.survey.id] })
    expect((await sent(ofSurvey.importer, one.survey.id)).status).toBe(200)
    const refused = await sent(ofSurvey.importer, two.survey.id)
    expect([refused.status, refused.body.message]).toEqual([
      404,
      `Survey ${two.survey.id} was not found, or this key is not for it.`,
    ])
    expect(refused.body.message.replace(String(two.survey.id), '…')).toBe(
      (await sent(ofSurvey.importer, 999_999)).body.message.replace('999999', '…'),
    )
    const ofProject = await made({ projects: [two.project.id] })
    expect((await sent(ofProject.importer, two.survey.id)).status).toBe(200)
    expect((await sent(ofProject.importer, child.survey.id)).status).toBe(200)
    expect((await sent(ofProject.importer, one.survey.id)).status).toBe(404)
    for (const call of ['runtime.correct', 'runtime.withdraw'] as const)
      expect((await ofProject.importer.call(call, { surveyId: one.survey.id, respondentId: 'p1' })).status).toBe(404)
    const all = await made()
    expect((await sent(all.importer, one.survey.id)).status).toBe(200)
    expect((await admin().call('key.create', { name: 'X', surveys: [999_999] })).body.fields.surveys).toBe(
      'surveys: there is no survey 999999',
    )
  })

  test('notes its use once a minute: a feed of many batches writes no row for each', async () => {
    const { survey } = await fresh(app)
    const { importer, id } = await made()
    const used = async () =>
      (await app.db.selectFrom('api_keys').select('last_used_at').where('id', '=', id).executeTakeFirstOrThrow()).last_used_at
    const { services } = app
    const { now } = services
    const from = Date.now()
    const at = (seconds: number) => new Date(from + seconds * 1000)
    try {
      for (const [seconds, noted] of [
        [0, 0],
        [30, 0],
        [61, 61],
      ] as const) {
        services.now = () => at(seconds)
        expect((await sent(importer, survey.id)).status).toBe(200)
        expect(await used()).toBe(at(noted).toISOString())
      }
    } finally {
      services.now = now
    }
  })

  test('expires at the end of its last day', async () => {
    const { survey } = await fresh(app)
    const today = app.make.today()
    const { importer, id, expires_at } = await made({ expires_on: today })
    expect((await sent(importer, survey.id)).status).toBe(200)
    expect(Date.parse(expires_at!)).toBeGreaterThan(Date.now())
    expect(Date.parse(expires_at!)).toBeLessThanOrEqual(Date.now() + 25 * 3_600_000)
    await app.write((tx) =>
      tx
        .updateTable('api_keys')
        .set({ expires_at: new Date(Date.now() - 1).toISOString() })
        .where('id', '=', id)
        .execute(),
    )
    const refused = await sent(importer, survey.id)
    expect([refused.status, refused.body.message]).toEqual([401, 'This API key is unknown, revoked or expired.'])
    expect((await admin().call('key.create', { name: 'X', expires_on: '2020-01-31' })).body.fields).toHaveProperty('expires_on')
  })

  test('may be valid to the last possible day, and creating it blocks nobody', async () => {
    const { survey } = await fresh(app)
    const { importer, expires_at } = await made({ expires_on: '2199-12-31' })
    expect(expires_at).toBe('2200-01-01T05:00:00.000Z')
    expect((await sent(importer, survey.id)).status).toBe(200)
  })

  test('may read the surveys it writes to and their questions, unless created without', async () => {
    const [mine, other] = [await fresh(app), await fresh(app)]
    const { importer } = await made({ surveys: [mine.survey.id] })
    const { body } = await importer.call('runtime.intakeSurveys', {})
    expect(body).toMatchObject({ count: 1, data: [{ id: mine.survey.id, project_id: mine.project.id }] })
    const form = (await importer.call('runtime.intake', { surveyId: mine.survey.id })).body.data
    expect(form.fields.find(({ name }) => name === 'age')?.codes[1]).toEqual({ value: 2, label: '18 to 24' })
    expect((await importer.call('runtime.intake', { surveyId: other.survey.id })).status).toBe(404)
    const blind = (await made({ surveys: [mine.survey.id], reads: false })).importer
    expect((await blind.call('runtime.intake', { surveyId: mine.survey.id })).body.message).toBe('This API key can’t read.')
    expect((await sent(blind, mine.survey.id)).status).toBe(200)
  })

  test('opens nothing else, and says so; without a valid one the 401 names the scheme', async () => {
    const { survey } = await fresh(app)
    const { importer, key } = await made()
    const other = await importer.call('runtime.summary', { surveyId: survey.id })
    expect([other.status, other.body.message]).toEqual([401, 'This call doesn’t take an API key. Please sign in.'])
    for (const scheme of ['bearer', 'BEARER'])
      expect((await sent(app.person({ authorization: `${scheme} ${key}` }), survey.id)).status).toBe(200)
    for (const headers of [{}, { authorization: 'Bearer fwk_wrong' }] as Record<string, string>[]) {
      const { status, headers: answerHeaders } = await sent(app.person(headers), survey.id)
      expect([status, answerHeaders['www-authenticate']]).toEqual([401, 'Bearer realm="Fieldwork"'])
    }
  })

  test('shows when and where it was last used, and appears in the history by name', async () => {
    const { survey, project } = await fresh(app)
    const { importer, id } = await made({ name: 'Decipher nightly' })
    await sent(importer, survey.id)
    const shown = (await admin().call('key.list')).body.data.find((key) => key.id === id)!
    expect(shown).toMatchObject({ last_address: '127.0.0.1', projects: [], surveys: [], reads: true, expires_at: null })
    expect(shown.last_used_at).not.toBeNull()
    const { data } = (await admin().call('project.history', { id: project.id })).body
    expect(data[0]).toMatchObject({ action: 'runtime.ingest', after: { api_key: id, key: 'Decipher nightly' } })
  })
})
