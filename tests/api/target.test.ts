import { beforeAll, describe, expect, test } from 'vitest'
import { unpackCell } from '../../server/domain/runtime/cells.ts'
import { figureDates, makeRespondents } from '../support/respondents.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

/** An activity of a project; `given` is the project's. */
async function activity(given: object = {}) {
  const project = await app.make.project({ client_id: app.client.id, name: 'Shelf Diary', ...given })
  const made = await app.make.activity({ project_id: project.id, name: 'Wave 1' })
  return { ...made, project }
}
/** An activity with a survey and respondents, and a target. */
async function answered(target: object = {}) {
  const { start, end } = figureDates
  const made = await activity({ status: 'active', start_dt: start, end_dt: end, ordered: 600 })
  const survey = await app.make.survey({ project_id: made.project_id, activity_id: made.id })
  const rows = makeRespondents(500, 11, [], 'a').map((row, at) => ({ ...row, dma: at % 7 ? 501 + (at % 3) : null }))
  const { status } = await admin().call('runtime.ingest', { surveyId: survey.id, rows } as never)
  expect(status).toBe(200)
  await app.make.target({ activity_id: made.id, version: 1, age: '2,3,4', gender: 'female,male,other', ...target })
  const completes = await app.db
    .selectFrom('respondents')
    .selectAll()
    .where('survey_id', '=', survey.id)
    .where('outcome', '=', 'completes')
    .execute()
  return { ...made, survey, completes }
}
const first = { age: ['2', '3'], gender: ['female'], targeted_locations: ['501', '803'], location_based: 'no' }

