import type { Fields, InputOf } from '../../../contract/fieldKinds.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { olderNames } from '../../../contract/olderFields.ts'
import { storedFields } from '../../../contract/projectFields.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import type { ProjectRecord } from './storedProject.ts'

/** The fields of a project that an edit sends, which may be sent back as they were read. */
export type SentFields = Partial<Omit<InputOf<typeof storedFields>, 'start_dt' | 'end_dt'>> & {
  start_dt?: string | null | undefined
  end_dt?: string | null | undefined
}

/** The fields of an edit in the older spelling; names of one field must agree. */
export const fromOlder = (record: ProjectRecord, input: Readonly<Record<string, unknown>>): SentFields =>
  Object.fromEntries(
    Object.entries(storedFields as Fields).flatMap(([name, field]) => {
      const was = record[(field.column ?? name) as keyof ProjectRecord] as unknown
      const [first = '', ...others] = olderNames(name, field)
      const value = others.reduce((one, other) => agreed(was, [first, one], [other, input[other]]), input[first])
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Whichever of two spellings of a value differs from the current one, or undefined; 422 if both do and disagree. */
function agreed<T>(was: T, [field, one]: [string, T | undefined], [other, two]: [string, T | undefined]): T | undefined {
  if (one === undefined || two === undefined || one === two) return one ?? two
  if (one === was) return two
  if (two === was) return one
  throw invalid(field, `${field} and ${other} are one field and must match`)
}

/**
 * The record's own order after a write, from `goal` or from `total` (`num_completed_actions`).
 * A parent's `total` is its family's sum, which may only be sent back unchanged (decisions.md 13, Families).
 */
export async function orderOf(
  ctx: Ctx,
  record: ProjectRecord,
  { goal, total }: { goal?: number | undefined; total?: number | undefined },
): Promise<number | undefined> {
  if (goal === undefined && total === undefined) return undefined
  const { count, sum } = await ctx.db
    .selectFrom('projects')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('ordered').as('sum')])
    .where('parent_id', '=', record.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const parent = Number(count) > 0
  const family = record.ordered + Number(sum ?? 0)
  if (parent && total !== undefined && total !== family)
    throw invalid(
      'num_completed_actions',
      `num_completed_actions is the sum of its parts (${family}): change goal, which is the project's own, or a child's`,
    )
  const wanted = parent ? goal : agreed(record.ordered, ['num_completed_actions', total], ['goal', goal])
  // Only families may have no order of their own; a record without one may send 0 back.
  if (wanted === 0 && record.ordered !== 0 && !parent) throw invalid('goal', 'goal must be a positive number', 'range')
  return wanted
}

/** The dates a write changes, else undefined. A date can't be removed, but a missing one may be sent back. */
export function datesOf(
  record: ProjectRecord,
  names: { start: string; end: string },
  dates: { start?: string | null | undefined; end?: string | null | undefined },
): { start_dt: string | undefined; end_dt: string | undefined } {
  const one = (value: string | null | undefined, was: string | null, field: string, sentence: string) => {
    if (value) return value === was?.slice(0, 10) ? undefined : value
    if (value !== undefined && was !== null) throw invalid(field, sentence, 'required')
    return undefined
  }
  return {
    start_dt: one(dates.start, record.start_dt, names.start, MESSAGES.projectStart),
    end_dt: one(dates.end, record.end_dt, names.end, MESSAGES.projectEnd),
  }
}
