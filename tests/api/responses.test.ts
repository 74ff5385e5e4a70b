import { beforeAll, describe, expect, test } from 'vitest'
import type { Output } from '../../contract/calls.ts'
import { CHILDREN, ETHNICITIES, GENDERS, MARITAL } from '../../contract/vocabulary.ts'
import { transact } from '../../server/db/connect.ts'
import { dwellBucket, unpackCell } from '../../server/domain/runtime/cells.ts'
import { ingest, type RespondentInput } from '../../server/domain/runtime/intake.ts'
import { makeRespondents } from '../support/respondents.ts'
import { randomOf } from '../torture/random.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

type Person = RespondentInput & { answers: Record<string, string | string[]> }
interface Made {
  project: number
  survey: number
  /** Ids: single, multiple, number, open. */
  ids: [number, number, number, number]
}
const TEXTS = [
  'Too salty',
  'Muy rico 🌶️',
  'I like it',
  'Call me at (555) 010-0199',
  'Write to ann@mail.test please',
  'ok'.repeat(90),
  `It began ${'long ago '.repeat(400)}`.trim(),
  `It ended ${'long ago '.repeat(400)}`.trim(),
]

async function surveyWith(given: object = {}): Promise<Made> {
  const { project, survey } = await fresh(app, given)
  const ask = async (name: string, position: number, answer_type: 'single' | 'multiple' | 'number' | 'open', options: string[]) =>
    (await app.make.question({ survey_id: survey.id, name, position, answer_type, options: JSON.stringify(options) })).id
  return {
    project: project.id,
    survey: survey.id,
    ids: [
      await ask('Which snack?', 1, 'single', ['Chips', 'Nuts', 'Fruit', 'Total']),
      await ask('Which of these?', 2, 'multiple', ['Chips', 'Nuts', 'Fruit']),
      await ask('How many a week?', 3, 'number', []),
      await ask('Why?', 4, 'open', []),
    ],
  }
}

/** Respondents with every kind of answer; some skip, some answer Total, some send a single answer as a list. */
function people({ ids: [single, several, number, open] }: Made, count: number, seed: number): Person[] {
  const random = randomOf(seed)
  return makeRespondents(count, seed, []).map((one, at): Person => {
    const answers: Record<string, string | string[]> = {}
    if (random.chance(0.9)) answers[single] = random.pick(['Chips', 'Nuts', 'Fruit', 'Something else', 'total'])
    const some = ['Chips', 'Nuts', 'Fruit', 'TOTAL'].filter(() => random.chance(0.4))
    if (some.length) answers[several] = some
    if (random.chance(0.8)) answers[number] = random.chance(0.05) ? 'a few' : String(Math.floor(random.next() * 40))
    if (random.chance(0.4)) answers[open] = random.chance(0.3) ? random.pick(TEXTS) : `Because of ${at % 700}`
    return { ...one, answers }
  })
}

const take = (made: Made, rows: readonly RespondentInput[]) =>
  transact(app.services.database, (tx) =>
    ingest(app.services.database, tx, { id: made.survey, project_id: made.project }, rows, { trusted: true }),
  )

/** The stored rows, which every figure is compared with. */
async function stored(surveys: readonly number[]) {
  const rows = await app.db.selectFrom('respondents').selectAll().where('survey_id', 'in', surveys).execute()
  return rows
    .filter((row) => row.outcome === 'completes')
    .map((row) => ({
      ...unpackCell(row.cell),
      survey: row.survey_id,
      marital: row.marital,
      children: row.children,
      latitude: row.latitude,
      answers: JSON.parse(row.answers || '{}') as Record<string, string | string[]>,
    }))
}
type Stored = Awaited<ReturnType<typeof stored>>[number]
const textsOf = (one: Stored, question: number): string[] =>
  [...new Set([one.answers[question] ?? []].flat())].filter((text) => text.toLowerCase() !== 'total')

const addsUp = (rows: readonly { percent: number }[], label: string) =>
  expect(
    rows.reduce((sum, { percent }) => sum + Math.round(10 * percent), 0),
    label,
  ).toBe(1000)

