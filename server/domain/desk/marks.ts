import type { Updateable } from 'kysely'
import { DESK_RULES, type DeskRuleId } from '../../../contract/deskRules.ts'
import { add, change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Change } from '../../core/ports.ts'
import { advisoryLock } from '../../db/locked.ts'
import type { DeskMarkTable } from '../../db/schema.ts'
import { deskList } from './list.ts'

type Decision = Partial<
  Omit<Updateable<DeskMarkTable>, 'id' | 'rule' | 'subject_id' | 'created_at' | 'updated_at' | 'lock_version'>
>

/** Who hears of a decision: those who have the line. */
const readersOf = (
  { rule, project_id }: { rule: DeskRuleId; project_id: number | null },
  me: number,
): Omit<Change, 'noun' | 'id'> =>
  DESK_RULES[rule].who === 'admin'
    ? { audience: 'admin' }
    : project_id
      ? { audience: 'scope', project_id }
      : { audience: 'user', user_id: me }

/** Stores what was decided about lines that the caller has, and names the others; throws 404 if they have none. */
export async function markLines(
  ctx: Ctx,
  ids: readonly number[],
  decide: (line: { cause: string; rule: string }) => Decision,
): Promise<{ data: { changed: number; gone: number[] } }> {
  // Two people decide about a line that nobody has decided about yet.
  await advisoryLock(ctx.services.database, ctx.tx, 'desk', 0)
  const lines = await deskList.rows(ctx, ids)
  if (!lines.length) throw notFound('This desk line')
  const marks = await ctx.tx
    .selectFrom('desk_marks')
    .selectAll()
    .where(
      'subject_id',
      'in',
      lines.map(({ subject_id }) => subject_id),
    )
    .execute()
  for (const line of lines) {
    const { id, rule, subject_id, project_id } = line
    const about = { subject: 'desk', line: { subject_id: id, project_id } }
    const patch = decide(line)
    const mark = marks.find((one) => one.rule === rule && one.subject_id === subject_id)
    if (mark) await change(ctx, 'desk_marks', { ...about, id: mark.id, patch, held: mark })
    else await add(ctx, 'desk_marks', { ...about, values: { rule, subject_id, ...patch } })
    ctx.emit({ noun: 'desk', id, ...readersOf(line, ctx.actor.id) })
  }
  const has = new Set(lines.map(({ id }) => Number(id)))
  return { data: { changed: lines.length, gone: ids.filter((id) => !has.has(id)) } }
}
