import type { Quota, QuotaCell } from '../../../../contract/quota.ts'
import { QUOTA_FIELDS } from '../../../../contract/quotaRules.ts'
import { labelOf } from '../../../../contract/vocabulary.ts'

type Dimension = Quota['dimensions'][number]
/** A line of the grid: a cell, or a row of a matrix. */
interface Line {
  head: string
  cells: readonly (QuotaCell | null)[]
}
/** A dimension as it is drawn; one of two fields with a cell for each pair is a matrix. */
export interface Section {
  dimension: Dimension
  /** The headings of a matrix; null for a list of cells. */
  columns: readonly string[] | null
  lines: readonly Line[]
}

const wordsOf = (field: string, codes: readonly (string | number)[]): string => {
  const terms = QUOTA_FIELDS[field]
  return codes.map((code) => (terms && terms !== 'id' ? labelOf(terms, code, String(code)) : String(code))).join(' or ')
}

function matrixOf({ kind, fields, cells }: Dimension): Pick<Section, 'columns' | 'lines'> | null {
  const [down, across] = fields
  if (kind !== 'interlock' || fields.length !== 2 || !down || !across) return null
  const rows = new Map<string, Map<string, QuotaCell>>()
  const columns = new Set<string>()
  for (const cell of cells) {
    const [row, column] = [wordsOf(down, cell.conditions[down] ?? []), wordsOf(across, cell.conditions[across] ?? [])]
    const line = rows.get(row) ?? new Map<string, QuotaCell>()
    rows.set(row, line.set(column, cell))
    columns.add(column)
  }
  // A cell that takes other codes than its row and column would be hard to find.
  if (columns.size * rows.size > cells.length * 2 || columns.size > 8) return null
  const heads = [...columns]
  return {
    columns: heads,
    lines: [...rows].map(([head, line]) => ({ head, cells: heads.map((column) => line.get(column) ?? null) })),
  }
}

/** The dimensions of a plan as they are drawn. */
export const sectionsOf = ({ dimensions }: Quota): Section[] =>
  dimensions.map((dimension) => ({
    dimension,
    ...(matrixOf(dimension) ?? {
      columns: null,
      lines: dimension.cells.map((cell) => ({ head: cell.name, cells: [cell] })),
    }),
  }))

/** The ids of cells by line, for moving through them; the plan's total is the first. */
export const idsOf = (plan: Quota, sections: readonly Section[]): number[][] => [
  [plan.all.id],
  ...sections.flatMap(({ lines }) =>
    lines.map(({ cells }) => cells.flatMap((cell) => cell?.id ?? [])).filter((line) => line.length > 0),
  ),
]

/** The cell that a step from another one leads to. */
export function stepFrom(lines: readonly (readonly number[])[], from: number, down: number, right: number): number {
  const at = Math.max(
    0,
    lines.findIndex((line) => line.includes(from)),
  )
  const column = Math.max(0, lines[at]!.indexOf(from))
  const line = lines[Math.max(0, Math.min(lines.length - 1, at + down))]!
  return line[Math.max(0, Math.min(line.length - 1, column + right))]!
}
