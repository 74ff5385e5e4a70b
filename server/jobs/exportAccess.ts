import { type Actor, seesAll } from '../../contract/actor.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import type { CopyHolds } from '../core/copyHolds.ts'
import { copiesSeen } from '../domain/copiesSeen.ts'

type Asking = Pick<Ctx, 'db'> & { actor: Actor }
interface Made {
  holds: string | null
}

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
  const seen = await copiesSeen(
    ctx,
    files.flatMap((file) => heldBy(file) ?? []),
  )
  return (file) => {
    const held = heldBy(file)
    return held !== null && seen(held)
  }
}

/** The scope of a file's figures: a list names projects, `services` those of visitation. */
function heldBy({ holds }: Made): CopyHolds | null {
  if (holds === null) return null
  const read = JSON.parse(holds) as number[] | CopyHolds
  return Array.isArray(read) ? { projects: read } : read
}

const fileOf = ({ kind, result }: Pick<JobRow, 'kind' | 'result'>): number | null =>
  kind === 'export' || kind === 'content' ? ((JSON.parse(result) as { file_id?: number }).file_id ?? null) : null

async function exportsOf(ctx: Asking, ids: readonly number[]): Promise<Map<number, Made>> {
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('files').select(['id', 'holds']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