const FILTERS: [string, Record<string, string[]>, (one: Stored) => boolean][] = [
  ['nothing', {}, () => true],
  ['women and men', { gender: ['female', 'male'] }, ({ gender }) => gender === 1 || gender === 2],
  ['young women', { gender: ['female'], ageRange: ['2', '3'] }, ({ gender, age }) => gender === 1 && (age === 2 || age === 3)],
  ['income', { hhi: ['0', '3', 'unknown'] }, ({ hhi }) => hhi === 0 || hhi === 3 || hhi === 7],
  [
    'ethnicity, minutes and notice',
    { ethnicity: ['white', 'other'], dwellRange: ['10-20', '60+'], notice: ['yes'] },
    (one) =>
      (one.ethnicity === 1 || one.ethnicity === 6) && [dwellBucket(12), dwellBucket(70)].includes(one.dwell) && one.notice === 1,
  ],
  [
    'nobody',
    { ageRange: ['1'], gender: ['other'], notice: ['no'], dwellRange: ['0-5'], hhi: ['6'] },
    (one) => one.age === 1 && one.gender === 3 && one.notice === 2 && one.dwell === 1 && one.hhi === 6,
  ],
]
/** Without a filter, from counters, and from columns. */
const SOME = [FILTERS[0]!, FILTERS[2]!, FILTERS[3]!]
const counted = <T>(list: readonly T[]) => {
  const counts: Record<string, number> = {}
  for (const one of list) counts[String(one)] = (counts[String(one)] ?? 0) + 1
  return counts
}

/** Compares every figure of User Responses under every filter with the respondents. */
async function holds(
  made: Made,
  filters = FILTERS,
  {
    scope = 'survey' as 'survey' | 'project',
    surveys = [made.survey],
    ids = made.ids.map((id) => [id]) as readonly number[][],
  } = {},
) {
  const everybody = await stored(surveys)
  for (const [name, query, passes] of filters) {
    const wanted = everybody.filter(passes)
    const texts = new Map(wanted.map((one) => [one, ids.map((same) => same.flatMap((id) => textsOf(one, id)))]))
    const of = (one: Stored, question: number) => texts.get(one)![question]!
    const asked = { surveyId: made.survey, scope, ...query }
    const { status, body, text } = await admin().call('runtime.userResponses', asked)
    expect(status, text).toBe(200)
    expect(body.base, name).toMatchObject({ completes: everybody.length, base: wanted.length })
    for (const [at, question] of body.data.entries()) {
      const given = wanted.map((one) => of(one, at)).filter((texts) => texts.length)
      const label = `${name}, question ${at + 1}`
      expect([question.answered, question.skipped, question.total], label).toEqual([
        given.length,
        wanted.length - given.length,
        given.flat().length,
      ])
      if (question.answer_type === 'number') numbersHold(question, given.flat(), label)
      else if (question.answer_type === 'open')
        expect(question.rows.length, label).toBe(Math.min(100, new Set(given.flat()).size))
      else
        expect(
          Object.fromEntries(question.rows.filter(({ value }) => value).map((row) => [row.label, row.value])),
          label,
        ).toEqual(counted(given.flat()))
      for (const row of question.rows) {
        const who = wanted.filter((one) => of(one, at).includes(row.label))
        expect(row.gender, label).toEqual({
          female: 0,
          male: 0,
          other: 0,
          unknown: 0,
          ...counted(who.map(({ gender }) => GENDERS[gender - 1]?.value ?? 'unknown')),
        })
        expect(
          Object.values(row.age).reduce((sum, count) => sum + count, 0),
          label,
        ).toBe(who.length)
        const exact = given.length ? (100 * row.value) / given.length : 0
        expect(Math.abs(row.percent - exact), label).toBeLessThan(0.1)
      }
      if (question.answer_type === 'single' && !question.several && given.length) addsUp(question.rows, label)
      if (question.figures) {
        const unread = (100 * question.figures.unreadable) / given.length
        if (!unread) addsUp(question.figures.bins, label)
      }
    }
    const open = await admin().call('runtime.openAnswers', { ...asked, question: ids[3]![0]! })
    const sums = Object.entries(counted(wanted.flatMap((one) => of(one, 3))))
    expect([open.body.count, open.body.data.length], name).toEqual([sums.length, Math.min(50, sums.length)])
    const counts = Object.fromEntries(sums)
    for (const row of open.body.data) expect(counts[row.text], name).toBe(row.count)
    await crosstabHolds(asked, wanted, of, ids)
    const points = (await admin().call('runtime.geoaddress', asked)).body
    expect(points.total, name).toBe(wanted.filter(({ latitude }) => latitude !== null).length)
  }
}