describe('a target', () => {
  test('starts at version 1, and each change raises its version by one', async () => {
    const { id } = await activity()
    const made = await admin().call('target.create', { activity_id: id, ...first })
    expect(made.body).toMatchObject({
      message: 'Target Created',
      data: { activity_id: id, version: 1, age: '2,3', gender: 'female', targeted_locations: '501,803', location_based: 'no' },
    })
    const changed = await admin().call('target.edit', { activity_id: id, version: 1, age: ['4', '2'] })
    expect(changed.body).toMatchObject({ message: 'Target Updated', data: { version: 2, age: '2,4', gender: 'female' } })
    expect(
      (await admin().call('target.edit', { activity_id: id, version: 2, hhi: ['0'], children: ['0'] })).body.data,
    ).toMatchObject({
      version: 3,
      hhi: '0',
      children: '0',
    })
  })

  test('written back as read keeps its version, in any order of its values', async () => {
    const { id } = await activity()
    await admin().call('target.create', { activity_id: id, ...first })
    const read = (await admin().call('activity.target', { id })).body.data!
    const back = await admin().call('target.edit', { ...read, age: '3,2', targeted_locations: '803,501' } as never)
    expect([back.status, back.body.data.version]).toEqual([200, 1])
  })

  test('with a stale version is a 409 with both versions', async () => {
    const { id } = await activity()
    await admin().call('target.create', { activity_id: id, ...first })
    await admin().call('target.edit', { activity_id: id, version: 1, age: ['4'] })
    const late = await admin().call('target.edit', { activity_id: id, version: 1, age: ['5'], gender: ['male'] })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({
      code: 'stale',
      message: 'This target is now at version 2; you opened version 1.',
      theirs: { version: 2, age: '4', gender: 'female' },
      mine: { version: 1, age: '5', gender: 'male' },
      clashes: ['age', 'gender'],
    })
    expect((await admin().call('activity.target', { id })).body.data).toMatchObject({ version: 2, age: '4' })
  })

  test('is created once: a second first target is a 409 with the existing one', async () => {
    const { id } = await activity()
    await admin().call('target.create', { activity_id: id, ...first })
    const again = await admin().call('target.create', { activity_id: id, ...first })
    expect([again.status, again.body.code]).toEqual([409, 'stale'])
    expect((await admin().call('target.edit', { activity_id: (await activity()).id, age: ['2'] })).status).toBe(409)
  })

  test("never stores −1: '18+' and 'All' exist only in the interface", async () => {
    const { id } = await activity()
    const made = await admin().call('target.create', {
      activity_id: id,
      age: ['-1', '2', '3'],
      gender: ['all', 'male'],
      hhi: ['-1'],
    })
    expect(made.body.data).toMatchObject({ age: '2,3', gender: 'male', hhi: '' })
    const alone = await admin().call('target.edit', { activity_id: id, age: ['-1'] })
    expect([alone.status, alone.body.fields]).toEqual([422, { age: 'Please choose at least one age' }])
  })

  test("says 'Please choose at least one age' and 'Please choose at least one gender'", async () => {
    const { id } = await activity()
    const empty = await admin().call('target.create', { activity_id: id, age: [], gender: [] })
    expect([empty.status, empty.body.fields]).toEqual([
      422,
      { age: 'Please choose at least one age', gender: 'Please choose at least one gender' },
    ])
    await admin().call('target.create', { activity_id: id, ...first })
    const narrowed = await admin().call('target.edit', { activity_id: id, gender: '' })
    expect([narrowed.status, narrowed.body.fields]).toEqual([422, { gender: 'Please choose at least one gender' }])
  })

  test("says 'Please choose at least one target market', unless it is location based", async () => {
    const { id } = await activity()
    await admin().call('target.create', { activity_id: id, ...first })
    const none = await admin().call('target.edit', { activity_id: id, targeted_locations: [] })
    expect([none.status, none.body.fields]).toEqual([422, { targeted_locations: 'Please choose at least one target market' }])
    const places = await admin().call('target.edit', { activity_id: id, targeted_locations: [], location_based: 'yes' })
    expect(places.body.data).toMatchObject({ location_based: 'yes', targeted_locations: '' })
    const back = await admin().call('target.edit', { activity_id: id, location_based: 'no' })
    expect([back.status, back.body.fields]).toEqual([422, { targeted_locations: 'Please choose at least one target market' }])
    const unknown = await admin().call('target.edit', {
      activity_id: id,
      location_based: 'no',
      targeted_locations: ['501', '999'],
    })
    expect([unknown.status, unknown.body.fields]).toEqual([
      422,
      {
        targeted_locations:
          'targeted_locations has a value that is not a market area: 999. Accepted: DMA codes, such as 501 (New York)',
      },
    ])
  })

  test('requires an administrator and an existing activity', async () => {
    const { id } = await activity()
    const input = { activity_id: id, ...first }
    expect((await app.as('client').call('target.create', input)).status).toBe(403)
    expect((await app.as('stranger').call('target.check', input)).status).toBe(401)
    expect((await admin().call('target.create', { ...input, activity_id: 999_999 })).status).toBe(404)
  })

  test('is undone with its version raised, and the history names both', async () => {
    const { id } = await activity()
    await admin().call('target.create', { activity_id: id, ...first })
    const { headers } = await admin().call('target.edit', { activity_id: id, version: 1, age: ['2', '5'] })
    expect((await admin().call('undo.take', { id: Number(headers['x-undo']) })).status).toBe(200)
    expect((await admin().call('activity.target', { id })).body.data).toMatchObject({ version: 3, age: '2,3' })
    const { data } = (await admin().call('target.versions', { id })).body
    expect(data.map(({ version, age, who, reason, changes }) => ({ version, age, who, reason, changes }))).toEqual([
      { version: 3, age: '2,3', who: 'Ada Admin', reason: 'Undone', changes: [{ field: 'age', added: ['3'], removed: ['5'] }] },
      { version: 2, age: '2,5', who: 'Ada Admin', reason: '', changes: [{ field: 'age', added: ['5'], removed: ['3'] }] },
      { version: 1, age: '2,3', who: 'Ada Admin', reason: '', changes: [] },
    ])
  })
})

describe('the versions of a target', () => {
  test('keep the values of their time, including those of an older edit', async () => {
    const project = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
    const { id } = await app.make.activity({ project_id: project.id })
    await app.make.target({ activity_id: id, version: 1, age: '2', gender: 'male', targeted_locations: '501' })
    await admin().call('campaign.edit', { id: project.id, age_range: '2,3' })
    await admin().call('target.edit', {
      activity_id: id,
      version: 2,
      targeted_locations: ['501', '803'],
      reason: 'Version 1 restored',
    })
    const { data } = (await admin().call('target.versions', { id })).body
    expect(data.map(({ version, age, targeted_locations, reason }) => [version, age, targeted_locations, reason])).toEqual([
      [3, '2,3', '501,803', 'Version 1 restored'],
      [2, '2,3', '501', ''],
      [1, '2', '501', ''],
    ])
    expect(data.at(-1)).toMatchObject({ at: null, who: '' })
  })

  test('are empty for an activity without a target', async () => {
    const { id } = await activity()
    expect((await admin().call('target.versions', { id })).body).toEqual({ data: [], count: 0, page: 1 })
  })
})

