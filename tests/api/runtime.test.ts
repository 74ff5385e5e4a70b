import { beforeAll, describe, expect, test } from 'vitest'
import type { CallId } from '../../contract/calls.ts'
import { addDays } from '../../contract/pacing.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, question, send } from './surveyed.ts'

let app: Fieldwork
let project: { id: number }
let survey: { id: number }
beforeAll(async () => {
  app = await fieldwork()
  ;({ project, survey } = await fresh(app))
})
const admin = () => app.as('admin')
const client = () => app.as('client')

describe('access to the figures', () => {
  const READS = [
    'summary',
    'gender',
    'age',
    'hhi',
    'children',
    'ethnicity',
    'maritalStatus',
    'geoaddress',
    'deliveryTrend',
    'funnel',
    'userResponses',
  ].map((name) => `runtime.${name}` as CallId)

  test.each(READS)('%s: 401 for a stranger, 404 out of scope, 200 in scope', async (id) => {
    const other = await app.make.project({ client_id: (await app.make.client()).id })
    const theirs = await app.make.survey({ project_id: other.id })
    expect((await app.as('stranger').call(id, { surveyId: survey.id })).status).toBe(401)
    expect((await client().call(id, { surveyId: theirs.id })).status).toBe(404)
    expect((await client().call(id, { surveyId: survey.id })).status).toBe(200)
  })

  test('the older dashboard is read by project, with the same rule', async () => {
    const other = await app.make.project({ client_id: (await app.make.client()).id })
    for (const name of [
      'gender',
      'age',
      'hhi',
      'ethnicity',
      'geolocation',
      'delivery_trend',
      'user_responses',
      'performance_funnel',
    ]) {
      expect((await client().raw('GET', `/v1/dashboard/${other.id}/${name}.json`)).status).toBe(404)
      expect((await client().raw('GET', `/v1/dashboard/${project.id}/${name}.json`)).status).toBe(200)
    }
  })

  test('rewards and fraud flags are for administrators', async () => {
    expect((await client().call('runtime.rewards', { surveyId: survey.id })).status).toBe(403)
    expect((await client().call('runtime.clearFraud', { surveyId: survey.id })).status).toBe(403)
    expect((await client().call('runtime.clearFraudByGet', { surveyId: survey.id })).status).toBe(403)
  })
})

describe('filters', () => {
  test.each([
    ['ageRange', 'ageRange[]=9'],
    ['gender', 'gender[]=man'],
    ['hhi', 'hhi=7'],
    ['ethnicity', 'ethnicity[]=white&ethnicity[]=green'],
    ['dwellRange', 'dwellRange[]=1-2'],
    ['notice', 'notice[]=maybe'],
  ])('a wrong %s is refused by its name', async (key, query) => {
    const answer = await client().raw('GET', `/v3/portal/surveys/runtime/${survey.id}/age?${query}`)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.fields)).toEqual([key])
  })

  test('brackets, repeats and comma lists are one filter; 18+ and All don’t filter', async () => {
    const { survey: own } = await fresh(app)
    await send(app, own.id, [
      person({ age: 2, gender: 'female' }),
      person({ age: 3, gender: 'male' }),
      person({ age: 4 }),
      person(),
    ])
    const count = async (query: string) =>
      (
        (await client().raw('GET', `/v3/portal/surveys/runtime/${own.id}/gender.json?${query}`)).body as unknown as {
          total: number
        }
      ).total
    expect(await Promise.all(['ageRange[]=2&ageRange[]=3', 'ageRange=2,3', 'ageRange[]=2,3', 'age=2,3,-1'].map(count))).toEqual([
      2, 2, 2, 2,
    ])
    expect(await Promise.all(['', 'ageRange[]=-1', 'ageRange[]=0', 'gender[]=all', 'ageRange[]='].map(count))).toEqual([
      4, 4, 4, 4, 4,
    ])
    expect(await count('ageRange[]=8')).toBe(1)
  })

  test('a time with an offset is accepted though a query turns its plus sign into a blank', async () => {
    const { survey: own } = await fresh(app)
    await send(app, own.id, [person({ dwell: 75 }), person({ dwell: 60 }), person({ dwell: 59.9 })])
    for (const query of ['dwellRange[]=60+', 'dwellRange[]=60%2B']) {
      expect((await client().raw('GET', `/v3/portal/surveys/runtime/${own.id}/age?${query}`)).body).toMatchObject({ total: 2 })
    }
  })
})