function numbersHold({ figures }: Output<'runtime.userResponses'>['data'][number], given: readonly string[], label: string) {
  const numbers = given
    .map(Number)
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b)
  if (!numbers.length) return expect(figures, label).toBeNull()
  const middle = (numbers[Math.floor((numbers.length - 1) / 2)]! + numbers[Math.floor(numbers.length / 2)]!) / 2
  expect(figures, label).toMatchObject({
    median: middle,
    least: numbers[0],
    most: numbers.at(-1),
    unreadable: given.length - numbers.length,
  })
  expect(figures!.mean, label).toBeCloseTo(numbers.reduce((sum, value) => sum + value, 0) / numbers.length, 9)
  expect(figures!.bins.length, label).toBeLessThanOrEqual(10)
  for (const bin of figures!.bins)
    expect(bin.count, label).toBe(numbers.filter((value) => value >= bin.from && value <= bin.to).length)
}

const NAMED: Record<string, (one: Stored) => string> = {
  age: ({ age }) => String(age || 8),
  gender: ({ gender }) => GENDERS[gender - 1]?.value ?? 'unknown',
  income: ({ hhi }) => (hhi === 7 ? 'unknown' : String(hhi)),
  ethnicity: ({ ethnicity }) => ETHNICITIES[ethnicity - 1]?.value ?? 'unknown',
  marital_status: ({ marital }) => MARITAL[marital]?.value ?? 'unknown',
  children: ({ children }) => (children < 0 ? 'unknown' : String(CHILDREN[children]!.value)),
}

async function crosstabHolds(
  asked: { surveyId: number },
  wanted: readonly Stored[],
  of: (one: Stored, question: number) => string[],
  ids: readonly number[][],
) {
  const pairs: [row: number, by: string, columnsOf: (one: Stored) => string[]][] = [
    ...Object.entries(NAMED).map(([by, named], at): [number, string, (one: Stored) => string[]] => [
      at % 2,
      by,
      (one) => [named(one)],
    ]),
    [0, String(ids[1]![0]), (one) => of(one, 1)],
    [1, String(ids[0]![0]), (one) => of(one, 0)],
  ]
  for (const [row, by, columnsOf] of pairs) {
    const { status, body, text } = await admin().call('runtime.crosstab', { ...asked, question: ids[row]![0]!, by })
    expect(status, text).toBe(200)
    const both = wanted.filter((one) => of(one, row).length && columnsOf(one).length)
    expect(body.data.base, by).toBe(both.length)
    expect(Object.fromEntries(body.data.columns.filter(({ base }) => base).map(({ value, base }) => [value, base])), by).toEqual(
      counted(both.flatMap(columnsOf)),
    )
    const cells = counted(
      both.flatMap((one) => of(one, row).flatMap((label) => columnsOf(one).map((value) => JSON.stringify([label, value])))),
    )
    for (const line of body.data.rows)
      for (const [at, cell] of line.cells.entries()) {
        const column = body.data.columns[at]!
        expect(cell.count, `${by}: ${line.label} of ${column.value}`).toBe(cells[JSON.stringify([line.label, column.value])] ?? 0)
      }
  }
}

