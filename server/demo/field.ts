import { addDays } from '../../contract/pacing.ts'
import type { Outcome } from '../../contract/vocabulary.ts'
import type { RespondentInput } from '../domain/runtime/intake.ts'
import { type Calendar, fieldClock } from './calendar.ts'
import { crowdOf, draw, GENDER, type Person, sums } from './demography.ts'
import { mapOf } from './map.ts'
import { lengthened, mixed } from './moreQuestions.ts'
import { fieldDays, type ProjectPlan, type SurveyPlan } from './plan.ts'
import { BANK_SIZE, type DemoQuestion, filler, questionsOf } from './questions.ts'
import { type Random, randomOf, shareOut } from './random.ts'
import { sentence } from './sentences.ts'
import { type Audience, belongs } from './targets.ts'

/** Respondents of one survey that are stored together. */
export interface Piece {
  survey: SurveyPlan
  nth: number
  /** The number of its first respondent in the survey. */
  from: number
  sessions: number
  completes: number
}

const PIECE = 10_000
/** Outcomes other than completes. */
const LOST: readonly Outcome[] = ['terminates', 'overquota', 'partials']
const LOST_SHARES = sums([45, 10, 15])

/** Splits a survey's respondents into pieces, so that memory doesn't grow with the survey. */
export function piecesOf(survey: SurveyPlan): Piece[] {
  const count = Math.ceil(survey.sessions / PIECE)
  const sizes = shareOut(survey.sessions, Array<number>(count).fill(1))
  const completes = shareOut(survey.completes, sizes)
  let from = 1
  return sizes.map((sessions, nth) => {
    const piece = { survey, nth, from, sessions, completes: completes[nth]! }
    from += sessions
    return piece
  })
}

/** A survey's questions as drawn before there were other answer types; later draws depend on this sequence. */
const drawnQuestions = (seed: string, plan: ProjectPlan, survey: SurveyPlan, brand: string): DemoQuestion[] =>
  questionsOf(randomOf(seed, 'questions', survey.id), survey.drawn, brand, plan.product)

/** A planned survey's questions: most are single choice, some of other types, and the last one is open. */
export function surveyQuestions(seed: string, plan: ProjectPlan, survey: SurveyPlan, brand: string): DemoQuestion[] {
  const fill = filler(brand, plan.product)
  const random = randomOf(seed, 'more questions', survey.id)
  const questions = mixed(random, drawnQuestions(seed, plan, survey, brand), fill)
  if (survey.questions === survey.drawn) return questions
  const bank = questionsOf(random, BANK_SIZE, brand, plan.product)
  return lengthened(random, questions, survey.questions, bank, fill)
}

interface AskedQuestion {
  id: string
  options: readonly string[]
  /** The share of respondents who are asked the question. */
  share: number
  /** Running sums by age × gender. */
  by: Float64Array[]
}

function answering(random: Random, survey: SurveyPlan, questions: readonly DemoQuestion[]): AskedQuestion[] {
  return questions.map((question, at) => {
    const base = question.options.map((_, nth) => Math.exp(-nth * 0.25 + 0.55 * random.normal()))
    const slope = question.options.map(() => 0.11 * random.normal())
    const tilt = question.options.map(() => 0.18 * random.normal())
    const by = Array.from({ length: 24 }, (_, who) => {
      const age = Math.floor(who / 3)
      const gender = who % 3
      return sums(
        base.map(
          (weight, nth) =>
            weight * Math.exp(slope[nth]! * (age - 4.5) + (gender === 0 ? tilt[nth]! : gender === 1 ? -tilt[nth]! : 0)),
        ),
      )
    })
    return { id: String(survey.firstQuestion + at), options: question.options, share: at < 4 ? 1 : 0.6 + 0.4 * random.next(), by }
  })
}

