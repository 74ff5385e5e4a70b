import type { Output } from '../../../contract/calls.ts'
import type { Crosstab, QuestionHead, QuestionResponses, ResponseBase } from '../../../contract/responses.ts'
import type { Filters } from '../../../contract/runtime.ts'
import { AGES, GENDERS, INCOMES } from '../../../contract/vocabulary.ts'

/** A question of the fake survey, with the share of completes for each answer in percent. */
export interface FakeQuestion {
  id: number
  title: string
  answer_type: QuestionHead['answer_type']
  question_type?: 'survey' | 'profile' | 'reward'
  /** Answers with weights; in a multiple-choice question each is a share of its own in percent. */
  answers: readonly (readonly [label: string, weight: number])[]
  /** One of this many completes skips it. */
  skippedBy?: number
}
interface Complete {
  gender: string
  age: number
  income: number
  answers: Record<number, readonly string[]>
}
/** The survey behind User Responses. */
export interface FakeSurvey {
  id: number
  /** Its only project. */
  project_id?: number
  name: string
  questions: readonly FakeQuestion[]
  completes: number
  /** Ids of questions whose calls fail. */
  broken: number[]
}

const LIKERT = ['Strongly agree', 'Agree', 'Neither agree nor disagree', 'Disagree', 'Strongly disagree']
const weighted = (labels: readonly string[], weights: readonly number[]) =>
  labels.map((label, at) => [label, weights[at]!] as const)

/** Ten questions of every type; the first options aren't the most frequent ones. */
export const QUESTIONS: readonly FakeQuestion[] = [
  {
    id: 11,
    title: 'How often do you eat savory snacks at home?',
    answer_type: 'single',
    answers: weighted(['Every day', 'Several times a week', 'Once a week', 'Less often', 'Never'], [18, 37, 24, 16, 5]),
    skippedBy: 120,
  },
  {
    id: 12,
    title: 'Which of these brands have you bought in the last four weeks?',
    answer_type: 'multiple',
    answers: weighted(
      ['Alder Crisps', 'Birch & Sons Kettle Cooked Potato Chips', 'Cedar Bites', 'Maple Crunch', 'None of these'],
      [46, 31, 22, 12, 14],
    ),
  },
  {
    id: 13,
    title: 'The new packaging of Birch & Sons makes me want to try it.',
    answer_type: 'single',
    answers: weighted(LIKERT, [22, 34, 26, 12, 6]),
    skippedBy: 60,
  },
  { id: 14, title: 'How much did you spend on snacks last week, in dollars?', answer_type: 'number', answers: [] },
  { id: 15, title: 'What would make you buy this product more often?', answer_type: 'open', answers: [], skippedBy: 4 },
  {
    id: 16,
    title: 'Where do you usually buy snacks?',
    answer_type: 'single',
    answers: weighted(
      ['Supermarket', 'Convenience store', 'Online', 'Gas station', 'Total', 'Vending machine'],
      [52, 18, 14, 9, 0, 7],
    ),
  },
  {
    id: 17,
    title: 'Who do you share snacks with?',
    answer_type: 'multiple',
    answers: weighted(['Partner', 'Children', 'Friends', 'Colleagues', 'Nobody'], [38, 33, 27, 15, 24]),
  },
  {
    id: 18,
    title: 'I would recommend this product to a friend.',
    answer_type: 'single',
    answers: weighted(LIKERT, [19, 38, 28, 10, 5]),
  },
  {
    id: 19,
    title: 'How did you first hear about the product?',
    answer_type: 'single',
    answers: weighted(
      ['In a store', 'From a friend', 'Television', 'Social media', 'Online ad', 'Other'],
      [31, 17, 21, 19, 9, 3],
    ),
  },
  {
    id: 20,
    title: 'Are you the main shopper of your household?',
    answer_type: 'single',
    question_type: 'profile',
    answers: weighted(['Yes', 'No', 'Shared'], [61, 14, 25]),
  },
]
const WISHES = [
  'A lower price',
  'Smaller bags',
  'Less salt',
  'More flavors',
  'Nothing, I like it as it is',
  'A bag that closes again',
]

export const fakeSurvey = (id: number, completes = 1240): FakeSurvey => ({
  id,
  name: 'Snack tracker, wave 3',
  questions: QUESTIONS,
  completes,
  broken: [],
})

