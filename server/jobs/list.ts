import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { refusedTo } from '../../contract/access.ts'
import type { Actor } from '../../contract/actor.ts'
import { calls } from '../../contract/calls.ts'
import { counted } from '../../contract/format.ts'
import type { jobCalls } from '../../contract/job.ts'
import type { Paging } from '../../contract/listInput.ts'
import { scopesOf } from '../../contract/tokenScope.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import { listOf } from '../core/listBuilder.ts'
import { projectScope } from '../core/scope.ts'
import { serviceScope } from '../domain/visit/scope.ts'

type Filter = Omit<z.output<(typeof jobCalls)['job.list']['input']>, Paging>
/** A job and who started it. */
export type JobBy = JobRow & { first_name: string | null; last_name: string | null }

/** Which of their own jobs client users see: none of an earlier role, nor with a title of what they don't see now. */
const jobScope = (actor: Actor) => sql<SqlBool>`(jobs.made_as = 'client'
  and (jobs.project_id is null or exists (select 1 from projects where projects.id = jobs.project_id and ${projectScope(actor)}))
  and (jobs.service_id is null or exists (select 1 from services where services.id = jobs.service_id and ${serviceScope(actor)})))`

const jobsOf = ({ actor }: Ctx) =>
  refusedTo('job.ofEverybody', actor) === null
    ? sql<SqlBool>`(jobs.kind <> 'thumbnails' or jobs.status <> 'done')`
    : sql<SqlBool>`(jobs.created_by = ${actor.id} and ${jobScope(actor)})`

/** False for a token that reads its own jobs alone, as its scopes don't open all of them. */
const readsAllJobs = ({ caller: { token } }: Ctx): boolean =>
  !token || scopesOf('job.get', calls['job.get']).some((scope) => token.scopes.includes(scope))

/** The caller's jobs, or all for administrators; newest first by default. */
export const jobList = listOf<'job', Filter, JobBy, JobBy>('job', {
  table: 'jobs',
  changed: () => [{ table: 'jobs', at: ['created_at', 'not_before', 'started_at', 'beat_at', 'ended_at'] }],
  join: 'left join users on users.id = jobs.created_by',
  // Thumbnails are created after each upload, so these jobs are listed only when they fail.
  scope: (ctx) => (readsAllJobs(ctx) ? jobsOf(ctx) : sql<SqlBool>`jobs.token_id = ${ctx.caller.token!.id}`),
  where: ({ status, mine }, { actor }) => [
    mine && sql<SqlBool>`jobs.created_by = ${actor.id}`,
    status === 'open'
      ? sql<SqlBool>`jobs.status in ('queued', 'running')`
      : status !== 'all' && sql<SqlBool>`jobs.status = ${status}`,
  ],
  columns: () => ({ by: sql`coalesce(users.first_name || ' ' || users.last_name, '')` }),
  only: 'jobs.*, users.first_name, users.last_name',
  shown: (_ctx, rows) => rows,
  // The list of jobs contains titles but no project's figures.
  file: {
    cells: { progress: (row) => row.done, result: (row) => row.error || madeBy(row.result), by: (row) => starterOf(row) },
    holds: () => null,
  },
})

/** A job's result in a few words: its file, or its payments. */
function madeBy(result: string): string {
  const { file_name, rows, sent, returned, rejected } = JSON.parse(result) as Record<string, string | number | undefined>
  if (file_name) return `${file_name}, ${counted(Number(rows ?? 0), 'row')}`
  return sent === undefined ? '' : `${sent} sent, ${returned ?? 0} back to pending, ${rejected ?? 0} rejected`
}

/** The name of a job's starter. */
export const starterOf = (job: { created_by: number | null; first_name: string | null; last_name: string | null }): string =>
  job.created_by === null ? 'The server' : `${job.first_name ?? ''} ${job.last_name ?? ''}`.trim()