/** A piece's respondents as importers send them; deterministic for a seed. */
export function respondentsOf(
  seed: string,
  plan: ProjectPlan,
  piece: Piece,
  audience: Audience,
  brand: string,
  calendar: Calendar,
): RespondentInput[] {
  const { survey } = piece
  const nature = randomOf(seed, 'survey', survey.id)
  const crowd = crowdOf(nature, audience)
  const everyone = crowdOf(nature, { ages: [], genders: [] })
  const locate = mapOf(audience.markets)
  const drawn = drawnQuestions(seed, plan, survey, brand)
  const questions = answering(nature, survey, drawn)
  const allQuestions = surveyQuestions(seed, plan, survey, brand)
  const others = allQuestions.flatMap((question, at) =>
    question === drawn[at] || question.name === drawn[at]?.name ? [] : [otherOf(seed, survey, question, at)],
  )
  const noticed = nature.chance(0.35) ? 0.25 + 0.45 * nature.next() : null
  const paused = plan.status === 'paused' ? addDays(calendar.today, -1) : calendar.today
  const clock = fieldClock(calendar, plan.start, fieldDays(plan), paused < plan.start ? calendar.today : paused)
  const random = randomOf(seed, 'respondents', survey.id, piece.nth)
  const more = randomOf(seed, 'more answers', survey.id, piece.nth)
  const rows: RespondentInput[] = []
  let open = piece.completes
  for (let nth = 0; nth < piece.sessions; nth++) {
    const complete = random.next() * (piece.sessions - nth) < open
    if (complete) open--
    const outcome = complete ? 'completes' : LOST[draw(random, LOST_SHARES)]!
    let person: Person = outcome === 'terminates' ? everyone(random) : crowd(random)
    for (let again = 0; complete && again < 40 && !belongs(audience, person); again++) person = crowd(random)
    const at = clock(random)
    const row: RespondentInput = {
      respondent_id: `R${survey.id}-${String(piece.from + nth).padStart(6, '0')}`,
      outcome,
      at: new Date(at).toISOString(),
      ...person,
      // Terminated respondents leave before they give their location.
      ...(complete ? locate(random) : null),
      dwell: audience.group !== null && complete ? Math.round(Math.min(240, random.logNormal(13, 42)) * 10) / 10 : null,
      notice: noticed !== null && complete ? random.chance(noticed) : null,
      answers: complete ? answersOf(random, questions, person) : null,
      email_hash: complete ? hex(random) + hex(random) : null,
      ip: complete ? addressOf(random) : null,
      fraud: complete && random.chance(0.008),
    }
    if (complete) Object.assign(row, { answers: replaced(more, row.answers, others, person), started_at: startedAt(more, at) })
    else if (outcome === 'partials') row.answers = firstAnswers(more, questions, others)
    rows.push(row)
  }
  return rows
}

/** Nine in ten have a start time, half of them within twelve minutes of the end. */
function startedAt(random: Random, at: number): string | null {
  const minutes = random.logNormal(12, 26)
  return random.chance(0.9) ? new Date(at - Math.round(minutes * 60_000)).toISOString() : null
}

/** A question of another type or from the longer bank, which replaces a drawn one or is appended. */
interface Other {
  id: string
  question: DemoQuestion
  /** The probability of each answer; for multiple choice each is independent. */
  weights: number[]
  /** The center of a number question's answers. */
  middle: number
}
type Answers = NonNullable<RespondentInput['answers']>

function otherOf(seed: string, survey: SurveyPlan, question: DemoQuestion, at: number): Other {
  const random = randomOf(seed, 'other question', survey.id, at)
  const weights = question.options.map((_, nth) => Math.exp(-nth * 0.3 + 0.4 * random.normal()))
  const middle = /dollars|household/.test(question.name) ? 3 : /minutes/.test(question.name) ? 14 : 5
  return { id: String(survey.firstQuestion + at), question, weights, middle }
}

function replaced(random: Random, drawn: RespondentInput['answers'], others: readonly Other[], person: Person): Answers {
  const answers: Record<string, string | readonly (string | number)[] | number> = { ...drawn }
  for (const other of others) {
    const redrawn = otherAnswer(random, other, person)
    if (redrawn === null) delete answers[other.id]
    else answers[other.id] = redrawn
  }
  return answers
}

function otherAnswer(random: Random, { question, weights, middle }: Other, person: Person): string | string[] | null {
  const { answer, options } = question
  if (answer === 'open') return random.chance(0.35) ? sentence(random) : null
  if (!random.chance(0.94)) return null
  if (answer === 'number') return String(Math.max(1, Math.round(random.logNormal(middle, middle * 2.5) * (1 + person.age / 20))))
  if (answer === 'single') return options[random.weigh(weights)]!
  const some = options.filter((_, at) => random.chance(Math.min(0.8, 0.4 * weights[at]!)))
  return some.length ? some : [options[random.weigh(weights)]!]
}

/** A partial answers the first questions, then stops. */
function firstAnswers(random: Random, questions: readonly AskedQuestion[], others: readonly Other[]): Answers {
  const other = new Set(others.map(({ id }) => id))
  const last = Math.floor(questions.length * random.next() ** 1.5)
  const first = questions.slice(0, last).filter(({ id }) => !other.has(id))
  return Object.fromEntries(first.map(({ id, options }) => [id, random.pick(options)]))
}

function answersOf(random: Random, questions: readonly AskedQuestion[], person: Person): Record<string, string> {
  const answers: Record<string, string> = {}
  const who = person.age * 3 + GENDER.indexOf(person.gender)
  for (const question of questions) {
    if (question.share < 1 && random.next() > question.share) continue
    answers[question.id] = question.options[draw(random, question.by[who]!)]!
  }
  return answers
}

const hex = (random: Random): string =>
  Math.floor(random.next() * 4_294_967_296)
    .toString(16)
    .padStart(8, '0')
/** An address from the shared carrier range (RFC 6598), which identifies nobody. */
export const addressOf = (random: Random): string => `100.${random.int(64, 127)}.${random.int(0, 255)}.${random.int(1, 254)}`
