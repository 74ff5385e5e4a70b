import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { nameKey } from '../../../contract/fold.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Difference } from '../../../contract/question.ts'
import { ANSWER_TYPES, type AnswerType, QUESTION_TYPES } from '../../../contract/questionRules.ts'
import type { Services } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import type { Db } from '../../db/connect.ts'
import { modulesIn } from '../../db/modulesIn.ts'
import type { QuestionTable } from '../../db/schema.ts'
import { optionsOf } from './questionList.ts'
import type { QuestionSource, SurveyVendor, VendorSurvey } from './vendor.ts'

type Stored = Selectable<QuestionTable>
type Wanted = QuestionSource['questions'][number]

/** Every vendor; to add one, add a file. */
const vendors = (await modulesIn(new URL('./vendors/', import.meta.url))).map(
  ([, module]) => Object.values(module).find((one) => typeof (one as SurveyVendor).questions === 'function') as SurveyVendor,
)

/** Reads a survey's questions from its vendor, else from its data map; throws 422 without either. */
export async function sourceOf(
  services: Pick<Services, 'files' | 'readers'>,
  db: Db,
  survey: VendorSurvey & { survey_vendor: string },
): Promise<QuestionSource> {
  const name = survey.survey_vendor.trim().toLowerCase()
  for (const vendor of vendors.filter((one) => one.name === name || one.name === '')) {
    const source = await vendor.questions({ db, files: services.files, readers: services.readers }, survey)
    if (source) return source
  }
  throw new HttpError(422, 'no_source', MESSAGES.noQuestionSource, { fields: { source_file_id: MESSAGES.noQuestionSource } })
}

/** The changes that a refresh makes to a survey's questions. */
export interface Plan {
  survey_id: number
  source: string
  digest: string
  differences: Difference[]
  /** New questions with their positions, and changes of existing ones. */
  added: { wanted: Wanted; position: number }[]
  changed: { was: Stored; wanted: Wanted }[]
  gone: Stored[]
  places: { id: number; position: number }[]
}