describe('the figures beside a target’s values', () => {
  test('count its respondents', async () => {
    const { id, completes } = await answered({
      targeted_locations: '501,502',
      hhi: '1,2',
      marital_status: 'married',
      children: '0,1',
    })
    const { data } = (await admin().call('target.completes', { id })).body
    expect(data.completes).toBe(completes.length)
    const who = completes.map(({ cell, marital, children }) => ({ ...unpackCell(cell), marital, children }))
    const by = (of: (one: (typeof who)[number]) => number) => (value: number) => who.filter((one) => of(one) === value).length
    const counts = (group: keyof typeof data.groups) => data.groups[group].map((row) => row.completes)
    expect(counts('age')).toEqual([1, 2, 3, 4, 5, 6, 7].map(by(({ age }) => age)))
    expect(counts('gender')).toEqual([1, 2, 3].map(by(({ gender }) => gender)))
    expect(counts('hhi')).toEqual([0, 1, 2, 3, 4, 5, 6].map(by(({ hhi }) => hhi)))
    expect(counts('ethnicity')).toEqual([1, 2, 3, 4, 5, 6].map(by(({ ethnicity }) => ethnicity)))
    expect(counts('marital_status')).toEqual([0, 1, 2, 3, 4].map(by(({ marital }) => marital)))
    expect(counts('children')).toEqual([0, 1, 2, 3, 4].map(by(({ children }) => children)))
    const outside = who.filter(
      ({ age, hhi, marital, children }) =>
        ![0, 2, 3, 4].includes(age) || ![7, 1, 2].includes(hhi) || ![-1, 1].includes(marital) || ![-1, 0, 1].includes(children),
    ).length
    expect(data.outside).toBe(outside)
    expect(outside).toBeGreaterThan(0)
    for (const code of [501, 502, 503])
      expect(data.areas.find((area) => area.id === code)?.completes).toBe(completes.filter(({ dma }) => dma === code).length)
    expect(data.outside_areas).toBe(completes.filter(({ dma }) => dma === 503).length)
  })

  test('by market area follow corrections and withdrawals', async () => {
    const { id, survey, completes } = await answered()
    const today = Math.floor(Date.now() / 86_400_000)
    await app.write((tx) => tx.updateTable('respondents').set({ taken_on: today }).where('survey_id', '=', survey.id).execute())
    const [gone, moved] = completes.filter(({ dma }) => dma === 501)
    await admin().call('runtime.withdraw', { surveyId: survey.id, respondentId: gone!.respondent_id })
    const as = { surveyId: survey.id, respondentId: moved!.respondent_id, outcome: 'completes', dma: 803 }
    expect((await admin().call('runtime.correct', as as never)).status).toBe(200)
    const of = (code: number) => completes.filter(({ dma }) => dma === code).length
    const expected = { 501: of(501) - 2, 502: of(502), 503: of(503), 803: 1 }
    const areas = async () =>
      Object.fromEntries(
        (await admin().call('target.completes', { id })).body.data.areas.map((area) => [area.id, area.completes]),
      )
    expect(await areas()).toEqual(expected)
    const more = makeRespondents(40, 12, [], 'b').map((row) => ({ ...row, dma: 502 }))
    await admin().call('runtime.ingest', { surveyId: survey.id, rows: more } as never)
    const added = more.filter(({ outcome }) => outcome === 'completes').length
    expect(await areas()).toEqual({ ...expected, 502: expected[502] + added })
  })

  test('are empty for an activity without a survey', async () => {
    const { id } = await activity()
    expect((await admin().call('target.completes', { id })).body.data).toMatchObject({ completes: 0, outside: 0, areas: [] })
  })
})

