import { change } from '../../core/change.ts'
import type { Ctx, JobKind } from '../../core/context.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { answeredAmong } from './answered.ts'
import { compare, sourceOf } from './compareSource.ts'
import { surveyToWrite, writePositions } from './positions.ts'
import { changeQuestion, removeQuestion, rowOf } from './questions.ts'

/** The input of a refresh job. */
export interface RefreshInput {
  survey_id: number
}

const living = (db: Ctx['db'], id: number) =>
  db.selectFrom('surveys').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()

/** Records when a survey last matched its source. */
const noteRefresh = (ctx: Ctx, survey: { id: number; project_id: number }) =>
  change(ctx, 'surveys', {
    subject: 'survey',
    id: survey.id,
    patch: { refreshed_at: ctx.now },
    line: { project_id: survey.project_id },
    change: { noun: 'survey', project_id: survey.project_id },
  })

/**
 * Compares a survey's questions with their source; the result counts the differences for a review.
 * Changes no questions. Without a difference there is nothing to review, so the refresh is recorded at once.
 */
export const refreshKind: JobKind = {
  again: true,
  async run(job) {
    const { survey_id } = job.input as RefreshInput
    const survey = await living(job.services.database.db, survey_id)
    if (!survey) throw notFound(`Survey ${survey_id}`)
    const { db } = job.services.database
    const plan = await compare(await sourceOf(job.services, db, survey), db, survey)
    job.progress(1, 1)
    if (!plan.differences.length && !plan.places.length) await job.write((ctx) => noteRefresh(ctx as Ctx, survey))
    const count = (kind: string) => plan.differences.filter((one) => one.kind === kind).length
    return {
      survey_id,
      survey_name: survey.name,
      source: plan.source,
      digest: plan.digest,
      added: count('added'),
      changed: count('changed'),
      gone: count('gone'),
    }
  },
}

/** A survey's source, read before the transaction that applies it, so that no write waits for a long file. */
export async function sourceBefore(ctx: Pick<Ctx, 'services' | 'db'>, id: number) {
  const survey = await living(ctx.db, id)
  if (!survey) throw notFound(`Survey ${id}`)
  return { survey, source: await sourceOf(ctx.services, ctx.db, survey) }
}

/** Applies the reviewed comparison; throws 409 `changed` if it would differ by now. */
export async function applyComparison(
  ctx: Ctx,
  { survey: was, source }: Awaited<ReturnType<typeof sourceBefore>>,
  digest: string,
) {
  const survey = await surveyToWrite(ctx, was.id)
  const survey_id = survey.id
  const plan = await compare(source, ctx.tx, survey)
  const isOther = survey.source_file_id !== was.source_file_id || survey.survey_vendor !== was.survey_vendor
  if (isOther || plan.digest !== digest)
    throw new HttpError(409, 'changed', 'The questions or their source have changed in the meantime. Refresh again.')
  const answered = await answeredAmong({ db: ctx.tx }, survey_id, plan.gone)
  for (const was of plan.gone) await removeQuestion(ctx, survey, was, { retire: answered.has(was.id) })
  for (const { was, wanted } of plan.changed) {
    if (was.retired_at !== null)
      await change(ctx, 'questions', {
        subject: 'question',
        id: was.id,
        patch: { retired_at: null },
        line: { project_id: survey.project_id },
      })
    const { name, question_type, answer_type, options } = wanted
    // Given answers stay: a vendor's new label doesn't change what respondents answered.
    await changeQuestion(
      ctx,
      survey,
      was,
      { name, question_type, answer_type, options, vendor_key: wanted.vendor_key || was.vendor_key },
      { rename: false },
    )
  }
  for (let at = 0; at < plan.added.length; at += 50)
    await ctx.tx
      .insertInto('questions')
      .values(plan.added.slice(at, at + 50).map(({ wanted, position }) => rowOf(ctx, survey_id, { ...wanted, position })))
      .execute()
  await writePositions(ctx, plan.places)
  await noteRefresh(ctx, survey)
  const counts = {
    added: plan.added.length,
    changed: plan.differences.filter(({ kind }) => kind === 'changed').length,
    gone: plan.gone.length,
  }
  await ctx.record({ subject: 'survey', subject_id: survey_id, project_id: survey.project_id, after: { questions: counts } })
  ctx.emit({ noun: 'question', id: survey_id, project_id: survey.project_id, audience: 'admin' })
  return counts
}