/** A repeatable number from 0 to 1 for two indexes. */
const drawn = (one: number, other: number): number => {
  const value = Math.sin(one * 127.1 + other * 311.7) * 43758.5453
  return value - Math.floor(value)
}
const pick = (answers: FakeQuestion['answers'], at: number): string => {
  let left = at * answers.reduce((sum, [, weight]) => sum + weight, 0)
  return (answers.find(([, weight]) => {
    left -= weight
    return left < 0
  }) ?? answers[0]!)[0]
}

let known: { of: FakeSurvey; count: number; completes: Complete[] } | null = null
function completesOf(survey: FakeSurvey): Complete[] {
  if (known?.of === survey && known.count === survey.completes) return known.completes
  const completes = Array.from({ length: survey.completes }, (_, nth): Complete => {
    const answers: Complete['answers'] = {}
    for (const { id, answer_type, answers: offered, skippedBy } of survey.questions) {
      const at = drawn(nth + 1, id)
      if (skippedBy && nth % skippedBy === skippedBy - 1) continue
      if (answer_type === 'number') answers[id] = [String(Math.round((at + drawn(nth, id)) * 20))]
      else if (answer_type === 'open') answers[id] = [WISHES[Math.floor(at * at * WISHES.length)]!]
      else if (answer_type === 'single') answers[id] = [pick(offered, at)]
      else {
        const given = offered.flatMap(([label, weight], place) => (drawn(nth + 1, id * 10 + place) * 100 < weight ? [label] : []))
        answers[id] = given.length ? given : [offered.at(-1)![0]]
      }
    }
    const who = drawn(nth, 3)
    return {
      gender: who < 0.496 ? 'female' : who < 0.974 ? 'male' : 'other',
      age: 2 + Math.floor(drawn(nth, 5) * 6),
      income: Math.floor(drawn(nth, 7) * 7),
      answers,
    }
  })
  known = { of: survey, count: survey.completes, completes }
  return completes
}

const passes =
  ({ ageRange, age, gender, hhi }: Filters, but?: 'gender' | 'age') =>
  (one: Complete) => {
    const ages = ageRange ?? age
    return (
      (but === 'age' || !ages || ages.includes(String(one.age))) &&
      (but === 'gender' || !gender || gender.includes(one.gender)) &&
      (!hhi || hhi.includes(String(one.income)))
    )
  }
const splitOf = (people: readonly Complete[]) => ({
  gender: Object.fromEntries(
    [...GENDERS.map(({ value }) => value as string), 'unknown'].map((value) => [
      value,
      people.filter((one) => one.gender === value).length,
    ]),
  ),
  age: Object.fromEntries(
    [...AGES.map(({ value }) => value as number), 8].map((value) => [
      String(value),
      people.filter((one) => one.age === value).length,
    ]),
  ),
})
const percent = (value: number, base: number) => (base ? Math.round((value / base) * 1000) / 10 : 0)

/** The bases of the filters. */
export function baseOf(survey: FakeSurvey, filters: Filters): ResponseBase {
  const all = completesOf(survey)
  const anyGender = all.filter(passes(filters, 'gender'))
  const off = (gender: string) =>
    filters.gender && !filters.gender.includes(gender) ? anyGender.filter((one) => one.gender === gender).length : 0
  return {
    completes: all.length,
    base: all.filter(passes(filters)).length,
    other_off: off('other'),
    unknown_off: off('unknown'),
    gender: splitOf(anyGender).gender,
    age: splitOf(all.filter(passes(filters, 'age'))).age,
  }
}

const headOf = (survey: FakeSurvey, { id, title, answer_type, question_type = 'survey' }: FakeQuestion): QuestionHead => ({
  question_id: id,
  question_ids: [id],
  survey_id: survey.id,
  survey_ids: [survey.id],
  number:
    question_type === 'survey'
      ? survey.questions.filter((one) => (one.question_type ?? 'survey') === 'survey').findIndex((one) => one.id === id) + 1
      : null,
  title,
  question_type,
  answer_type,
  vendor_key: '',
  retired: false,
})

/** The questions without their answers. */
export const questionHeads = (survey: FakeSurvey): QuestionHead[] => survey.questions.map((one) => headOf(survey, one))