test('every figure under every filter is a recount of the respondents, however they arrived', async () => {
  const made = await surveyWith()
  const all = people(made, 9000, 11)
  // Batches that end within, at and beyond a piece of a column.
  let from = 0
  for (const size of [1, 1, 400, 1, 6000, 2, 600, 1995]) {
    await take(made, all.slice(from, from + size))
    from += size
  }
  const sizes = await app.db.selectFrom('answer_sizes').selectAll().where('survey_id', '=', made.survey).executeTakeFirstOrThrow()
  const completes = all.filter(({ outcome }) => outcome === 'completes').length
  expect(sizes).toMatchObject({ ordinals: completes, completes })
  await holds(made)
  // Repeated rows count once.
  expect(await take(made, all.slice(2000, 3000))).toMatchObject({ added: 0 })
  await holds(made, SOME)
}, 60_000)

test('corrections and withdrawals rewrite the columns, and drop texts that nobody gives any more', async () => {
  const random = randomOf(7)
  const made = await surveyWith()
  const rows = people(made, 700, 12)
  await take(made, rows)
  const ids = new Set(rows.map((one) => one.respondent_id))
  const others = people(made, 60, 13)
  const today = Math.floor(Date.now() / 86_400_000)
  await app.write((tx) => tx.updateTable('respondents').set({ taken_on: today }).where('survey_id', '=', made.survey).execute())
  for (const { respondent_id: _, ...other } of others) {
    const id = random.pick([...ids])
    const at = { surveyId: made.survey, respondentId: id }
    const withdrawn = random.chance(0.3)
    const answer = withdrawn
      ? await admin().call('runtime.withdraw', at)
      : await admin().call('runtime.correct', { ...at, ...other })
    expect(answer.status, answer.text).toBe(200)
    if (withdrawn) ids.delete(id)
  }
  await holds(made, SOME)
  const given = new Set((await stored([made.survey])).flatMap((one) => textsOf(one, made.ids[3])))
  const storedTexts = await app.db.selectFrom('answer_texts').select('text').where('question_id', '=', made.ids[3]).execute()
  expect(new Set(storedTexts.map(({ text }) => text).filter(Boolean))).toEqual(given)
}, 60_000)

test('the same question of a family’s surveys is one chart', async () => {
  const one = await surveyWith()
  const two = await surveyWith({ parent_id: one.project })
  const own = await app.make.question({ survey_id: two.survey, name: 'Only here?', position: 5, options: '["Yes"]' })
  await take(one, people(one, 400, 16))
  await take(two, people(two, 500, 17))
  const asked = { surveyId: one.survey, scope: 'project' as const }
  const { data } = (await admin().call('runtime.questions', asked)).body
  expect(data.map(({ number, question_ids }) => [number, question_ids])).toEqual([
    ...one.ids.map((id, at) => [at + 1, [id, two.ids[at]]]),
    [5, [own.id]],
  ])
  await app.write((tx) => tx.deleteFrom('questions').where('id', '=', own.id).execute())
  await holds(one, SOME, {
    scope: 'project',
    surveys: [one.survey, two.survey],
    ids: one.ids.map((id, at) => [id, two.ids[at]!]),
  })
  const second = await admin().call('runtime.userResponses', { ...asked, questions: [two.ids[1]] })
  expect(second.body.data.map(({ question_id }) => question_id)).toEqual([one.ids[1]])
  const older = (await admin().call('runtime.userResponsesV1', { id: one.project, questions: [one.ids[0]] })).body.data
  expect(older.count).toBe(1)
  expect(older.user_responses[0]!.survey_ids).toEqual([one.survey, two.survey])
}, 60_000)

