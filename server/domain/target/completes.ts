import { setImmediate as breathe } from 'node:timers/promises'
import { CHILDREN, ETHNICITIES, GENDERS, MARITAL } from '../../../contract/vocabulary.ts'
import type { Db } from '../../db/connect.ts'
import { householdIn } from '../responses/answerColumns.ts'
import { type Reading, SurveyAnswers } from '../responses/surveyAnswers.ts'
import { unpackCell, WHO } from '../runtime/cells.ts'
import { GROUPS, type Group, type Lists, termsOf, valuesOf } from './targetLists.ts'

/** Completes of an activity by demographics. */
export interface Completes {
  total: number
  /** By value, in the groups' order; unknown values aren't counted. */
  groups: Record<Group, { value: string; completes: number }[]>
  /** Completes with a known value outside the chosen ones; an empty group includes everyone. */
  outside(audience: Pick<Lists, Group>): number
}

/** Completes by the code of the market area. */
export type Areas = ReadonlyMap<number, number>

/** Completes that share their values in every group; null where unknown. */
interface Kind {
  values: Record<Group, string | null>
  completes: number
}

const word = (terms: readonly { value: string | number }[], at: number): string | null =>
  terms[at] === undefined ? null : String(terms[at].value)

const ofActivity = (db: Db, activityId: number) =>
  db.selectFrom('surveys').select('id').where('activity_id', '=', activityId).where('deleted_at', 'is', null)

/** Counts completes by cell and household, from three bytes for each complete in the answer columns. */
async function byKind(at: Reading, activityId: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const { id } of await ofActivity(at.db, activityId).execute()) {
    const people = await SurveyAnswers.open(at, id, {})
    const households = await people.households()
    for (let place = 0; place < people.cells.length; place++) {
      if (people.who[place]! >= WHO) continue
      const kind = people.cells[place]! * 256 + households[place]!
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    await breathe()
  }
  return counts
}

/** Counts an activity's completes by the code of their market area, without those that have none. */
export async function completesByArea(at: Reading, activityId: number): Promise<Areas> {
  const counts = new Map<number, number>()
  for (const { id } of await ofActivity(at.db, activityId).execute()) {
    const people = await SurveyAnswers.open(at, id, {})
    for (const [area, completes] of await people.areas()) counts.set(area, (counts.get(area) ?? 0) + completes)
    await breathe()
  }
  return counts
}

/** Counts an activity's completes by demographics. */
export async function completesOf(at: Reading, activityId: number): Promise<Completes> {
  const kinds: Kind[] = []
  for (const [kind, completes] of await byKind(at, activityId)) {
    const { age, gender, hhi, ethnicity } = unpackCell(kind >> 8)
    const { marital, children } = householdIn(kind & 255)
    kinds.push({
      completes,
      values: {
        age: age ? String(age) : null,
        gender: word(GENDERS, gender - 1),
        hhi: hhi === 7 ? null : String(hhi),
        ethnicity: word(ETHNICITIES, ethnicity - 1),
        marital_status: word(MARITAL, marital),
        children: word(CHILDREN, children),
      },
    })
  }
  const sum = (some: readonly Kind[]) => some.reduce((all, { completes }) => all + completes, 0)
  const groupOf = (group: Group) =>
    termsOf(group).map((term) => {
      const value = String(term.value)
      return { value, completes: sum(kinds.filter(({ values }) => values[group] === value)) }
    })
  return {
    total: sum(kinds),
    groups: Object.fromEntries(GROUPS.map((group) => [group, groupOf(group)])) as Completes['groups'],
    outside(audience) {
      const chosen = GROUPS.map((group) => [group, new Set(valuesOf(audience[group]))] as const).filter(([, { size }]) => size)
      const isOut = ({ values }: Kind) => chosen.some(([group, some]) => values[group] !== null && !some.has(values[group]))
      return sum(kinds.filter(isOut))
    },
  }
}

/** The completes in some market areas. */
export const inAreas = (completes: Areas, codes: readonly string[]): number =>
  codes.reduce((all, code) => all + (completes.get(Number(code)) ?? 0), 0)
