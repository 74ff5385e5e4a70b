import { CHILDREN, ETHNICITIES, GENDERS, MARITAL } from '../../../contract/vocabulary.ts'
import type { Db } from '../../db/connect.ts'
import { unpackCell } from '../runtime/cells.ts'
import { GROUPS, type Group, type Lists, TERMS, valuesOf } from './lists.ts'

/** Completes of an activity, by what is known of them. */
export interface Completes {
  total: number
  /** By value, in the groups' order; a complete whose value isn't known is in no row. */
  groups: Record<Group, { value: string; completes: number }[]>
  /** By the code of the market area; without those that have no place. */
  areas: ReadonlyMap<number, number>
  /** Completes with a known value that isn't among the chosen ones; an empty group takes in everybody. */
  outside(audience: Pick<Lists, Group>): number
}

/** Completes that are alike in every group: a value each, null where it isn't known. */
interface Kind {
  values: Record<Group, string | null>
  completes: number
}

const word = (terms: readonly { value: string | number }[], at: number): string | null =>
  terms[at] === undefined ? null : String(terms[at].value)

/** Counts an activity's completes by demographics and market area. */
export async function completesOf(db: Db, activityId: number): Promise<Completes> {
  const surveys = await db.selectFrom('surveys').select('id').where('activity_id', '=', activityId).execute()
  const rows = await db
    .selectFrom('respondents')
    .select((eb) => ['cell', 'marital', 'children', 'dma', eb.fn.countAll<number>().as('completes')])
    .where('survey_id', 'in', [0, ...surveys.map(({ id }) => id)])
    .where('outcome', '=', 'completes')
    .groupBy(['cell', 'marital', 'children', 'dma'])
    .execute()
  const kinds: Kind[] = []
  const areas = new Map<number, number>()
  for (const row of rows) {
    const completes = Number(row.completes)
    const { age, gender, hhi, ethnicity } = unpackCell(row.cell)
    if (row.dma !== null) areas.set(row.dma, (areas.get(row.dma) ?? 0) + completes)
    kinds.push({
      completes,
      values: {
        age: age ? String(age) : null,
        gender: word(GENDERS, gender - 1),
        hhi: hhi === 7 ? null : String(hhi),
        ethnicity: word(ETHNICITIES, ethnicity - 1),
        marital_status: word(MARITAL, row.marital),
        children: word(CHILDREN, row.children),
      },
    })
  }
  const sum = (some: readonly Kind[]) => some.reduce((all, { completes }) => all + completes, 0)
  const groupOf = (group: Group) =>
    TERMS[group].map((term) => {
      const value = String(term.value)
      return { value, completes: sum(kinds.filter(({ values }) => values[group] === value)) }
    })
  return {
    total: sum(kinds),
    groups: Object.fromEntries(GROUPS.map((group) => [group, groupOf(group)])) as Completes['groups'],
    areas,
    outside(audience) {
      const chosen = GROUPS.map((group) => [group, new Set(valuesOf(audience[group]))] as const).filter(([, { size }]) => size)
      const isOut = ({ values }: Kind) => chosen.some(([group, some]) => values[group] !== null && !some.has(values[group]))
      return sum(kinds.filter(isOut))
    },
  }
}

/** The completes of some market areas. */
export const inAreas = (completes: Completes, codes: readonly string[]): number =>
  codes.reduce((all, code) => all + (completes.areas.get(Number(code)) ?? 0), 0)
