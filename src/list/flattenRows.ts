import type { Subject } from '../commands/subject.ts'

/** A row that isn't loaded yet. */
export interface Gap {
  gap: number
}
/** A row of the grid: a record, or a child of an expanded one. */
export interface Item<Row> {
  id: number
  row: Row
  level: number
  subject: Subject
}
export const isGap = (one: unknown): one is Gap => typeof one === 'object' && one !== null && 'gap' in one

/** All rows of a list, loaded or not, with children of expanded ones; items are created only on access. */
export interface FlatRows<Row> {
  length: number
  at(index: number): Item<Row> | Gap | undefined
  /** Returns the index of a record; -1 if it isn't loaded. */
  indexOf(id: number): number
  /** Returns all loaded items in order. */
  items(): Iterable<Item<Row>>
  /** Converts between a row's index and its index among records only. */
  recordAt(index: number): number
  indexAt(record: number): number
}

interface Parts<Row> {
  count: number
  chunk: number
  chunks: ReadonlyMap<number, readonly Row[]>
  open: ReadonlySet<number>
  childrenOf: ((row: Row) => readonly Row[]) | undefined
  itemOf: (row: Row, level: number) => Item<Row>
}

/** Creates items by row and level; the same row gives the same object, so that rows stay memoized. */
export function itemMaker<Row extends object>(
  subjectOf: (row: Row) => Subject,
  rowId?: (row: Row) => number,
): (row: Row, level: number) => Item<Row> {
  const known = new WeakMap<Row, Item<Row>>()
  return (row, level) => {
    const made = known.get(row)
    if (made?.level === level) return made
    const subject = subjectOf(row)
    const item = { id: rowId ? rowId(row) : subject.id, row, level, subject }
    known.set(row, item)
    return item
  }
}

/** Lays out a list in O(loaded rows), whatever its length. */
export function shownOf<Row extends object>({ count, chunk, chunks, open, childrenOf, itemOf }: Parts<Row>): FlatRows<Row> {
  const branches: { record: number; children: readonly Row[] }[] = []
  if (open.size && childrenOf)
    for (const [page, rows] of chunks)
      for (const [at, row] of rows.entries())
        if (open.has(itemOf(row, 1).id)) branches.push({ record: (page - 1) * chunk + at, children: childrenOf(row) })
  branches.sort((a, b) => a.record - b.record)
  const length = count + branches.reduce((sum, branch) => sum + branch.children.length, 0)

  /** Resolves an index to a record, or to a child of one. */
  const fall = (index: number): { record: number; child?: Row } => {
    let shift = 0
    for (const { record, children } of branches) {
      if (index <= record + shift) break
      const child = children[index - record - shift - 1]
      if (child) return { record, child }
      shift += children.length
    }
    return { record: index - shift }
  }
  const indexAt = (record: number) =>
    branches.reduce((index, branch) => (branch.record < record ? index + branch.children.length : index), record)
  let places: Map<number, number> | null = null
  const gaps = new Map<number, Gap>()
  // The same gap gives the same object, too.
  const gapAt = (record: number) => {
    const gap = gaps.get(record) ?? { gap: record }
    gaps.set(record, gap)
    return gap
  }
  const allPlaces = () => {
    const all = new Map<number, number>()
    for (const [page, rows] of chunks)
      for (const [at, row] of rows.entries()) all.set(itemOf(row, 1).id, indexAt((page - 1) * chunk + at))
    for (const { record, children } of branches)
      for (const [at, child] of children.entries()) all.set(itemOf(child, 2).id, indexAt(record) + 1 + at)
    return all
  }
  return {
    length,
    indexAt,
    recordAt: (index) => fall(index).record,
    at(index) {
      if (index < 0 || index >= length) return undefined
      const { record, child } = fall(index)
      if (child) return itemOf(child, 2)
      const row = chunks.get(Math.floor(record / chunk) + 1)?.[record % chunk]
      return row ? itemOf(row, 1) : gapAt(record)
    },
    indexOf(id) {
      places ??= allPlaces()
      return places.get(id) ?? -1
    },
    *items() {
      const childrenAt = new Map(branches.map(({ record, children }) => [record, children]))
      for (const [page, rows] of [...chunks].sort(([a], [b]) => a - b))
        for (const [at, row] of rows.entries()) {
          yield itemOf(row, 1)
          for (const child of childrenAt.get((page - 1) * chunk + at) ?? []) yield itemOf(child, 2)
        }
    },
  }
}
