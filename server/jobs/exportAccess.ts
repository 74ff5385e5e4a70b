import { type Actor, seesAll } from '../../contract/actor.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import { projectScope } from '../core/scope.ts'
import { serviceScope } from '../domain/visit/scope.ts'

type Asking = Pick<Ctx, 'db'> & { actor: Actor }
interface Made {
  holds: string | null
}
/** Ids in one statement. */
const SOME = 5000

/** Returns a predicate on jobs: whether the caller may still open their results (`exportsSeen`). */
export async function handedOut(
  ctx: Asking,
  jobs: readonly Pick<JobRow, 'kind' | 'result'>[],
): Promise<(job: Pick<JobRow, 'kind' | 'result'>) => boolean> {
  if (seesAll(ctx.actor)) return () => true
  const files = await exportsOf(
    ctx,
    jobs.flatMap((job) => fileOf(job) ?? []),
  )
  const seen = await exportsSeen(ctx, [...files.values()])
  return (job) => {
    const file = files.get(fileOf(job) ?? 0)
    return !file || seen(file)
  }
}

/**
 * Returns a predicate on exports: whether the caller can see every project and service whose figures they contain.
 * A file created by an administrator, or without such a record, is for administrators only.
 */
export async function exportsSeen(ctx: Asking, files: readonly Made[]): Promise<(file: Made) => boolean> {
  if (seesAll(ctx.actor)) return () => true
  const held = files.flatMap((file) => heldBy(file) ?? [])
  const seenOf = async (table: 'projects' | 'services', ids: readonly number[]) => {
    const seen = new Set<number>()
    const scope = table === 'projects' ? projectScope(ctx.actor) : serviceScope(ctx.actor)
    for (let at = 0; at < ids.length; at += SOME) {
      const query = ctx.db.selectFrom(table as 'projects').select('id')
      const rows = await query
        .where('id', 'in', ids.slice(at, at + SOME))
        .where(scope)
        .execute()
      for (const row of rows) seen.add(row.id)
    }
    return seen
  }
  const projects = await seenOf('projects', [...new Set(held.flatMap((one) => one.projects))])
  const services = await seenOf('services', [...new Set(held.flatMap((one) => one.services))])
  return (file) => {
    const one = heldBy(file)
    return one?.projects.every((id) => projects.has(id)) === true && one.services.every((id) => services.has(id))
  }
}

/** The scope of a file's figures: a list names projects, `services` those of visitation. */
function heldBy({ holds }: Made): { projects: number[]; services: number[] } | null {
  if (holds === null) return null
  const read = JSON.parse(holds) as number[] | { services: number[] }
  return Array.isArray(read) ? { projects: read, services: [] } : { projects: [], services: read.services }
}

const fileOf = ({ kind, result }: Pick<JobRow, 'kind' | 'result'>): number | null =>
  kind === 'export' || kind === 'content' ? ((JSON.parse(result) as { file_id?: number }).file_id ?? null) : null

async function exportsOf(ctx: Asking, ids: readonly number[]): Promise<Map<number, Made>> {
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('files').select(['id', 'holds']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
