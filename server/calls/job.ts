import { allowedActions, denialOf } from '../../contract/access.ts'
import type { Job, jobCalls } from '../../contract/job.ts'
import type { JobFacts } from '../../contract/recordAccess.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, HttpError, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { linkTo } from '../core/signedLink.ts'
import { exportNow } from '../exports/export.ts'
import { ignoredFilters, startExport } from '../exports/start.ts'
import { handedOut } from '../jobs/exportAccess.ts'
import { refuseTooMany } from '../jobs/exportLimits.ts'
import { type JobBy, jobList, starterOf } from '../jobs/list.ts'

const oneJob = (ctx: Ctx, id: number): Promise<JobBy> => jobList.row(ctx, id)

/** Jobs as the caller sees them. */
async function onWire(ctx: Ctx, jobs: readonly JobBy[]): Promise<Job[]> {
  const theirs = await handedOut(ctx, jobs)
  return jobs.map((job) => shown(ctx, job, theirs(job)))
}
/** A job as the API returns it to this caller. */
export const wired = async (ctx: Ctx, job: JobBy): Promise<Job> => (await onWire(ctx, [job]))[0]!

/** A job that the caller has just started. */
export const startedJob = (ctx: Ctx, job: JobRow): Promise<Job> =>
  wired(ctx, { ...job, first_name: ctx.user.first_name, last_name: ctx.user.last_name })

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

export const jobHandlers: HandlersOf<typeof jobCalls> = {
  'job.list': async (ctx) => {
    const { data, ...page } = await jobList.page(ctx, ctx.input)
    return { data: await onWire(ctx, data), ...page }
  },
  'job.get': async (ctx) => ({ data: await wired(ctx, await oneJob(ctx, ctx.input.id)) }),
  'job.cancel': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    assertAllowed(denialOf('job.cancel', ctx.actor, paneStateOf(ctx, job, true)))
    const why = await ctx.services.jobs.cancel(ctx, job)
    if (why) throw new HttpError(409, 'not_now', why)
    await ctx.record({ subject: 'job', subject_id: job.id, before: { status: job.status }, after: { status: 'cancelled' } })
    return { data: await wired(ctx, await oneJob(ctx, job.id)), message: describeEffect(ctx, 'job.cancel', { name: job.title }) }
  },
  'job.retry': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    assertAllowed(denialOf('job.retry', ctx.actor, paneStateOf(ctx, job, true)))
    if (job.kind === 'export') await refuseTooMany(ctx, job.created_by ?? ctx.actor.id)
    const why = await ctx.services.jobs.retry(ctx, job)
    if (why) throw new HttpError(409, 'not_now', why)
    await ctx.record({ subject: 'job', subject_id: job.id, before: { status: job.status }, after: { status: 'queued' } })
    return { data: await wired(ctx, await oneJob(ctx, job.id)), message: describeEffect(ctx, 'job.retry', { name: job.title }) }
  },
  'job.link': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    assertAllowed(denialOf('job.link', ctx.actor, paneStateOf(ctx, job, (await handedOut(ctx, [job]))(job))))
    const { file_id } = JSON.parse(job.result) as { file_id?: number }
    const file = file_id
      ? await ctx.db.selectFrom('files').select(['id', 'original_name']).where('id', '=', file_id).executeTakeFirst()
      : undefined
    if (!file) throw notFound('The file of this job')
    return { data: linkTo(ctx, file) }
  },
  'export.start': async (ctx) => {
    const ignored = ignoredFilters(ctx, ctx.input)
    const job = await startExport(ctx, ctx.input)
    const answer = {
      data: await startedJob(ctx, job),
      message: describeEffect(ctx, 'export.start', { words: ['the export', 'exports'] }),
    }
    return ignored.length ? { ...answer, ignored } : answer
  },
  'campaign.exportCsv': (ctx) => exportNow(ctx, 'responses', { project_id: ctx.input.id }),
}
