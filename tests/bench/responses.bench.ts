// User Responses at four sizes, on SQLite and PostgreSQL if it starts:
// `node tests/bench/responses.bench.ts [--rounds 40] [--engine sqlite|postgres] [--most 1000000]`.
// Surveys of 60 questions get 167 completes (10,000 answers), 10,000, 16,700 (a million answers) and a million.
// Columns and counters are written like by intake; respondents are left out, because nothing reads them.
// Ten questions are counted in this process, by its processor time, then read from the real server over HTTP.
// Best, p50 and p95 in ms.
import { parseArgs } from 'node:util'
import { ETHNICITIES, GENDERS, MARITAL } from '../../contract/vocabulary.ts'
import { type Database, transact } from '../../server/db/connect.ts'
import { basesOf, headOf } from '../../server/domain/responses/bases.ts'
import { chartsOf } from '../../server/domain/responses/charts.ts'
import { placeCompletes } from '../../server/domain/responses/columnWrites.ts'
import { responsesOf } from '../../server/domain/responses/responses.ts'
import type { CellFilter } from '../../server/domain/runtime/cells.ts'
import { Tally } from '../../server/domain/runtime/counters.ts'
import { count } from '../../server/domain/runtime/intake.ts'
import { packRespondent, type Respondent } from '../../server/domain/runtime/respondent.ts'
import { makers } from '../support/makers.ts'
import { randomOf } from '../torture/random.ts'
import { onBothEngines, quantile, type Served } from './served.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '' },
    rounds: { type: 'string', default: '40' },
    most: { type: 'string', default: '1000000' },
  },
})
const ROUNDS = Number(values.rounds)
const SIZES = [167, 10_000, 16_700, 1_000_000].filter((size) => size <= Number(values.most))
const BATCH = 20_000
/** The types of ten questions: six single, two multiple, a number, and an open one. */
const TYPES = ['single', 'single', 'multiple', 'single', 'single', 'number', 'multiple', 'single', 'single', 'open'] as const
const OPTIONS = ['Daily', 'A few times a week', 'Weekly', 'Monthly', 'Less often', 'Never']

interface Made {
  completes: number
  survey: number
  questions: number[]
}

async function make(database: Database, completes: number): Promise<Made> {
  const maker = makers({ database, settings: { timeZone: 'America/New_York' } })
  const client = await maker.client()
  const project = await maker.project({ client_id: client.id })
  const { id: survey } = await maker.survey({ project_id: project.id })
  const questions: number[] = []
  for (let at = 0; at < 60; at++) {
    const answer_type = TYPES[at % 10]!
    const options = answer_type === 'single' || answer_type === 'multiple' ? OPTIONS : []
    const row = { survey_id: survey, name: `Question ${at + 1}`, position: at + 1, answer_type, options: JSON.stringify(options) }
    questions.push((await maker.question(row)).id)
  }
  const random = randomOf(completes)
  for (let from = 0; from < completes; from += BATCH) {
    // With a million, the ten requested questions are enough.
    const answered = completes > 100_000 ? questions.slice(0, 10) : questions
    const some = Array.from({ length: Math.min(BATCH, completes - from) }, (_, at) => person(random, from + at, answered))
    await transact(database, async (tx) => {
      const tally = new Tally('America/New_York')
      for (const one of some) tally.add(one)
      await placeCompletes(database, tx, survey, some)
      await count(database, tx, { id: survey, project_id: project.id }, tally)
    })
  }
  return { completes, survey, questions }
}

function person(random: ReturnType<typeof randomOf>, at: number, questions: readonly number[]): Respondent {
  const answers: Record<string, string | string[]> = {}
  for (const [nth, question] of questions.entries()) {
    const type = TYPES[nth % 10]!
    if (type === 'single') answers[question] = OPTIONS[Math.floor(random.next() ** 2 * 6)]!
    else if (type === 'multiple') answers[question] = OPTIONS.filter((_, option) => option === at % 6 || random.chance(0.3))
    else if (type === 'number') answers[question] = String(Math.floor(random.next() * 60))
    else if (random.chance(0.35)) answers[question] = `It was sentence ${Math.floor(random.next() * 900)}`
  }
  return packRespondent({
    respondent_id: `b${at}`,
    outcome: 'completes',
    at: '2026-03-02T12:00:00.000Z',
    age: 1 + Math.floor(random.next() * 7),
    gender: random.pick(GENDERS).value,
    hhi: Math.floor(random.next() * 7),
    ethnicity: random.pick(ETHNICITIES).value,
    marital_status: random.pick(MARITAL).value,
    children: Math.floor(random.next() * 5),
    latitude: 30 + Math.floor(random.next() * 15),
    longitude: -120 + Math.floor(random.next() * 45),
    dwell: null,
    notice: null,
    answers,
  })
}

