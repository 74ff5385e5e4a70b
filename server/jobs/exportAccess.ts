import { type Actor, seesAll } from '../../contract/who.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import { projectScope } from '../core/scope.ts'

type Asking = Pick<Ctx, 'db'> & { actor: Actor }
interface Made {
  holds: string | null
}
/** Ids in one statement. */
const SOME = 5000

/** Returns a test of jobs: whether the caller may still open what they made (`exportsSeen`). */
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
 * Returns a test of exports: true while the caller sees every project whose figures the file holds.
 * A file made by an administrator, or without a record of its projects, is for administrators only.
 */
export async function exportsSeen(ctx: Asking, files: readonly Made[]): Promise<(file: Made) => boolean> {
  if (seesAll(ctx.actor)) return () => true
  const ids = [...new Set(files.flatMap((file) => heldBy(file) ?? []))]
  const seen = new Set<number>()
  for (let at = 0; at < ids.length; at += SOME) {
    const some = ids.slice(at, at + SOME)
    const rows = await ctx.db.selectFrom('projects').select('id').where('id', 'in', some).where(projectScope(ctx.actor)).execute()
    for (const row of rows) seen.add(row.id)
  }
  return (file) => heldBy(file)?.every((id) => seen.has(id)) === true
}

const heldBy = ({ holds }: Made): number[] | null => (holds === null ? null : (JSON.parse(holds) as number[]))

const fileOf = ({ kind, result }: Pick<JobRow, 'kind' | 'result'>): number | null =>
  kind === 'export' || kind === 'content' ? ((JSON.parse(result) as { file_id?: number }).file_id ?? null) : null

async function exportsOf(ctx: Asking, ids: readonly number[]): Promise<Map<number, Made>> {
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('files').select(['id', 'holds']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