/** A question's figures under filters. */
export function chartOf(survey: FakeSurvey, question: FakeQuestion, filters: Filters): QuestionResponses {
  const { id, answers: offered, answer_type } = question
  const people = completesOf(survey).filter(passes(filters))
  const answered = people.filter((one) => one.answers[id])
  const labels = offered.length ? offered.map(([label]) => label) : [...new Set(answered.flatMap((one) => one.answers[id]!))]
  const rows = labels.map((label) => {
    const gave = answered.filter((one) => one.answers[id]!.includes(label))
    return {
      ...{ label, value: gave.length, percent: percent(gave.length, answered.length), offered: offered.length > 0 },
      ...splitOf(gave),
    }
  })
  const numbers = answer_type === 'number' ? answered.map((one) => Number(one.answers[id]![0])).sort((a, b) => a - b) : []
  return {
    ...headOf(survey, question),
    answered: answered.length,
    skipped: people.length - answered.length,
    total: rows.reduce((sum, { value }) => sum + value, 0),
    several: answer_type === 'multiple',
    rows: offered.length ? rows : rows.sort((a, b) => b.value - a.value).slice(0, 100),
    more: 0,
    ...splitOf(answered),
    figures: numbers.length
      ? {
          mean: numbers.reduce((sum, one) => sum + one, 0) / numbers.length,
          median: numbers[Math.floor(numbers.length / 2)]!,
          least: numbers[0]!,
          most: numbers.at(-1)!,
          bins: Array.from({ length: 10 }, (_, nth) => {
            const inBin = answered.filter((one) => {
              const value = Number(one.answers[id]![0])
              return value >= nth * 4 && (value < (nth + 1) * 4 || nth === 9)
            })
            return {
              ...{ from: nth * 4, to: (nth + 1) * 4, count: inBin.length, percent: percent(inBin.length, answered.length) },
              ...splitOf(inBin),
            }
          }),
          unreadable: 0,
        }
      : null,
  }
}

/** Crosses a question with another or with a demographic. */
export function crosstabOf(survey: FakeSurvey, question: FakeQuestion, by: string, filters: Filters): Crosstab {
  const other = survey.questions.find(({ id }) => String(id) === by)
  const answered = completesOf(survey).filter((one) => passes(filters)(one) && one.answers[question.id])
  const terms: readonly { value: string | number; label: string }[] = other
    ? other.answers.map(([label]) => ({ value: label, label }))
    : by === 'gender'
      ? GENDERS.filter(({ value }) => !filters.gender || filters.gender.includes(value))
      : by === 'income'
        ? INCOMES
        : AGES.filter(({ value }) => value > 1)
  const has = (one: Complete, value: string | number) =>
    other
      ? one.answers[other.id]?.includes(String(value))
      : by === 'gender'
        ? one.gender === value
        : by === 'income'
          ? one.income === value
          : one.age === value
  const columns = terms.map(({ value, label }) => ({ value, label, people: answered.filter((one) => has(one, value)) }))
  return {
    question: headOf(survey, question),
    by_question: other ? headOf(survey, other) : null,
    by,
    by_label: other?.title ?? { gender: 'Gender', income: 'Income' }[by] ?? 'Age',
    base: answered.length,
    columns: columns.map(({ value, label, people }) => ({ value: String(value), label, base: people.length, mean: null })),
    rows: question.answers.map(([label]) => {
      const count = (people: readonly Complete[]) => people.filter((one) => one.answers[question.id]!.includes(label)).length
      return {
        ...{ label, count: count(answered), percent: percent(count(answered), answered.length) },
        cells: columns.map(({ people }) => ({ count: count(people), percent: percent(count(people), people.length) })),
      }
    }),
    more: { rows: 0, columns: 0 },
  }
}

/** A page of the texts of an open question. */
export function openAnswersOf(
  survey: FakeSurvey,
  question: FakeQuestion,
  { search, page, ...filters }: Filters & { search: string; page: number },
): Output<'runtime.openAnswers'> {
  const { rows, answered } = chartOf(survey, question, filters)
  const found = rows.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
  return {
    data: found
      .slice((page - 1) * 50, page * 50)
      .map(({ label, value, percent }) => ({ text: label, count: value, percent, masked: false })),
    count: found.length,
    page,
    answered,
  }
}
