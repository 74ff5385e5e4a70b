import type { QuestionRow } from '../../../contract/question.ts'
import type { QuestionType } from '../../../contract/questionRules.ts'
import { draftsOf, type SheetFault } from '../../../contract/questionSheet.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { nextPosition } from './positions.ts'
import { rowOf } from './questions.ts'

/** Reads rows as questions and collects errors by row; a key that the survey already has is an error too. */
export async function readQuestions(
  ctx: Pick<Ctx, 'db'>,
  survey_id: number,
  rows: readonly QuestionRow[],
  usual: QuestionType = 'survey',
) {
  const { drafts, errors } = draftsOf(
    rows.map((row) => ({ ...row, options: Array.isArray(row.options) ? row.options.map(String) : row.options })),
    usual,
  )
  const stored = await ctx.db
    .selectFrom('questions')
    .select(['id', 'vendor_key'])
    .where('survey_id', '=', survey_id)
    .where('vendor_key', '!=', '')
    .execute()
  const keys = new Map(stored.map(({ id, vendor_key }) => [vendor_key, id]))
  const faults: SheetFault[] = [...errors]
  for (const [at, { vendor_key }] of drafts.entries())
    if (keys.has(vendor_key))
      faults.push({
        row: at + 1,
        field: 'vendor_key',
        code: 'taken',
        message: `Q-${keys.get(vendor_key)} already has the key “${vendor_key}”.`,
      })
  return { drafts, errors: faults.sort((a, b) => a.row - b.row) }
}

/** Appends several questions, all or none; throws a 422 with the errors by row. */
export async function addQuestions(
  ctx: Ctx,
  survey: { id: number; project_id: number },
  rows: readonly QuestionRow[],
  usual: QuestionType = 'survey',
): Promise<number[]> {
  const { drafts, errors } = await readQuestions({ db: ctx.tx }, survey.id, rows, usual)
  const [first] = errors
  if (first)
    throw new HttpError(422, 'invalid', `Row ${first.row}: ${first.message}`, {
      fields: { rows: first.message },
      rows: errors,
    })
  let position = await nextPosition(ctx, survey.id)
  const values = drafts.map((draft) =>
    rowOf(ctx, survey.id, { ...draft, position: draft.question_type === 'survey' ? position++ : 0 }),
  )
  const ids: number[] = []
  for (let at = 0; at < values.length; at += 100) {
    const made = await ctx.tx
      .insertInto('questions')
      .values(values.slice(at, at + 100))
      .returning('id')
      .execute()
    ids.push(...made.map(({ id }) => id))
  }
  await ctx.record({
    subject: 'survey',
    subject_id: survey.id,
    project_id: survey.project_id,
    after: { questions_added: ids.length },
  })
  ctx.emit({ noun: 'question', id: ids[0] ?? survey.id, project_id: survey.project_id, audience: 'admin' })
  return ids
}
