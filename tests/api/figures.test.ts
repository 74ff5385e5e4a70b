import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  childrenOf,
  demographic,
  funnelOf,
  maritalOf,
  percentOf,
  places,
  totals,
  trend,
} from '../../server/calls/runtime/runtimeFigures.ts'
import { connect, type Database, transact } from '../../server/db/connect.ts'
import { basesOf } from '../../server/domain/responses/bases.ts'
import { chartsOf } from '../../server/domain/responses/charts.ts'
import { responsesOf } from '../../server/domain/responses/responses.ts'
import {
  type CellFilter,
  DWELL_INDEX,
  dwellBucket,
  ETHNICITY_INDEX,
  GENDER_INDEX,
  packCell,
  unpackCell,
} from '../../server/domain/runtime/cells.ts'
import { ingest, type RespondentInput } from '../../server/domain/runtime/intake.ts'
import type { Range } from '../../server/domain/runtime/range.ts'
import { migratedDatabase } from '../support/engine.ts'
import { figureDates, makeRespondents, makeSurvey } from '../support/respondents.ts'

// Compares every counted figure with a recount of the respondents.
let database: Database
let range: Range
let sent: RespondentInput[]
const COUNT = 1500

beforeAll(async () => {
  const settings = await migratedDatabase()
  database = connect(settings.DATABASE_URL ? { url: settings.DATABASE_URL } : { file: join(settings.DATA_DIR, 'fieldwork.db') })
  const { project, survey, questions } = await makeSurvey(database)
  range = { project, children: [], survey_id: survey, surveys: [survey] }
  sent = makeRespondents(COUNT, 7, questions)
  for (let from = 0; from < COUNT; from += 400) {
    await transact(database, (tx) => ingest(database, tx, { id: survey, project_id: project.id }, sent.slice(from, from + 400)))
  }
})
afterAll(() => database?.close())

const FILTERS: [string, CellFilter][] = [
  ['nothing', {}],
  ['age 18 to 34', { age: [2, 3] }],
  ['those whose age is not known', { age: [0] }],
  ['women', { gender: [1] }],
  ['incomes, the lowest and unknown', { hhi: [0, 7] }],
  ['ethnicity and notice', { ethnicity: [1, 5], notice: [1] }],
  ['half an hour and more', { dwell: [5, 6] }],
  ['nobody', { age: [1], gender: [3], notice: [2], dwell: [1] }],
]
const cellOf = (one: RespondentInput) => ({
  age: one.age ?? 0,
  gender: GENDER_INDEX.get(one.gender ?? '') ?? 0,
  hhi: one.hhi ?? 7,
  ethnicity: ETHNICITY_INDEX.get(one.ethnicity ?? '') ?? 0,
  dwell: dwellBucket(one.dwell ?? null),
  notice: one.notice === true ? 1 : one.notice === false ? 2 : 0,
})
const wanted = (filter: CellFilter) =>
  sent.filter((one) => Object.entries(filter).every(([name, values]) => values.includes(cellOf(one)[name as 'age'])))
const completes = (filter: CellFilter) => wanted(filter).filter((one) => one.outcome === 'completes')
const tally = <T>(list: readonly T[], key: (one: T) => string | number) => {
  const counts: Record<string, number> = {}
  for (const one of list) counts[key(one)] = (counts[key(one)] ?? 0) + 1
  return counts
}
const asRecord = (rows: readonly { value: string | number; count: number }[]) =>
  Object.fromEntries(rows.filter((row) => row.count).map((row) => [row.value, row.count]))

test('a newer project has a row for Other as an ethnicity only with respondents who have it, an older one always', async () => {
  const values = async (generation: string, filter: CellFilter) => {
    const of = { ...range, project: { ...range.project, generation: generation as 'project' } }
    return (await demographic(database.db, of, 'ethnicity', filter)).map(({ value }) => value)
  }
  expect(completes({}).some((one) => one.ethnicity === 'other')).toBe(true)
  expect(await values('project', {})).toContain('other')
  expect(await values('project', { ethnicity: [1] })).not.toContain('other')
  expect(await values('campaign', { ethnicity: [1] })).toContain('other')
})

