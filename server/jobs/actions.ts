import type { Ctx, JobKind, JobRow, NewJob } from '../core/context.ts'
import { emitJob } from './queue.ts'

/** Adds a job in the call's transaction, due at once by default. */
export async function addJob(ctx: Ctx, { kind, title, input, notBefore, project_id, service_id }: NewJob): Promise<JobRow> {
  const values = {
    kind,
    title,
    input: JSON.stringify(input),
    status: 'queued' as const,
    result: '{}',
    error: '',
    created_by: ctx.caller.actor?.id ?? null,
    token_id: ctx.caller.token?.id ?? null,
    made_as: ctx.caller.actor?.role ?? ('admin' as const),
    project_id: project_id ?? null,
    service_id: service_id ?? null,
    created_at: ctx.now,
    not_before: notBefore ?? ctx.now,
  }
  const job = await ctx.tx.insertInto('jobs').values(values).returningAll().executeTakeFirstOrThrow()
  emitJob(ctx, job)
  return job
}

/** Cancels a job in the call's transaction; returns null, or the reason it can't. */
export async function cancelJob(ctx: Ctx, job: JobRow, how: JobKind | undefined): Promise<string | null> {
  const from = how?.untilStart ? (['queued'] as const) : (['queued', 'running'] as const)
  const done = await ctx.tx
    .updateTable('jobs')
    .set({ status: 'cancelled', worker: null, ended_at: ctx.now })
    .where('id', '=', job.id)
    .where('status', 'in', from)
    .executeTakeFirst()
  if (!Number(done.numUpdatedRows))
    // The rule allowed it, but the job moved on in between.
    return how?.untilStart ? 'It can’t be stopped halfway.' : 'It has ended.'
  await how?.cancelled?.(ctx, job)
  emitJob(ctx, job)
  return null
}

/** Queues a failed or cancelled job again in the call's transaction; returns null, or the reason it can't. */
export async function retryJob(ctx: Ctx, job: JobRow, how: JobKind | undefined): Promise<string | null> {
  if (!how?.again) return `A ${job.kind} can’t be retried.`
  const started = await ctx.tx
    .updateTable('jobs')
    .set({
      status: 'queued',
      done: 0,
      total: 0,
      attempts: 0,
      error: '',
      result: '{}',
      worker: null,
      beat_at: null,
      started_at: null,
      ended_at: null,
      not_before: ctx.now,
    })
    .where('id', '=', job.id)
    .where('status', 'in', ['failed', 'cancelled'])
    .executeTakeFirst()
  if (!Number(started.numUpdatedRows)) return job.status === 'done' ? 'It is done.' : 'It is already on its way.'
  emitJob(ctx, job)
  return null
}
