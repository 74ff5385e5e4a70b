import type { Insertable, Selectable } from 'kysely'
import { type InputOf, pick } from '../../../contract/fieldKinds.ts'
import { type QuestionDraft, questionFaults, questionFields } from '../../../contract/questionFields.ts'
import { type AnswerType, isChosen } from '../../../contract/questionRules.ts'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { columnsIn } from '../../core/fieldColumns.ts'
import { refuseFaults } from '../../core/refuseFaults.ts'
import type { QuestionTable } from '../../db/schema.ts'
import { makeRoom, nextPosition } from './positions.ts'
import { optionsOf } from './questionList.ts'
import { completesByAnswer, confirmRenames, renameAnswers, renamesOf } from './renameAnswers.ts'

type Stored = Selectable<QuestionTable>

/** The answer type of a question that was sent without one, derived from its options. */
export const usualType = (options: readonly string[]): AnswerType => (options.length ? 'single' : 'open')

/** Throws a 422 that names each wrong field. */
function assertSound(draft: QuestionDraft): void {
  refuseFaults(questionFields, questionFaults(draft), draft)
}

/** The row of a new question. */
export const rowOf = (
  ctx: Pick<Ctx, 'now'>,
  survey_id: number,
  draft: QuestionDraft & { position: number },
): Insertable<QuestionTable> => ({
  survey_id,
  name: draft.name.trim(),
  position: draft.question_type === 'survey' ? draft.position : 0,
  question_type: draft.question_type,
  answer_type: draft.answer_type,
  options: JSON.stringify(draft.options),
  vendor_key: draft.vendor_key ?? '',
  created_at: ctx.now,
  updated_at: ctx.now,
})

/** Adds one question to a survey that the caller may edit; returns its id. */
export async function addQuestion(ctx: Ctx, survey: { id: number; project_id: number }, draft: QuestionDraft): Promise<number> {
  assertSound(draft)
  const isPlaced = draft.question_type === 'survey'
  if (!isPlaced && draft.order) ctx.dropped.push('order')
  const position = isPlaced ? (draft.order ?? (await nextPosition(ctx, survey.id))) : 0
  if (isPlaced) await makeRoom(ctx, survey.id, position)
  const { id } = await ctx.tx
    .insertInto('questions')
    .values(rowOf(ctx, survey.id, { ...draft, position }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { name, question_type } = draft
  await ctx.record({
    subject: 'question',
    subject_id: id,
    project_id: survey.project_id,
    after: { name, question_type, position },
  })
  ctx.emit({ noun: 'question', id, project_id: survey.project_id, audience: 'admin' })
  return id
}

type Patch = Partial<Omit<InputOf<typeof questionFields>, 'options'>> & { options?: readonly string[] | undefined }
/** The fields that are stored as they are sent. */
const stored = pick(questionFields, 'name', 'vendor_key')

/** Changes a question; throws 409 for confirmation if the labels of given answers would be renamed. */
export async function changeQuestion(
  ctx: Ctx,
  survey: { id: number; project_id: number },
  was: Stored,
  patch: Patch,
  { lock, rename }: { lock?: number | undefined; rename?: boolean | undefined } = {},
): Promise<void> {
  const before = optionsOf(was.options)
  const answer_type = patch.answer_type ?? was.answer_type
  // An open question drops the options it had as a choice.
  const options = patch.options ?? (isChosen(answer_type) ? before : [])
  const question_type = patch.question_type ?? was.question_type
  const isPlaced = question_type === 'survey'
  // A survey question's own place may be sent back with its new type.
  if (!isPlaced && patch.order && patch.order !== was.position) ctx.dropped.push('order')
  if (before.length && isChosen(was.answer_type) && !isChosen(answer_type)) ctx.cleared.push(questionFields.options.label)
  if (was.position && !isPlaced) ctx.cleared.push(questionFields.order.label)
  const position = await placeOf(ctx, was, { isPlaced, order: patch.order })
  const touched = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  assertSound({
    name: patch.name ?? was.name,
    question_type,
    // Values stored before these rules are validated only when they change.
    ...('options' in touched || 'answer_type' in touched ? { answer_type, options } : { answer_type: 'open', options: [] }),
    ...(patch.order === undefined ? {} : { order: patch.order }),
  })
  const renames = renamesOf(before, options)
  const completesOf = renames.length ? await completesByAnswer({ db: ctx.tx }, was) : new Map<string, number>()
  if (rename === undefined) confirmRenames(renames, completesOf)
  if (isPlaced && position !== was.position) await makeRoom(ctx, survey.id, position, was.id)
  await change(ctx, 'questions', {
    subject: 'question',
    id: was.id,
    patch: {
      ...columnsIn('questions', stored, patch),
      question_type,
      answer_type,
      options: JSON.stringify(options),
      position,
    },
    ...(lock === undefined ? {} : { lock }),
    line: { project_id: survey.project_id },
    change: { noun: 'question', project_id: survey.project_id, audience: 'admin' },
  })
  if (rename) await renameAnswers(ctx, was, renames, completesOf)
}

/** The position of a changed question; 0 if its type has none. */
async function placeOf(ctx: Ctx, was: Stored, { isPlaced, order }: { isPlaced: boolean; order: number | undefined }) {
  if (!isPlaced) return 0
  if (order !== undefined) return order
  return was.question_type === 'survey' ? was.position : nextPosition(ctx, was.survey_id)
}

/** Deletes a question, or retires it if it has answers. */
export async function removeQuestion(
  ctx: Ctx,
  survey: { project_id: number },
  was: Stored,
  { retire }: { retire: boolean },
): Promise<void> {
  if (retire)
    await change(ctx, 'questions', {
      subject: 'question',
      id: was.id,
      patch: { retired_at: ctx.now },
      line: { project_id: survey.project_id },
      change: { noun: 'question', project_id: survey.project_id, audience: 'admin' },
    })
  else {
    await ctx.tx.deleteFrom('questions').where('id', '=', was.id).execute()
    const { name, question_type, position } = was
    await ctx.record({
      subject: 'question',
      subject_id: was.id,
      project_id: survey.project_id,
      before: { name, question_type, position },
    })
    ctx.emit({ noun: 'question', id: was.id, project_id: survey.project_id, audience: 'admin', kind: 'drop' })
  }
}