test('a project without a survey of its own has crosstabs and open answers over its children’s', async () => {
  const parent = await app.make.project({ client_id: (await app.make.client()).id })
  const one = await surveyWith({ parent_id: parent.id })
  await take(one, people(one, 60, 41))
  const two = await surveyWith({ parent_id: parent.id })
  await take(two, people(two, 40, 42))
  const gender = 'female,male'
  const own = { surveyId: one.survey, scope: 'project', gender } as const
  const family = { id: parent.id, gender }
  const charts = (await admin().call('runtime.userResponsesV1', family)).body.data.user_responses
  const [single, , , open] = charts
  const crossed = (await admin().call('runtime.crosstabV1', { ...family, question: one.ids[0], by: 'gender' })).body.data
  expect([crossed.base, crossed.rows[0]!.count]).toEqual([single!.answered, single!.rows[0]!.value])
  expect(crossed.base).toBeGreaterThan(
    (await admin().call('runtime.crosstab', { ...own, question: one.ids[0], by: 'gender' })).body.data.base,
  )
  const texts = (await admin().call('runtime.openAnswersV1', { ...family, question: one.ids[3] })).body
  expect(texts.answered).toBe(open!.answered)
  const alone = { id: one.project, gender, question: one.ids[3] }
  expect((await admin().call('runtime.openAnswersV1', alone)).body).toEqual(
    (await admin().call('runtime.openAnswers', { ...own, question: one.ids[3] })).body,
  )
  const outside = { ...family, question: one.ids[0], by: 'age' }
  expect((await app.as('stranger').call('runtime.crosstabV1', outside)).status).toBe(401)
})

test('open answers that look alike are one line, as most people write it, with or without a search', async () => {
  const made = await surveyWith()
  const question = made.ids[3]!
  const texts = ['caf\u00e9', 'Caf\u00e9', 'Cafe\u0301', 'Caf\u00e9\u200b', 'New York', 'New\u00a0York', 'New  York', 'Newark']
  const rows = [...texts, 'New York'].map((text, at) => ({
    respondent_id: `alike-${at}`,
    outcome: 'completes',
    answers: { [question]: text },
  }))
  await send(app, made.survey, rows)
  const linesOf = async (search: string) => {
    const { body } = await admin().call('runtime.openAnswers', { surveyId: made.survey, question, search })
    return [body.count, ...body.data.map(({ text, count }) => `${count} ${text.normalize().replace('\u200b', '')}`)]
  }
  const [of, first, second, third] = await linesOf('')
  expect([of, [first, second].map((one) => String(one).toLowerCase()).sort(), third]).toEqual([
    3,
    ['4 caf\u00e9', '4 new york'],
    '1 Newark',
  ])
  expect([first, second]).toContain('4 New York')
  expect(await linesOf('new')).toEqual([2, '4 New York', '1 Newark'])
})

describe('what client users see', () => {
  test('addresses and numbers in open answers are masked, and not found by a search', async () => {
    const made = await surveyWith()
    const texts = [...TEXTS, 'born 1984, paid $12.50']
    await send(
      app,
      made.survey,
      texts.map((text, at) => ({
        respondent_id: `m${at}`,
        outcome: 'completes',
        answers: { [made.ids[3]]: text, [made.ids[0]]: text.slice(0, 200) },
      })),
    )
    const asked = { surveyId: made.survey, question: made.ids[3] }
    const client = app.as('client')
    const shown = (await client.call('runtime.openAnswers', asked)).body
    expect(shown.data.map(({ text }) => text).sort()).toEqual(
      [
        'Too salty',
        'Muy rico 🌶️',
        'I like it',
        'Call me at •••',
        'Write to ••• please',
        ...TEXTS.slice(5),
        'born 1984, paid $12.50',
      ].sort(),
    )
    expect(shown.data.filter(({ masked }) => masked)).toHaveLength(2)
    const charts = JSON.stringify((await client.call('runtime.userResponses', { surveyId: made.survey })).body)
    const table = JSON.stringify(
      (await client.call('runtime.crosstab', { surveyId: made.survey, question: made.ids[0], by: 'age' })).body,
    )
    for (const text of [charts, table, JSON.stringify(shown)]) expect(text).not.toMatch(/ann@mail|010-0199/)
    expect((await client.call('runtime.openAnswers', { ...asked, search: 'ann@' })).body.count).toBe(0)
    expect((await client.call('runtime.openAnswers', { ...asked, search: 'WRITE to' })).body.count).toBe(1)
    expect((await admin().call('runtime.openAnswers', { ...asked, search: 'ann@' })).body.data).toEqual([
      { text: TEXTS[4], count: 1, percent: 11.1, masked: false },
    ])
  })

  test('a survey out of scope is a 404, a stranger gets a 401', async () => {
    const other = await surveyWith({ client_id: (await app.make.client()).id })
    const mine = await surveyWith()
    for (const [id, more] of [
      ['runtime.questions', {}],
      ['runtime.userResponses', {}],
      ['runtime.crosstab', { question: other.ids[0], by: 'age' }],
      ['runtime.openAnswers', { question: other.ids[3] }],
    ] as const) {
      expect((await app.as('client').call(id, { surveyId: other.survey, ...more } as never)).status, id).toBe(404)
      expect((await app.as('stranger').call(id, { surveyId: other.survey, ...more } as never)).status, id).toBe(401)
    }
    expect((await app.as('client').call('runtime.questionsV1', { id: other.project })).status).toBe(404)
    // A question of another survey doesn't belong to this one.
    expect((await app.as('client').call('runtime.openAnswers', { surveyId: mine.survey, question: other.ids[3] })).status).toBe(
      404,
    )
    const by = await app
      .as('client')
      .call('runtime.crosstab', { surveyId: mine.survey, question: mine.ids[0], by: String(other.ids[0]) })
    expect([by.status, by.body]).toMatchObject([422, { fields: { by: `by: question ${other.ids[0]} isn’t in this survey` } }])
  })
})

