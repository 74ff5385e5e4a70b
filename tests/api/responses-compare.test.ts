import { beforeAll, expect, test } from 'vitest'
import { ETHNICITIES, GENDERS } from '../../contract/vocabulary.ts'
import { transact } from '../../server/db/connect.ts'
import { ingest, type RespondentInput } from '../../server/domain/runtime/intake.ts'
import { differenceText, pointsAgainst } from '../../src/panes/project/responses/answerShares.ts'
import { type Chart, lineUp, type Question, questionsOf } from '../../src/panes/project/responses/chart.ts'
import { makeRespondents } from '../support/respondents.ts'
import { type Random, randomOf } from '../torture/random.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh } from './surveyed.ts'

/*
 * The server's responses for each column of Compare go through the screen's own functions.
 * The results are compared with a simple count of the respondents that were sent.
 */

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

type Person = RespondentInput & { answers: Record<string, string | string[]> }
/** A column of Compare: a project, its survey, and the respondents sent to it or to its children. */
interface Column {
  survey: number
  name: string
  people: { person: Person; said: ReadonlyMap<string, readonly string[]> }[]
}
/** TABLE  questions by name, with their types and answers. */
const ASKED = {
  snack: ['Which snack?', 'single', ['Chips', 'Nuts', 'Fruit']],
  reasons: ['Which reasons?', 'multiple', ['Price', 'Taste', 'Brand']],
  week: ['How many a week?', 'number', []],
  why: ['Why?', 'open', []],
  again: ['Would you buy again?', 'single', ['Yes', 'No']],
} as const
type Name = keyof typeof ASKED

/** A respondent's answer to a question, in the project's own wording. */
function saidTo(name: Name, random: Random, bias: number): string[] {
  if (random.chance(0.1)) return []
  if (name === 'week') return [String(random.int(0, 20 + bias))]
  if (name === 'why') return [`Because of ${random.int(1, 6 + bias)}`]
  const options: readonly string[] = ASKED[name][2]
  if (name === 'reasons') return options.filter(() => random.chance(0.3 + bias / 20))
  return [random.chance(0.2 + bias / 20) ? options[0]! : random.pick([...options, 'Something else'])]
}

async function columnOf(
  names: readonly Name[],
  seed: number,
  more: { titles?: Partial<Record<Name, string>>; child?: true } = {},
) {
  const parent = await fresh(app, { name: `Column ${seed}` })
  const surveys = [{ survey: parent.survey.id, project: parent.project.id }]
  if (more.child) {
    const { project, survey } = await fresh(app, { parent_id: parent.project.id })
    surveys.push({ survey: survey.id, project: project.id })
  }
  const random = randomOf(seed)
  const column: Column = { survey: parent.survey.id, name: parent.project.name, people: [] }
  for (const [nth, { survey, project }] of surveys.entries()) {
    const ids: [Name, number][] = []
    for (const [at, name] of names.entries()) {
      const [title, answer_type, options] = ASKED[name]
      const row = { survey_id: survey, name: more.titles?.[name] ?? title, position: at + 1, answer_type }
      ids.push([name, (await app.make.question({ ...row, options: JSON.stringify(options) })).id])
    }
    const rows = makeRespondents(700, seed + 100 * nth, []).map((person): Person => {
      const answersOf = new Map(ids.map(([name, id]) => [name, { id, texts: saidTo(name, random, seed % 7) }]))
      const answers: Person['answers'] = {}
      for (const [name, { id, texts }] of answersOf) if (texts.length) answers[id] = name === 'reasons' ? texts : texts[0]!
      if (person.outcome === 'completes')
        column.people.push({
          person: { ...person, answers },
          said: new Map([...answersOf].map(([name, { texts }]) => [name, texts])),
        })
      return { ...person, answers }
    })
    await transact(app.services.database, (tx) =>
      ingest(app.services.database, tx, { id: survey, project_id: project }, rows, { trusted: true }),
    )
  }
  return column
}

/** TABLE  a respondent's value in each filter, as in its link. */
const VALUES: Readonly<Record<string, readonly [all: readonly string[], of: (one: Person) => string]>> = {
  ageRange: [['1', '2', '3', '4', '5', '6', '7', 'unknown'], ({ age }) => String(age ?? 'unknown')],
  gender: [[...GENDERS.map(({ value }) => value), 'unknown'], ({ gender }) => gender ?? 'unknown'],
  hhi: [['0', '1', '2', '3', '4', '5', '6', 'unknown'], ({ hhi }) => String(hhi ?? 'unknown')],
  ethnicity: [[...ETHNICITIES.map(({ value }) => value), 'unknown'], ({ ethnicity }) => ethnicity ?? 'unknown'],
  notice: [['yes', 'no', 'unknown'], ({ notice }) => (notice == null ? 'unknown' : notice ? 'yes' : 'no')],
}
/** A filter of one to three demographics with some values each. */
function filterOf(random: Random): Record<string, string[]> {
  const filter: Record<string, string[]> = {}
  for (let more = random.int(1, 3); more > 0; more--) {
    const [name, [all]] = random.pick(Object.entries(VALUES))
    const some = all.filter(() => random.chance(0.6))
    if (some.length) filter[name] = some
  }
  return filter
}