describe('the check of a target', () => {
  test('says how many completes are outside the new audience and which version it becomes, and saves nothing', async () => {
    const { id, completes } = await answered()
    const young = completes.filter(({ cell }) => ![0, 3, 4].includes(unpackCell(cell).age)).length
    const { body } = await admin().call('target.check', { activity_id: id, version: 1, age: ['3', '4'] })
    expect(body.data).toMatchObject({
      in_field: true,
      version: 1,
      next_version: 2,
      completes: completes.length,
      outside: young,
      inside: completes.length - young,
      effects: [
        `${young} of ${completes.length} completes (${Math.round((100 * young) / completes.length)}\u00a0%) are outside the new audience. They stay counted.`,
        'Version 1 becomes 2.',
      ],
    })
    expect((await admin().call('activity.target', { id })).body.data).toMatchObject({ version: 1, age: '2,3,4' })
  })

  test('says which areas are left with how many completes', async () => {
    const { id, completes } = await answered({ targeted_locations: '501,502,503,504' })
    const left = completes.filter(({ dma }) => dma === 502 || dma === 503).length
    const { body } = await admin().call('target.check', { activity_id: id, targeted_locations: ['501', '505'] })
    expect(body.data).toMatchObject({ areas_completes: left })
    expect(body.data.areas_left.map((area) => area.id)).toEqual(
      [502, 503, 504].filter((code) => body.data.areas_left.some((one) => one.id === code)),
    )
    expect(body.data.effects).toEqual([
      `Leaves 3 areas with ${left} completes. They stay counted.`,
      'Adds 1 area.',
      'Version 1 becomes 2.',
    ])
    const places = await admin().call('target.check', { activity_id: id, location_based: 'yes' })
    expect(places.body.data.effects).toContain('Participants will be found by location group.')
  })

  test('of an unchanged target has no effects', async () => {
    const { id } = await answered()
    const { body } = await admin().call('target.check', { activity_id: id, age: ['4', '3', '2'] })
    expect(body.data).toMatchObject({ version: 1, next_version: 1, effects: [] })
  })

  test('of a first target says that it is the first', async () => {
    const { id } = await activity()
    const { body } = await admin().call('target.check', { activity_id: id, ...first })
    expect(body.data).toMatchObject({ version: 0, next_version: 1, completes: 0, in_field: true })
    expect(body.data.effects).toEqual(['Adds 2 areas.', 'Version 1 is the first.'])
  })
})

describe('copying an audience', () => {
  test('copies it to other activities of the client, all or none, keeps their markets, and can be undone', async () => {
    const source = await activity()
    const [one, other] = [await activity(), await activity()]
    await admin().call('target.create', { activity_id: source.id, ...first, hhi: ['3'] })
    await admin().call('target.create', {
      activity_id: one.id,
      age: ['7'],
      gender: ['other'],
      location_based: 'no',
      targeted_locations: ['618'],
    })
    const copied = await admin().call('target.copy', { activity_id: source.id, to: [one.id, other.id] })
    expect(copied.body).toMatchObject({ data: { copied: 2 }, message: 'Audience copied to 2 activities.' })
    const targetOf = async (id: number) => (await admin().call('activity.target', { id })).body.data
    expect(await targetOf(one.id)).toMatchObject({
      version: 2,
      age: '2,3',
      gender: 'female',
      hhi: '3',
      targeted_locations: '618',
    })
    expect(await targetOf(other.id)).toMatchObject({ version: 1, age: '2,3', targeted_locations: '' })
    expect((await admin().call('target.versions', { id: one.id })).body.data[0]).toMatchObject({ reason: 'Copied from “Wave 1”' })
    await admin().call('undo.take', { id: Number(copied.headers['x-undo']) })
    expect(await targetOf(one.id)).toMatchObject({ version: 3, age: '7', hhi: '' })
    expect(await targetOf(other.id)).toBeNull()
  })

  test('is refused for an activity of another client, and then nothing is copied', async () => {
    const [source, one] = [await activity(), await activity()]
    const foreign = await activity({ client_id: (await app.make.client()).id })
    await admin().call('target.create', { activity_id: source.id, ...first })
    const refused = await admin().call('target.copy', { activity_id: source.id, to: [one.id, foreign.id] })
    expect([refused.status, refused.body.fields]).toEqual([422, { to: '“Wave 1” belongs to another client' }])
    expect((await admin().call('activity.target', { id: one.id })).body.data).toBeNull()
    expect((await admin().call('target.copy', { activity_id: one.id, to: [source.id] })).status).toBe(409)
  })
})
