import { allowedActions, verdictOn } from '../../contract/access.ts'
import { count as figure } from '../../contract/format.ts'
import type { Job, jobCalls } from '../../contract/job.ts'
import type { JobFacts } from '../../contract/recordAccess.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import { assertAllowed, HttpError, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { linkTo } from '../core/link.ts'
import { ago, DAY_MS, limitOf, tooOften } from '../core/quotas.ts'
import { locked } from '../db/locked.ts'
import { exportNow } from '../exports/export.ts'
import { exportOf } from '../exports/exports.ts'
import { handedOut } from '../jobs/exportAccess.ts'
import { type JobBy, jobList, starterOf } from '../jobs/list.ts'

const oneJob = (ctx: Ctx, id: number): Promise<JobBy> => jobList.row(ctx, id)

/** Jobs as the caller sees them. */
async function onWire(ctx: Ctx, jobs: readonly JobBy[]): Promise<Job[]> {
  const theirs = await handedOut(ctx, jobs)
  return jobs.map((job) => shown(ctx, job, theirs(job)))
}
const wired = async (ctx: Ctx, job: JobBy): Promise<Job> => (await onWire(ctx, [job]))[0]!

function paneStateOf(ctx: Ctx, { kind, status, result }: JobRow, theirs: boolean): JobFacts {
  const how = ctx.services.jobs.kind(kind)
  const made_file = typeof (JSON.parse(result) as { file_id?: unknown }).file_id === 'number'
  return { kind, status, until_start: how?.untilStart === true, again: how?.again === true, made_file, theirs }
}

function shown(ctx: Ctx, job: JobBy, theirs: boolean): Job {
  const { id, kind, title, status, done, total, error, created_by, created_at, not_before, started_at, ended_at } = job
  const result = JSON.parse(job.result) as Job['result']
  const file =
    theirs && status === 'done' && typeof result.file_id === 'number'
      ? linkTo(ctx, { id: result.file_id, original_name: String(result.file_name) }).url
      : null
  const { allowed_actions, refused_actions } = allowedActions('job', ctx.actor, paneStateOf(ctx, job, theirs))
  return {
    id,
    kind,
    title,
    status,
    done,
    total,
    error,
    result,
    created_by,
    created_at,
    not_before,
    started_at,
    ended_at,
    cancellable: allowed_actions.includes('job.cancel'),
    retryable: allowed_actions.includes('job.retry'),
    allowed_actions,
    refused_actions: refused_actions as Record<string, string>,
    download: file,
    created_by_name: starterOf(job),
  }
}

/** Throws 409 if the user has as many exports waiting or running as allowed (OPEN_EXPORTS). */
async function refuseTooMany(ctx: Ctx, person: number): Promise<void> {
  const most = ctx.services.settings.openExports
  // Locks the user, so that two concurrent requests don't both find room.
  await locked(ctx.services.database, ctx.tx.selectFrom('users').select('id').where('id', '=', person)).execute()
  const { open } = await ctx.tx
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('created_by', '=', person)
    .where('kind', '=', 'export')
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  if (Number(open) >= most)
    throw new HttpError(
      409,
      'too_many_exports',
      `${most === 1 ? 'One export is' : `${most} exports are`} still waiting or running. Wait for one to end, or cancel one under Jobs.`,
    )
}

/** Throws 429 after a user's daily exports, each kept for a week. Call it after refuseTooMany, which locks. */
async function refuseTooOften(ctx: Ctx): Promise<void> {
  const most = limitOf(ctx, 'exports_day')
  const { count, first } = await ctx.tx
    .selectFrom('jobs')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('first')])
    .where('created_by', '=', ctx.actor.id)
    .where('kind', '=', 'export')
    .where('created_at', '>', ago(ctx, DAY_MS))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw tooOften(`You can start ${figure(most)} exports a day.`, Date.parse(first ?? ctx.now) + DAY_MS - Date.parse(ctx.now))
}

export const jobHandlers: HandlersOf<typeof jobCalls> = {
  'job.list': async (ctx) => {
    const { data, ...page } = await jobList.page(ctx, ctx.input)
    return { data: await onWire(ctx, data), ...page }
  },
  'job.get': async (ctx) => ({ data: await wired(ctx, await oneJob(ctx, ctx.input.id)) }),
  'job.cancel': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    assertAllowed(verdictOn('job.cancel', ctx.actor, paneStateOf(ctx, job, true)))
    const why = await ctx.services.jobs.cancel(ctx, job)
    if (why) throw new HttpError(409, 'not_now', why)
    await ctx.record({ subject: 'job', subject_id: job.id, before: { status: job.status }, after: { status: 'cancelled' } })
    return { data: await wired(ctx, await oneJob(ctx, job.id)), message: 'Cancelled.' }
  },
  'job.retry': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    assertAllowed(verdictOn('job.retry', ctx.actor, paneStateOf(ctx, job, true)))
    if (job.kind === 'export') await refuseTooMany(ctx, job.created_by ?? ctx.actor.id)
    const why = await ctx.services.jobs.retry(ctx, job)
    if (why) throw new HttpError(409, 'not_now', why)
    await ctx.record({ subject: 'job', subject_id: job.id, before: { status: job.status }, after: { status: 'queued' } })
    return { data: await wired(ctx, await oneJob(ctx, job.id)), message: 'Restarted.' }
  },
  'job.link': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    assertAllowed(verdictOn('job.link', ctx.actor, paneStateOf(ctx, job, (await handedOut(ctx, [job]))(job))))
    const { file_id } = JSON.parse(job.result) as { file_id?: number }
    const file = file_id
      ? await ctx.db.selectFrom('files').select(['id', 'original_name']).where('id', '=', file_id).executeTakeFirst()
      : undefined
    if (!file) throw notFound('The file of this job')
    return { data: linkTo(ctx, file) }
  },
  'export.start': async (ctx) => {
    const { source, filter, columns, format } = ctx.input
    // Opening it here turns a wrong filter or a missing right into an error now instead of a failed job later.
    await refuseTooMany(ctx, ctx.actor.id)
    await refuseTooOften(ctx)
    const { title, count } = await exportOf(source).open(ctx, filter, columns)
    const input = { source, filter, columns, format }
    const job = await ctx.services.jobs.add(ctx, { kind: 'export', title: `Export: ${title}`, input })
    await ctx.record({ subject: 'job', subject_id: job.id, after: { export: source, rows: count } })
    return {
      data: await wired(ctx, { ...job, first_name: ctx.user.first_name, last_name: ctx.user.last_name }),
      message: 'The export is on its way.',
    }
  },
  'campaign.exportCsv': (ctx) => exportNow(ctx, 'responses', { project_id: ctx.input.id }),
}
