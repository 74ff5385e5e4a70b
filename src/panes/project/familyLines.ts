import type { CampaignRow, ProjectRow } from '../shared/projectSubject.ts'

const NONE: readonly never[] = []

/** Caches the rows below a parent, so memoised rows don't re-render. */
export function linesOf<Row extends { part?: 'own' }>(ownPart: (row: Row) => Row | null): (row: Row) => readonly Row[] {
  const known = new WeakMap<Row, readonly Row[]>()
  return (row) => {
    if (!('children' in row) || row.part) return NONE
    const made = known.get(row)
    if (made) return made
    const own = ownPart(row)
    const lines = [...(own ? [own] : []), ...(row.children as readonly Row[])]
    known.set(row, lines)
    return lines
  }
}

/** Returns a parent's rows: its own part, if it has orders or responses, then children (decisions.md 13, Families). */
export const projectLines = linesOf<ProjectRow>((row) => {
  if (!row.own) return null
  const { cost_cents, ...own } = row.own
  return { ...row, ...own, family_cost_cents: cost_cents, part: 'own' }
})

/** The ID of a list row; negative for a parent's own part, which shares its parent's record ID. */
export const lineId = (row: ProjectRow | CampaignRow): number => (row.part ? -row.id : row.id)
