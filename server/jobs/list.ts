import { sql } from 'kysely'
import type { z } from 'zod'
import type { jobCalls } from '../../contract/job.ts'
import type { Ctx } from '../core/context.ts'
import { matches } from '../core/listing.ts'

const OPEN = ['queued', 'running'] as const
type Query = z.output<(typeof jobCalls)['job.list']['input']>

/** The jobs a caller sees: their own, an administrator all. */
export function jobsOf(ctx: Ctx) {
  const jobs = ctx.db.selectFrom('jobs').leftJoin('users', 'users.id', 'jobs.created_by')
  return ctx.actor.role === 'admin' ? jobs : jobs.where('jobs.created_by', '=', ctx.actor.id)
}

/** Those of them that match a list's filter. */
export function matchingJobs(ctx: Ctx, { search, status, mine }: Pick<Query, 'search' | 'status' | 'mine'>) {
  let jobs = jobsOf(ctx)
  if (mine) jobs = jobs.where('jobs.created_by', '=', ctx.actor.id)
  if (status === 'open') jobs = jobs.where('jobs.status', 'in', OPEN)
  else if (status !== 'all') jobs = jobs.where('jobs.status', '=', status)
  if (search) jobs = jobs.where(matches(ctx.house.database, ['jobs.title'], search))
  return jobs
}

const SORTS = {
  title: sql`lower(jobs.title)`,
  status: sql`jobs.status`,
  by: sql`lower(coalesce(users.first_name || ' ' || users.last_name, ''))`,
  created_at: sql`jobs.created_at`,
}

/** The same in the order of the list; newest first unless a column sorts. */
export function orderedJobs(ctx: Ctx, input: Pick<Query, 'search' | 'status' | 'mine' | 'column' | 'order'>) {
  const jobs = matchingJobs(ctx, input)
  return input.column
    ? jobs.orderBy(SORTS[input.column], input.order).orderBy('jobs.id', input.order)
    : jobs.orderBy('jobs.id', 'desc')
}

/** Every id that matches, in the order of the list. */
export const jobIds = async (ctx: Ctx, input: Parameters<typeof orderedJobs>[1]): Promise<number[]> =>
  (await orderedJobs(ctx, input).select('jobs.id').execute()).map((row) => row.id)

/** Some of the caller's jobs, with who began them. */
export const jobsNamed = (ctx: Ctx, ids: readonly number[]) =>
  jobsOf(ctx).where('jobs.id', 'in', ids).selectAll('jobs').select(['users.first_name', 'users.last_name']).execute()

/** Who began a job, by name. */
export const starterOf = (job: { created_by: number | null; first_name: string | null; last_name: string | null }): string =>
  job.created_by === null ? 'The server' : `${job.first_name ?? ''} ${job.last_name ?? ''}`.trim()
