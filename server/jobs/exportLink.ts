import { seesAll } from '../../contract/actor.ts'
import { calls } from '../../contract/calls.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import { HttpError, notFound } from '../core/errors.ts'
import { exportsSeen } from './exportAccess.ts'

/** Days for which an export's link works while its job runs, equal to how long its file is kept. */
const LINK_DAYS = 7
/** Seconds after the job's end for which its link opens the file (decisions.md 7). */
const OPENS_FOR = 15 * 60

/** The link that opens an export's file for the caller, at once and until 15 minutes after the job's end. */
export function exportLink(ctx: Ctx<unknown>, job: Pick<JobRow, 'id'>): string {
  const until = Math.floor(ctx.services.now().getTime() / 1000) + LINK_DAYS * 86_400
  return calls['report.download'].path.replace(
    '{signed}',
    ctx.services.secrets.sign('report', `${job.id}:${ctx.actor.id}`, until),
  )
}

const expired = () => new HttpError(404, 'not_found', 'This link has expired. Please export the report again.')

/** A link's job, and the user it was signed for with their current role; throws 404. */
export async function linkedExport(ctx: Ctx<{ signed: string }>) {
  const value = ctx.services.secrets.open('report', ctx.input.signed, ctx.services.now())
  const [job_id, user_id] = value?.split(':').map(Number) ?? []
  const job = job_id ? await ctx.db.selectFrom('jobs').selectAll().where('id', '=', job_id).executeTakeFirst() : undefined
  const user = user_id
    ? await ctx.db
        .selectFrom('users')
        .select(['id', 'role'])
        .where('id', '=', user_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined
  const over = job?.ended_at && Date.parse(job.ended_at) + OPENS_FOR * 1000 <= ctx.services.now().getTime()
  // Client users have links only to exports of visits; the file's record shows whether they still see its services.
  const theirs = user && (seesAll(user) || (job && (JSON.parse(job.input) as { source?: string }).source === 'visits'))
  if (!job || !user || !theirs || over) throw expired()
  return { job, user }
}

/** A finished export's file, if the user can still see all it contains; throws 404. */
export async function linkedFile({ db }: Pick<Ctx, 'db'>, file_id: number, user: { id: number; role: 'admin' | 'client' }) {
  const file = await db.selectFrom('files').selectAll().where('id', '=', file_id).executeTakeFirst()
  if (!file) throw notFound('The file of this export')
  if (!(await exportsSeen({ db, actor: { ...user, admin_id: null } }, [file]))(file)) throw expired()
  return file
}