describe('the figures', () => {
  test('100 ordered, 50 expected by today: 25 delivered are a pacing of 50, in orange', async () => {
    const today = app.make.today()
    const { survey: own } = await fresh(app, { ordered: 100, start_dt: addDays(today, -4), end_dt: addDays(today, 5) })
    await send(
      app,
      own.id,
      Array.from({ length: 25 }, () => person()),
    )
    const { body } = await client().call('runtime.summary', { surveyId: own.id })
    expect(body.data).toMatchObject({
      ordered: 100,
      delivered: 25,
      expected: 50,
      pacing: 50,
      pacing_color: 'Orange',
      pacing_state: 'running',
    })
  })

  test('a parent shows what it and its children ordered and delivered, and their results together', async () => {
    const { project: parent, survey: own } = await fresh(app)
    for (const completes of [2, 3]) {
      const child = await app.make.project({ client_id: app.client.id, parent_id: parent.id, ordered: 10 })
      await send(
        app,
        (await app.make.survey({ project_id: child.id })).id,
        Array.from({ length: completes }, () => person({ gender: 'female' })),
      )
    }
    const { body } = await client().call('runtime.overview', { id: parent.id })
    expect(body.data.summary).toMatchObject({ ordered: 120, delivered: 5, completes: 5 })
    expect(body.data.gender.find((row) => row.value === 'female')).toMatchObject({ count: 5, percent: 100 })
    expect((await client().call('runtime.gender', { surveyId: own.id, scope: 'project' })).body.total).toBe(5)
    expect((await client().call('runtime.gender', { surveyId: own.id })).body.total).toBe(0)
  })

  test('interviews that were left open are counted, and the median, the report and the export leave them out', async () => {
    const { project: own, survey: its } = await fresh(app)
    const lasting = (respondent_id: string, seconds: number) => {
      const at = Date.UTC(2026, 2, 20, 12)
      return person({ respondent_id, at: new Date(at).toISOString(), started_at: new Date(at - 1000 * seconds).toISOString() })
    }
    const lengths = [600, 1200, 43_200, 43_201, 65_534, 65_536, 3 * 86_400, 200 * 86_400]
    await send(
      app,
      its.id,
      lengths.map((seconds, at) => lasting(`long ${at}`, seconds)),
    )
    const { body } = await client().call('runtime.funnel', { surveyId: its.id })
    expect(body.data).toMatchObject({ completes_value: 8, loi_minutes: 20, left_open: 5 })
    expect((await app.as('admin').call('survey.length', { id: its.id })).body.data).toEqual({
      ...{ median_seconds: 1200, timed: 3, left_open: 5 },
    })
    const { body: v1 } = await client().call('runtime.performanceFunnelV1', { id: own.id })
    expect(v1.data).toMatchObject({ loi_minutes: 20, left_open: 5 })
  })

  test('0, 0 is no position of a respondent, which the answer says', async () => {
    const { survey: its } = await fresh(app)
    const sent = await send(app, its.id, [
      person({ respondent_id: 'zero', latitude: 0, longitude: 0 }),
      person({ respondent_id: 'zero as text', latitude: '0.0', longitude: '-0' }),
      person({ respondent_id: 'next to it', latitude: 0.0002, longitude: -0.0001 }),
      person({ respondent_id: 'Boston', latitude: 42.36, longitude: -71.06 }),
      person({ respondent_id: 'on the equator', latitude: 0, longitude: -78.5 }),
    ])
    expect(JSON.stringify(sent)).toContain('3 rows at 0, 0 have no position')
    const { body } = await client().call('runtime.geoaddress', { surveyId: its.id })
    expect(body.data).toEqual([
      { latitude: 0, longitude: -78.5, count: 1 },
      { latitude: 42.4, longitude: -71.1, count: 1 },
    ])
  })

  test('the funnel is disjoint and adds up to the entrants', async () => {
    const { project: own, survey: its } = await fresh(app)
    await send(app, its.id, [
      person({ at: '2026-03-01T12:12:30Z', started_at: '2026-03-01T12:00:00Z' }),
      person({ outcome: 'terminates' }),
      person({ outcome: 'terminates' }),
      person({ outcome: 'overquota' }),
      person({ outcome: 'partials', age: 2 }),
    ])
    const funnel = {
      entrants: 5,
      completes_value: 1,
      terminates_value: 2,
      overquota_value: 1,
      partials_value: 1,
      ...{ incidence: 60, drop_off: 50, loi_minutes: 12.5, left_open: 0 },
    }
    expect((await client().call('runtime.funnel', { surveyId: its.id })).body.data).toEqual(funnel)
    expect((await client().call('runtime.performanceFunnelV1', { id: own.id })).body.data).toEqual(funnel)
    expect((await client().call('runtime.funnel', { surveyId: its.id, ageRange: '2' })).body.data).toMatchObject({
      entrants: 1,
      partials_value: 1,
      loi_minutes: null,
    })
  })

  test('the funnel requested twice at once responds twice, and is never stale after a batch', async () => {
    const { project: own, survey: its } = await fresh(app)
    const ask = () => client().call('runtime.performanceFunnelV1', { id: own.id })
    expect((await Promise.all([ask(), ask()])).map((answer) => answer.status)).toEqual([200, 200])
    await send(app, its.id, [person()])
    expect((await ask()).body.data.completes_value).toBe(1)
  })

  test('the trend covers the field time; its sum stops today, its plan ends at the order', async () => {
    const { survey: own } = await fresh(app, { ordered: 30 })
    await send(app, own.id, [person(), person()])
    const { data } = (await client().call('runtime.deliveryTrend', { surveyId: own.id })).body
    const today = app.make.today()
    expect(data).toHaveLength(15)
    expect(data.find((day) => day.date === today)!.cumulative).toBe(2)
    expect(data.find((day) => day.date === addDays(today, 2))!.cumulative).toBeNull()
    expect(data.at(-1)!.expected).toBe(30)
  })

  test('places are rounded to a tenth of a degree', async () => {
    const { survey: own } = await fresh(app)
    await send(app, own.id, [person({ latitude: 40.7484, longitude: -73.9857 }), person({ latitude: 40.7, longitude: -74.02 })])
    expect((await client().call('runtime.geoaddress', { surveyId: own.id })).body.data).toEqual([
      { latitude: 40.7, longitude: -74, count: 2 },
    ])
  })

  test('answers come by question in the order of options, split by gender and age', async () => {
    const { survey: own } = await fresh(app)
    const { id } = await question(app, own.id)
    await send(app, own.id, [
      person({ age: 2, gender: 'female', hhi: 0, answers: { [id]: 'Nuts' } }),
      person({ gender: 'male', answers: { [id]: ['Nuts', 'Pretzels'] } }),
      person({ outcome: 'partials', answers: { [id]: 'Nuts' } }),
    ])
    const [answers] = (await client().call('runtime.userResponses', { surveyId: own.id })).body.data
    expect(answers).toMatchObject({ question_id: id, title: 'Which snack?', total: 3 })
    expect(answers!.rows.map((row) => [row.label, row.value])).toEqual([
      ['Chips', 0],
      ['Nuts', 2],
      ['Pretzels', 1],
    ])
    expect(answers!.rows[1]).toMatchObject({ gender: { female: 1, male: 1, other: 0 }, age: { 2: 1, 8: 1 } })
    expect((await client().call('runtime.userResponses', { surveyId: own.id, gender: 'female' })).body.data[0]!.total).toBe(1)
    expect((await client().call('runtime.userResponses', { surveyId: own.id, hhi: '0' })).body.data[0]!.total).toBe(1)
  })

  test('the older envelope has a count and a list by its name', async () => {
    const { body } = await client().call('runtime.ageV1', { id: project.id })
    expect(Object.keys(body.data)).toEqual(['count', 'age'])
    expect(body.data.age[0]).toMatchObject({ value: 1, label: '13 to 17' })
  })
})

test('clearing fraud flags returns their number; so does the older GET', async () => {
  const { survey: own } = await fresh(app)
  await send(app, own.id, [person({ fraud: true }), person({ fraud: 'yes' }), person()])
  expect((await admin().call('runtime.clearFraud', { surveyId: own.id })).body).toMatchObject({
    data: { cleared: 2 },
    message: '2 fraud flags cleared.',
  })
  expect((await admin().call('runtime.clearFraudByGet', { surveyId: own.id })).body.data.cleared).toBe(0)
})

test('a survey’s rewards are its entries, newest first', async () => {
  const { project: own, survey: its } = await fresh(app)
  await app.make.entry({ project_id: own.id })
  const mine = await app.make.entry({ project_id: own.id, survey_id: its.id, email: 'winner@mail.test' })
  const { body } = await admin().call('runtime.rewards', { surveyId: its.id })
  expect(body).toMatchObject({ count: 1, page: 1, data: [{ id: mine.id, email: 'winner@mail.test', status: 'pending' }] })
})