test('an invalid crosstab or filter is refused by name', async () => {
  const { survey, ids } = await surveyWith()
  const crosstab = async (question: number, by: string) =>
    (await admin().call('runtime.crosstab', { surveyId: survey, question, by })).body.fields
  expect(await crosstab(ids[3], 'age')).toEqual({ question: 'question: open answers can’t be crosstabbed' })
  expect(await crosstab(ids[0], String(ids[3]))).toEqual({ by: 'by: open answers can’t be crosstabbed' })
  expect(await crosstab(ids[0], String(ids[0]))).toEqual({ by: 'by must be another question' })
  expect(Object.keys((await crosstab(ids[0], 'shoe size'))!)).toEqual(['by'])
  const asked = await admin().call('runtime.userResponses', { surveyId: survey, questions: ['seven'] as never })
  expect([asked.status, Object.keys(asked.body.fields!)]).toEqual([422, ['questions']])
})

test('the base names the genders that the filter excludes', async () => {
  const made = await surveyWith()
  const one = (gender: string | null, at: number) => ({
    respondent_id: `g${at}`,
    outcome: 'completes',
    gender,
    age: at % 2 ? 2 : 3,
  })
  await send(app, made.survey, ['female', 'male', 'male', 'other', 'other', 'other', null].map(one))
  const { base } = (await admin().call('runtime.questions', { surveyId: made.survey, gender: ['female', 'male'] })).body
  expect(base).toMatchObject({
    completes: 7,
    base: 3,
    other_off: 3,
    unknown_off: 1,
    gender: { female: 1, male: 2, other: 3, unknown: 1 },
  })
  const young = (await admin().call('runtime.questions', { surveyId: made.survey, gender: ['female', 'male'], ageRange: ['2'] }))
    .body.base
  expect(young).toMatchObject({ completes: 7, base: 1, other_off: 2, unknown_off: 0 })
  expect((await admin().call('runtime.questions', { surveyId: made.survey })).body.base).toMatchObject({
    base: 7,
    other_off: 0,
    unknown_off: 0,
  })
})

test('a partial counts at the last question of the questionnaire that it answered', async () => {
  const made = await surveyWith()
  // Its position comes before the others, though it was created last.
  const first = await app.make.question({ survey_id: made.survey, name: 'Screener?', position: 0, options: '["Yes"]' })
  const partial = (id: string, answers: object) => ({ respondent_id: id, outcome: 'partials', answers })
  await send(app, made.survey, [
    partial('a', { [first.id]: 'Yes', [made.ids[0]]: 'Nuts' }),
    partial('b', { [first.id]: 'Yes' }),
    partial('c', { [first.id]: 'Yes' }),
    partial('d', {}),
  ])
  const stops = async () =>
    (
      await app.db.selectFrom('question_stops').selectAll().where('survey_id', '=', made.survey).orderBy('question_id').execute()
    ).map(({ question_id, partials }) => [Number(question_id), Number(partials)])
  expect(await stops()).toEqual([
    [made.ids[0], 1],
    [first.id, 2],
  ])
  await admin().call('runtime.withdraw', { surveyId: made.survey, respondentId: 'a' })
  expect(await stops()).toEqual([[first.id, 2]])
})

