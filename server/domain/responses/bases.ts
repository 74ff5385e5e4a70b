import { sql } from 'kysely'
import type { ResponseBase } from '../../../contract/responses.ts'
import { AGES, GENDERS } from '../../../contract/vocabulary.ts'
import type { Db } from '../../db/connect.ts'
import { type CellFilter, cellsWanted, isFiltered, WHO } from '../runtime/cells.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'

/** Counts by age × 4 + gender. */
export type ByWho = Int32Array
export const byWho = (): ByWho => new Int32Array(WHO)

/** Completes of each survey by age and gender that pass the other filters. */
export interface Bases {
  filter: CellFilter
  bySurvey: ReadonlyMap<number, ByWho>
  completes: number
}

/** Reads a filter's bases from the counters by cell. */
export async function basesOf(db: Db, surveys: readonly number[], filter: CellFilter): Promise<Bases> {
  const bySurvey = new Map<number, ByWho>(surveys.map((survey) => [survey, byWho()]))
  if (!surveys.length) return { filter, bySurvey, completes: 0 }
  const { age: _, gender: __, ...others } = filter
  const wanted = isFiltered(others) ? cellsWanted(others) : sql<boolean>`cell >= 0`
  const rowsOf = async (passing: typeof wanted) =>
    (
      await sql<{ survey_id: number; who: number; completes: number }>`
        select survey_id, cell >> 11 as who, sum(completes) as completes from demo_cells
         where survey_id in (${sql.join(surveys)}) and ${passing} group by survey_id, cell >> 11`.execute(db)
    ).rows
  for (const row of await rowsOf(wanted))
    getOrInsert(bySurvey, Number(row.survey_id), byWho)[Number(row.who)]! += Number(row.completes)
  const { completes } = await db
    .selectFrom('demo_cells')
    .select((eb) => eb.fn.sum<number | null>('completes').as('completes'))
    .where('survey_id', 'in', surveys)
    .where('cell', '=', -1)
    .executeTakeFirstOrThrow()
  return { filter, bySurvey, completes: Number(completes ?? 0) }
}

/** True for the ages and genders that a filter includes. */
const passes =
  ({ age, gender }: CellFilter) =>
  (who: number): boolean =>
    (age?.includes(who >> 2) ?? true) && (gender?.includes(who & 3) ?? true)

/** Completes of these surveys that pass the filter. */
export function baseOf({ bySurvey, filter }: Bases, surveys: Iterable<number>): number {
  const passed = passes(filter)
  let sum = 0
  for (const survey of surveys) for (const [who, count] of (bySurvey.get(survey) ?? []).entries()) if (passed(who)) sum += count
  return sum
}

/** The header figures of User Responses. */
export function headOf(bases: Bases): ResponseBase {
  const { bySurvey, filter, completes } = bases
  const all = byWho()
  for (const counts of bySurvey.values()) for (const [who, count] of counts.entries()) all[who]! += count
  const [byGender, byAge] = [byWho(), byWho()]
  const [anyGender, anyAge] = [passes({ ...filter, gender: undefined }), passes({ ...filter, age: undefined })]
  for (const [who, count] of all.entries()) {
    if (anyGender(who)) byGender[who]! += count
    if (anyAge(who)) byAge[who]! += count
  }
  const { gender } = splitsOf(byGender)
  const off = (value: number, count: number) => (filter.gender && !filter.gender.includes(value) ? count : 0)
  return {
    completes,
    base: baseOf(bases, bySurvey.keys()),
    other_off: off(3, gender.other!),
    unknown_off: off(0, gender.unknown!),
    gender,
    age: splitsOf(byAge).age,
  }
}

/** Counts by gender and by age, with unstated ones as 'unknown' and 8. */
export function splitsOf(counts: ByWho): { gender: Record<string, number>; age: Record<string, number> } {
  const gender: Record<string, number> = Object.fromEntries([...GENDERS.map((term) => [term.value, 0]), ['unknown', 0]])
  const age: Record<string, number> = Object.fromEntries([...AGES.map((term) => [String(term.value), 0]), ['8', 0]])
  for (const [who, count] of counts.entries()) {
    gender[GENDERS[(who & 3) - 1]?.value ?? 'unknown']! += count
    age[String(who >> 2 || 8)]! += count
  }
  return { gender, age }
}

export function sumOf(counts: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < counts.length; at++) sum += counts[at]!
  return sum
}
/** A share in percent with one decimal; 0 if the base is 0. */
export const shareOf = (count: number, base: number): number => (base ? Math.round((1000 * count) / base) / 10 : 0)