describe.each(FILTERS)('filtered by %s', (_, filter) => {
  test('the demographic widgets agree with the respondents', async () => {
    const people = completes(filter)
    expect(asRecord(await demographic(database.db, range, 'age', filter))).toEqual(tally(people, (one) => one.age ?? 8))
    expect(asRecord(await demographic(database.db, range, 'gender', filter))).toEqual(
      tally(people, (one) => one.gender ?? 'unknown'),
    )
    expect(asRecord(await demographic(database.db, range, 'hhi', filter))).toEqual(tally(people, (one) => one.hhi ?? 'unknown'))
    expect(asRecord(await demographic(database.db, range, 'ethnicity', filter))).toEqual(
      tally(people, (one) => one.ethnicity ?? 'unknown'),
    )
  })
  test('marital status, children and the funnel agree', async () => {
    const counts = await totals(database.db, range, filter)
    expect(asRecord(maritalOf(counts))).toEqual(tally(completes(filter), (one) => one.marital_status ?? 'unknown'))
    expect(asRecord(childrenOf(counts))).toEqual(tally(completes(filter), (one) => one.children ?? 'unknown'))
    const outcomes = tally(wanted(filter), (one) => one.outcome)
    const [screened, began] = [wanted(filter).length, (outcomes.completes ?? 0) + (outcomes.partials ?? 0)]
    expect(funnelOf(counts, { loi_minutes: 12.5, left_open: 3 })).toEqual({
      entrants: wanted(filter).length,
      completes_value: outcomes.completes ?? 0,
      terminates_value: outcomes.terminates ?? 0,
      overquota_value: outcomes.overquota ?? 0,
      partials_value: outcomes.partials ?? 0,
      incidence: screened ? percentOf(screened - (outcomes.terminates ?? 0), screened) : null,
      drop_off: began ? percentOf(outcomes.partials ?? 0, began) : null,
      loi_minutes: 12.5,
      left_open: 3,
    })
  })
  test('places and days agree', async () => {
    const points = await places(database, range, filter)
    const located = completes(filter).filter((one) => one.latitude !== null && one.latitude !== undefined)
    expect(Object.fromEntries(points.map((point) => [`${point.latitude},${point.longitude}`, point.count]))).toEqual(
      tally(located, (one) => `${Math.round(one.latitude! * 10) / 10 + 0},${Math.round(one.longitude! * 10) / 10 + 0}`),
    )
    const days = await trend(database.db, range, filter, figureDates.today)
    expect(Object.fromEntries(days.filter((day) => day.delivered).map((day) => [day.date, day.delivered]))).toEqual(
      tally(completes(filter), (one) =>
        new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(one.at)),
      ),
    )
    expect(days.at(-1)!.cumulative ?? days.findLast((day) => day.cumulative !== null)!.cumulative).toBe(completes(filter).length)
  })
  test('answers by question agree', async () => {
    const answerTexts = completes(filter).flatMap((one) =>
      Object.entries(one.answers ?? {}).flatMap(([question, answer]) => [answer].flat().map((value) => `${question}: ${value}`)),
    )
    const { engine, db } = database
    const bases = await basesOf(db, range.surveys, filter)
    const charts = await chartsOf(db, range.surveys)
    const found = await responsesOf({ engine, db }, charts, bases, { filter, mask: false })
    const rows = found.flatMap((question) =>
      question.rows.filter((row) => row.value).map((row) => [`${question.question_id}: ${row.label}`, row.value]),
    )
    expect(Object.fromEntries(rows)).toEqual(tally(answerTexts, (one) => one))
  })
})

test('more places than a map holds are merged, and nobody is left out', async () => {
  const { project, survey } = await makeSurvey(database)
  const people = Array.from({ length: 4000 }, (_, at) => ({
    respondent_id: `far-${at}`,
    outcome: 'completes' as const,
    at: '2026-03-02T12:00:00Z',
    latitude: 30 + (at % 80) / 10,
    longitude: -100 + Math.floor(at / 80) / 10,
  }))
  await transact(database, (tx) => ingest(database, tx, { id: survey, project_id: project.id }, people))
  const points = await places(database, { project, children: [], survey_id: survey, surveys: [survey] }, {})
  // 16 by 10 half degrees cover the 80 by 50 tenths.
  expect(points).toHaveLength(160)
  expect(points.reduce((sum, point) => sum + point.count, 0)).toBe(4000)
})

test('the respondents’ completes equal the project’s delivered', async () => {
  const { delivered } = await database.db
    .selectFrom('projects')
    .select('delivered')
    .where('id', '=', range.project.id)
    .executeTakeFirstOrThrow()
  expect(delivered).toBe(completes({}).length)
})

test('a repeated batch changes nothing', async () => {
  const before = await totals(database.db, range, {})
  const answer = await transact(database, (tx) =>
    ingest(database, tx, { id: range.survey_id!, project_id: range.project.id }, sent.slice(0, 500)),
  )
  expect(answer).toEqual({ added: 0, repeated: 500, withdrawn: 0, withdrawnIds: new Set(), placed: null, errors: [] })
  expect(await totals(database.db, range, {})).toEqual(before)
})

test('parallel batches with the same respondents count each once', async () => {
  const { project, survey, questions } = await makeSurvey(database)
  const people = makeRespondents(900, 11, questions)
  const batches = [people.slice(0, 600), people.slice(300), [...people].reverse(), people.slice(200, 700)]
  const answers = await Promise.all(
    batches.map((batch) => transact(database, (tx) => ingest(database, tx, { id: survey, project_id: project.id }, batch))),
  )
  expect(answers.reduce((sum, answer) => sum + answer.added, 0)).toBe(900)
  const counts = await totals(database.db, { project, children: [], survey_id: survey, surveys: [survey] }, {})
  expect(counts.completes + counts.terminates + counts.overquota + counts.partials).toBe(900)
})

test('a batch that is rolled back leaves no trace', async () => {
  const { project, survey, questions } = await makeSurvey(database)
  const work = transact(database, async (tx) => {
    await ingest(database, tx, { id: survey, project_id: project.id }, makeRespondents(50, 3, questions))
    throw new Error('the power went')
  })
  await expect(work).rejects.toThrow('the power went')
  expect((await totals(database.db, { project, children: [], survey_id: survey, surveys: [survey] }, {})).completes).toBe(0)
})

test('a cell holds its demographics without loss', () => {
  for (const word of DWELL_INDEX.values()) {
    const who = { age: 7, gender: 3, hhi: 7, ethnicity: 6, dwell: word, notice: 2 }
    expect(unpackCell(packCell(who))).toEqual(who)
  }
})