test('a respondent’s start is stored, never after its end', async () => {
  const made = await surveyWith()
  const row = { respondent_id: 's1', outcome: 'completes', at: '2026-03-01T12:10:00Z', started_at: '2026-03-01T12:00:00Z' }
  expect((await send(app, made.survey, [row])).body.data).toMatchObject({ added: 1, warnings: [] })
  const storedTexts = await app.db
    .selectFrom('respondents')
    .select(['started_at', 'ordinal'])
    .where('survey_id', '=', made.survey)
    .executeTakeFirstOrThrow()
  expect(storedTexts).toEqual({ started_at: '2026-03-01T12:00:00.000Z', ordinal: 0 })
  const late = await send(app, made.survey, [{ ...row, respondent_id: 's2', started_at: '2026-03-01T12:11:00Z' }])
  expect(late.body.data.errors).toEqual([
    { row: 1, respondent_id: 's2', code: 'invalid', field: 'started_at', message: 'started_at is after the end' },
  ])
})

describe('the export', () => {
  test('starts with filters and bases, then has what the screen shows, with open answers in full', async () => {
    const made = await surveyWith()
    const rows = people(made, 600, 18)
    await take(made, rows)
    const filter = { survey_id: made.survey, gender: ['female', 'male'], hhi: ['3', 'unknown'] }
    const asked = { surveyId: made.survey, gender: ['female', 'male'], hhi: ['3', 'unknown'] }
    const { body } = await admin().call('runtime.userResponses', asked)
    const { text, job } = await exported(app, admin(), 'userResponses', filter)
    expect(job.status, job.error).toBe('done')
    const lines = text.slice(1).trimEnd().split('\r\n')
    const at = lines.findIndex((line) => line.startsWith('No.,Question,'))
    expect(lines.slice(1, at)).toEqual([
      `Base,${body.base.base},of ${body.base.completes} completes`,
      'Gender,"Female, Male"',
      'Income,"$50K to $74,999, Unknown"',
      'Left out,"Gender Other, Unknown: counted in no figure here"',
      'Share,Percent of those who answered the question',
    ])
    const line = (answer: string) =>
      lines.slice(at + 1).find((one) => one.startsWith(`1,Which snack?,Single,`) && one.includes(`,${answer},`))
    const { rows: charted, answered, skipped } = body.data[0]!
    for (const row of charted)
      expect(line(row.label), row.label).toMatch(
        `1,Which snack?,Single,${answered},${skipped},${row.label},${row.value},${row.percent},${row.gender.female},${row.gender.male},0,0,`,
      )
    expect(lines.filter((one) => one.startsWith('1,')).length).toBe(charted.length)
    expect(lines.some((one) => /total,/i.test(one))).toBe(false)
    const open = (await admin().call('runtime.openAnswers', { ...asked, question: made.ids[3] })).body
    expect(lines.filter((one) => one.startsWith('4,Why?,Open,')).length).toBe(open.count)
  })

  test('masks personal data for a client user, and is refused out of scope', async () => {
    const made = await surveyWith()
    await send(app, made.survey, [{ respondent_id: 'e1', outcome: 'completes', answers: { [made.ids[3]]: TEXTS[4] } }])
    const { text } = await exported(app, app.as('client'), 'userResponses', { project_id: made.project })
    expect(text).toContain('Write to ••• please,1,100')
    const other = await surveyWith({ client_id: (await app.make.client()).id })
    const refused = await app.as('client').call('export.start', { source: 'userResponses', filter: { survey_id: other.survey } })
    await app.services.jobs.settled(refused.body.data?.id ?? 0, 10_000).catch(() => {})
    const end =
      refused.status === 200 ? (await app.as('client').call('job.get', { id: refused.body.data.id })).body.data.status : 'refused'
    expect(['failed', 'refused']).toContain(end)
  })
})