/** A column under a filter: its questions in order, and their charts. */
async function shown({ survey }: Column, filter: object): Promise<{ questions: Question[]; charts: Map<string, Chart> }> {
  const asked = { surveyId: survey, scope: 'project' as const, ...filter }
  const questions = questionsOf((await app.as('admin').call('runtime.questions', asked)).body.data)
  const { data } = (
    await app.as('admin').call('runtime.userResponses', { ...asked, questions: questions.map((one) => one.question_id) })
  ).body
  return { questions, charts: new Map(questions.map((one, at) => [one.same, data[at]!])) }
}

/** A simple count: each answer's completes, and the number of respondents who answered. */
function counted({ people }: Column, name: Name, filter: Record<string, string[]>) {
  const given = people
    .filter(({ person }) => Object.entries(filter).every(([key, values]) => values.includes(VALUES[key]![1](person))))
    .map(({ said: answersOf }) => answersOf.get(name)!)
    .filter(({ length }) => length)
  const values = new Map<string, number>(ASKED[name][2].map((label) => [label, 0]))
  for (const texts of given) for (const text of texts) values.set(text, (values.get(text) ?? 0) + 1)
  return { answered: given.length, values, texts: given.flat() }
}

const mean = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Number(text), 0) / texts.length
function median(texts: readonly string[]): number {
  const sorted = texts.map(Number).sort((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2
}
const nameOf = ({ title }: Pick<Question, 'title'>): Name =>
  (Object.keys(ASKED) as Name[]).find((name) => ASKED[name][0].toLowerCase() === title.toLowerCase().replace(/\s+/g, ' ').trim())!

test('every answer and number in Compare is a recount of both sides, under any filter', async () => {
  const first = await columnOf(['snack', 'reasons', 'week', 'why'], 31)
  // Other columns: one with another order and wording, one question less and one more; and a family.
  const others = [
    await columnOf(['week', 'again', 'snack', 'reasons'], 32, { titles: { snack: ' which  SNACK?' } }),
    await columnOf(['snack', 'reasons', 'week', 'why'], 33, { child: true }),
  ]
  const random = randomOf(12)
  let differing = 0
  for (let round = 0; round < 8; round++) {
    const filter = round ? filterOf(random) : {}
    const base = await shown(first, filter)
    for (const column of others) {
      const own = await shown(column, filter)
      const lines = lineUp(own.questions, base.questions)
      expect(lines.map(({ question, gap }) => `${nameOf(question)}${gap ? ' lacks' : ''}`)).toEqual(
        column === others[0] ? ['snack', 'reasons', 'week', 'why lacks', 'again'] : ['snack', 'reasons', 'week', 'why'],
      )
      for (const { question, gap } of lines) {
        const theirs = base.charts.get(question.same)
        if (gap || !theirs) continue
        const chart = own.charts.get(question.same)!
        const name = nameOf(question)
        const label = `${name} under ${JSON.stringify(filter)}`
        const [mine, other] = [counted(column, name, filter), counted(first, name, filter)]
        expect([chart.answered, theirs.answered], label).toEqual([mine.answered, other.answered])
        if (name === 'week') {
          if (!mine.answered || !other.answered) continue
          for (const [figure, of] of [
            ['mean', mean],
            ['median', median],
          ] as const)
            expect(differenceText(chart.figures![figure], theirs.figures![figure], 'the first'), label).toEqual(
              differenceText(of(mine.texts), of(other.texts), 'the first'),
            )
          continue
        }
        const points = [...mine.values].map(([answer, count]) => {
          const beside = other.values.get(answer)
          const none = beside === undefined || !mine.answered || !other.answered
          return [answer, none ? null : Math.round(1000 * (count / mine.answered - beside / other.answered)) / 10 || 0]
        })
        const answersOf = pointsAgainst(chart, theirs)
        expect(Object.fromEntries(answersOf), label).toEqual(Object.fromEntries(points))
        differing += [...answersOf.values()].filter(Boolean).length
      }
    }
  }
  expect(differing).toBeGreaterThan(50)
}, 60_000)
