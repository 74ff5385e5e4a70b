import type { Job, jobCalls } from '../contract/job.ts'
import { PAGE } from '../contract/vocabulary.ts'
import type { Ctx } from './context.ts'
import { contains } from './db/contains.ts'
import { linkTo } from './files/link.ts'
import { exportNow } from './jobs/export.ts'
import { EXPORTS } from './jobs/exports.ts'
import type { JobRow } from './jobs/jobs.ts'
import { KINDS } from './jobs/kinds.ts'
import type { HandlersOf } from './mount.ts'
import { notFound, Refusal } from './refusal.ts'

const OPEN = ['queued', 'running'] as const

type Shown = JobRow & { first_name: string | null; last_name: string | null }

/** The jobs a caller sees: their own, an administrator all. */
function jobsOf(ctx: Ctx) {
  const jobs = ctx.db.selectFrom('jobs').leftJoin('users', 'users.id', 'jobs.created_by')
  return ctx.actor.role === 'admin' ? jobs : jobs.where('jobs.created_by', '=', ctx.actor.id)
}

async function oneJob(ctx: Ctx, id: number): Promise<Shown> {
  const job = await jobsOf(ctx)
    .selectAll('jobs')
    .select(['users.first_name', 'users.last_name'])
    .where('jobs.id', '=', id)
    .executeTakeFirst()
  if (!job) throw notFound('This job')
  return job
}

function onWire(ctx: Ctx, job: Shown): Job {
  const { id, kind, title, status, done, total, error, created_by, created_at, not_before, started_at, ended_at } = job
  const result = JSON.parse(job.result) as Job['result']
  const file =
    status === 'done' && typeof result.file_id === 'number'
      ? linkTo(ctx, { id: result.file_id, original_name: String(result.file_name) }).url
      : null
  const cancellable = status === 'queued' || (status === 'running' && !KINDS[kind]?.untilStart)
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
    cancellable,
    retryable: (status === 'failed' || status === 'cancelled') && KINDS[kind]?.again === true,
    download: file,
    created_by_name: created_by === null ? 'The server' : `${job.first_name ?? ''} ${job.last_name ?? ''}`.trim(),
  }
}

export const jobHandlers: HandlersOf<typeof jobCalls> = {
  'job.list': async (ctx) => {
    const { page, search, status, mine } = ctx.input
    let jobs = jobsOf(ctx)
    if (mine) jobs = jobs.where('jobs.created_by', '=', ctx.actor.id)
    if (status === 'open') jobs = jobs.where('jobs.status', 'in', OPEN)
    else if (status !== 'all') jobs = jobs.where('jobs.status', '=', status)
    if (search) jobs = jobs.where(contains(ctx.house.database, ['jobs.title'], search))
    const { count } = await jobs.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const rows = await jobs
      .selectAll('jobs')
      .select(['users.first_name', 'users.last_name'])
      .orderBy('jobs.id', 'desc')
      .limit(PAGE.list)
      .offset((page - 1) * PAGE.list)
      .execute()
    return { data: rows.map((row) => onWire(ctx, row)), count: Number(count), page }
  },
  'job.get': async (ctx) => ({ data: onWire(ctx, await oneJob(ctx, ctx.input.id)) }),
  'job.cancel': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    const why = await ctx.house.jobs.cancel(ctx, job)
    if (why) throw new Refusal(409, 'not_now', why)
    await ctx.record({ subject: 'job', subject_id: job.id, before: { status: job.status }, after: { status: 'cancelled' } })
    return { data: onWire(ctx, await oneJob(ctx, job.id)), message: 'Cancelled.' }
  },
  'job.retry': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    const why = await ctx.house.jobs.retry(ctx, job)
    if (why) throw new Refusal(409, 'not_now', why)
    await ctx.record({ subject: 'job', subject_id: job.id, before: { status: job.status }, after: { status: 'queued' } })
    return { data: onWire(ctx, await oneJob(ctx, job.id)), message: 'Begun again.' }
  },
  'job.link': async (ctx) => {
    const job = await oneJob(ctx, ctx.input.id)
    const { file_id } = JSON.parse(job.result) as { file_id?: number }
    const file = file_id
      ? await ctx.db.selectFrom('files').select(['id', 'original_name']).where('id', '=', file_id).executeTakeFirst()
      : undefined
    if (!file) throw notFound('The file of this job')
    return { data: linkTo(ctx, file) }
  },
  'export.start': async (ctx) => {
    const { source, filter } = ctx.input
    // Opened once here, so that a wrong filter or a missing right is an answer now and not a failed job later.
    const { title, count } = await EXPORTS[source].open(ctx, filter)
    const job = await ctx.house.jobs.add(ctx, { kind: 'export', title: `Export: ${title}`, input: { source, filter } })
    await ctx.record({ subject: 'job', subject_id: job.id, after: { export: source, rows: count } })
    return {
      data: onWire(ctx, { ...job, first_name: ctx.user.first_name, last_name: ctx.user.last_name }),
      message: 'The export is on its way.',
    }
  },
  'campaign.exportCsv': (ctx) => exportNow(ctx, 'responses', { project_id: ctx.input.id }),
}