/** Compares a survey's questions with its source: by vendor key, else by text. Writes nothing. */
export async function compare(
  { name: source, questions }: QuestionSource,
  db: Db,
  survey: Pick<VendorSurvey, 'id'>,
): Promise<Plan> {
  const stored = await db
    .selectFrom('questions')
    .selectAll()
    .where('survey_id', '=', survey.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const matched = match(stored, questions)
  const taken = new Set([...matched.values()].map(({ id }) => id))
  const moved = movedOf(questions.flatMap((wanted) => matched.get(wanted) ?? []))
  const plan: Omit<Plan, 'digest'> = {
    survey_id: survey.id,
    source,
    differences: [],
    added: [],
    changed: [],
    gone: [],
    places: [],
  }
  let position = 0
  for (const wanted of questions) {
    const isPlaced = wanted.question_type === 'survey'
    if (isPlaced) position++
    const was = matched.get(wanted)
    if (!was) {
      plan.added.push({ wanted, position: isPlaced ? position : 0 })
      plan.differences.push({ kind: 'added', id: null, name: wanted.name, changes: [addedAs(wanted)] })
      continue
    }
    const changes = changesOf(was, wanted)
    if (changes.length) plan.changed.push({ was, wanted })
    if (moved.has(was.id)) changes.push(`order: ${was.position} → ${position}`)
    if (changes.length) plan.differences.push({ kind: 'changed', id: was.id, name: was.name, changes })
    plan.places.push({ id: was.id, position: isPlaced ? position : 0 })
  }
  for (const was of stored) {
    if (taken.has(was.id) || was.retired_at !== null) continue
    // Questions added here by hand have no key; they stay after the source's.
    if (was.vendor_key === '') {
      if (was.question_type === 'survey') plan.places.push({ id: was.id, position: ++position })
      continue
    }
    plan.gone.push(was)
    plan.differences.push({ kind: 'gone', id: was.id, name: was.name, changes: [] })
  }
  const now = new Map(stored.map((question) => [question.id, question]))
  plan.places = plan.places.filter(({ id, position: place }) => now.get(id)!.position !== place)
  const content = JSON.stringify([
    plan.differences,
    plan.places,
    questions,
    stored.map(({ id, lock_version }) => [id, lock_version]),
  ])
  return { ...plan, digest: createHash('sha256').update(content).digest('hex').slice(0, 32) }
}

function match(stored: readonly Stored[], questions: readonly Wanted[]): Map<Wanted, Stored> {
  const matched = new Map<Wanted, Stored>()
  const left = new Set(stored)
  const pair = (same: (was: Stored, wanted: Wanted) => boolean) => {
    for (const wanted of questions) {
      if (matched.has(wanted)) continue
      const was = [...left].find((one) => same(one, wanted))
      if (!was) continue
      matched.set(wanted, was)
      left.delete(was)
    }
  }
  pair((was, wanted) => wanted.vendor_key !== '' && was.vendor_key === wanted.vendor_key)
  pair(
    (was, wanted) =>
      was.retired_at === null &&
      was.question_type === wanted.question_type &&
      (was.vendor_key === '' || wanted.vendor_key === '') &&
      nameKey(was.name) === nameKey(wanted.name),
  )
  return matched
}

/** The questions that moved: all outside the longest subsequence that keeps its order. */
function movedOf(inOrder: readonly Stored[]): Set<number> {
  const placed = inOrder.filter(({ question_type, retired_at }) => question_type === 'survey' && retired_at === null)
  const best: { length: number; before: number }[] = []
  let last = -1
  for (const [at, { position }] of placed.entries()) {
    let before = -1
    for (let to = 0; to < at; to++)
      if (placed[to]!.position <= position && (before < 0 || best[to]!.length > best[before]!.length)) before = to
    best.push({ length: (before < 0 ? 0 : best[before]!.length) + 1, before })
    if (last < 0 || best[at]!.length > best[last]!.length) last = at
  }
  const moved = new Set(placed.map(({ id }) => id))
  for (let at = last; at >= 0; at = best[at]!.before) moved.delete(placed[at]!.id)
  return moved
}

const typeLabel = (type: AnswerType): string => ANSWER_TYPES.find(({ value }) => value === type)!.label
const kindLabel = (type: string): string => QUESTION_TYPES.find(({ value }) => value === type)!.label
const answers = (count: number): string => `${count} ${count === 1 ? 'answer' : 'answers'}`
const addedAs = ({ answer_type, options }: Wanted): string =>
  options.length ? `${typeLabel(answer_type)}, ${answers(options.length)}` : typeLabel(answer_type)

function changesOf(was: Stored, wanted: Wanted): string[] {
  const changes: string[] = []
  const options = optionsOf(was.options)
  if (was.retired_at !== null) changes.push('in use again')
  if (was.name !== wanted.name) changes.push(`text: “${wanted.name}”`)
  if (was.question_type !== wanted.question_type)
    changes.push(`type: ${kindLabel(was.question_type)} → ${kindLabel(wanted.question_type)}`)
  if (was.answer_type !== wanted.answer_type)
    changes.push(`answer type: ${typeLabel(was.answer_type)} → ${typeLabel(wanted.answer_type)}`)
  if (JSON.stringify(options) !== JSON.stringify(wanted.options)) {
    const fresh = wanted.options.filter((option) => !options.includes(option))
    const lost = options.filter((option) => !wanted.options.includes(option))
    const words = [fresh.length && `${fresh.length} new`, lost.length && `${lost.length} gone`].filter(Boolean).join(', ')
    changes.push(`answers: ${words || 'another order'}`)
  }
  if (wanted.vendor_key && was.vendor_key !== wanted.vendor_key) changes.push(`key: ${wanted.vendor_key}`)
  return changes
}