const MEN_WOMEN = 'gender[]=female&gender[]=male'
/** TABLE  requests to each survey. */
const ASKED: [name: string, path: (made: Made) => string][] = [
  ['questions and base', () => `response_questions?${MEN_WOMEN}`],
  ['ten questions, women and men', ({ questions }) => `user_responses?questions=${questions.slice(0, 10)}&${MEN_WOMEN}`],
  ['ten, by income too', ({ questions }) => `user_responses?questions=${questions.slice(0, 10)}&${MEN_WOMEN}&hhi[]=3&hhi[]=4`],
  [
    'ten, every filter',
    ({ questions }) =>
      `user_responses?questions=${questions.slice(0, 10)}&${MEN_WOMEN}&ageRange[]=2&ageRange[]=3&hhi[]=1&hhi[]=3&ethnicity[]=white&dwellRange[]=unknown&notice[]=unknown`,
  ],
  ['crosstab by a question', ({ questions }) => `crosstab?question=${questions[0]}&by=${questions[2]}&${MEN_WOMEN}`],
  ['crosstab by income', ({ questions }) => `crosstab?question=${questions[0]}&by=income&${MEN_WOMEN}`],
  ['open answers, first page', ({ questions }) => `open_answers?question=${questions[9]}&${MEN_WOMEN}`],
  ['open answers, searched', ({ questions }) => `open_answers?question=${questions[9]}&search=17&${MEN_WOMEN}`],
  ['filtered map', () => `geoaddress?${MEN_WOMEN}&hhi[]=3`],
]

const MEN_AND_WOMEN: CellFilter = { gender: [1, 2] }
/** TABLE  filters of a first paint, as the handlers get them. */
const FILTERS: [name: string, filter: CellFilter][] = [
  ['women and men', MEN_AND_WOMEN],
  ['by income too', { ...MEN_AND_WOMEN, hhi: [3, 4] }],
  ['every filter', { ...MEN_AND_WOMEN, age: [2, 3], hhi: [1, 3], ethnicity: [1], dwell: [0], notice: [0] }],
]

/** A first paint of ten questions, by processor time, which other programs don't affect. */
async function paint({ engine, db }: Database, surveys: readonly Made[]): Promise<void> {
  const lines: Record<string, unknown>[] = []
  for (const [name, filter] of FILTERS) {
    const line: Record<string, unknown> = { engine, 'ten questions': name }
    for (const { survey, questions, completes } of surveys) {
      const wanted = new Set(questions.slice(0, 10))
      const times: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const before = process.cpuUsage()
        const charts = (await chartsOf(db, [survey])).filter(({ head }) => wanted.has(head.question_id))
        const bases = await basesOf(db, [survey], filter)
        JSON.stringify([headOf(bases), await responsesOf({ engine, db }, charts, bases, { filter, mask: false })])
        const { user, system } = process.cpuUsage(before)
        times.push((user + system) / 1000)
      }
      line[completes.toLocaleString('en')] = [0, 0.5, 0.95].map((share) => quantile(times, share)).join(' / ')
    }
    lines.push(line)
  }
  console.table(lines)
}

async function grow(database: Database): Promise<Made[]> {
  const made: Made[] = []
  for (const size of SIZES) {
    const began = performance.now()
    made.push(await make(database, size))
    console.log(
      `${database.engine}: ${size.toLocaleString('en')} completes made in ${Math.round((performance.now() - began) / 1000)} s`,
    )
  }
  await paint(database, made)
  return made
}

async function bench({ engine, get }: Served, surveys: Made[]): Promise<void> {
  const lines: Record<string, unknown>[] = []
  for (const [name, path] of ASKED) {
    const times = surveys.map(() => [] as number[])
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, made] of surveys.entries())
        times[at]!.push(await get(`/v3/portal/surveys/runtime/${made.survey}/${path(made)}`))
    const line: Record<string, unknown> = { engine, call: name }
    for (const [at, { completes }] of surveys.entries())
      line[completes.toLocaleString('en')] = [0, 0.5, 0.95].map((share) => quantile(times[at]!, share)).join(' / ')
    const [small, big] = [surveys.findIndex(({ completes }) => completes === 10_000), surveys.length - 1]
    if (small >= 0)
      line['most : 10,000 (p50)'] = Math.round((10 * quantile(times[big]!, 0.5)) / quantile(times[small]!, 0.5)) / 10
    lines.push(line)
  }
  console.table(lines)
}

await onBothEngines(grow, bench, values.engine, 'demo')
