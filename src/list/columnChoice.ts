import type { Always, Column } from '../ui/grid/columns.ts'

/** A column as the user arranged it: perhaps with a width in px, pinned, and kept even without room. */
export interface ChosenColumn {
  id: string
  width?: number | undefined
  pinned?: boolean | undefined
  always?: Always | undefined
}

/** The smallest and largest width of a column in px. */
export const WIDTH = { least: 48, most: 900 } as const
/** How much a key changes a column's width, in px. */
export const STEP = 24

export const fitting = (width: number): number => Math.round(Math.max(WIDTH.least, Math.min(WIDTH.most, width)))

/** The column with the records' names, which can't be hidden. */
export const nameColumn = <C extends { id: string; narrow?: string }>(columns: readonly C[]): C | undefined =>
  columns.find(({ narrow }) => narrow === 'lead') ?? columns[0]

/** Parses the columns of a URL: `name:320,client*,ends:90!,cost!!`; null without any. */
export function readColumns(text: string | undefined): ChosenColumn[] | null {
  const seen = new Set<string>()
  const read = (text ?? '').split(',').flatMap((part): ChosenColumn[] => {
    const [, id, width, pinned, always] = /^(\w[\w-]*)(?::(\d{1,4}))?(\*)?(!!?)?$/.exec(part) ?? []
    if (!id || seen.has(id)) return []
    seen.add(id)
    return [
      {
        id,
        ...(width ? { width: fitting(Number(width)) } : {}),
        ...(pinned ? { pinned: true } : {}),
        ...(always ? { always: always === '!' ? 'table' : 'narrow' } : {}),
      },
    ]
  })
  return read.length ? read : null
}

/** Formats columns for a URL. */
export const writeColumns = (chosen: readonly ChosenColumn[]): string =>
  chosen
    .map(
      ({ id, width, pinned, always }) =>
        `${id}${width ? `:${width}` : ''}${pinned ? '*' : ''}${always ? (always === 'table' ? '!' : '!!') : ''}`,
    )
    .join(',')

/** Returns a list's default columns. */
export const usualColumns = (columns: readonly { id: string }[]): ChosenColumn[] => columns.map(({ id }) => ({ id }))

/** Returns the chosen columns that the list has, always with the name column; all of them without a choice. */
export function settledColumns(columns: readonly Column<never>[], chosen: readonly ChosenColumn[] | null): ChosenColumn[] {
  const there = chosen?.filter(({ id }) => columns.some((column) => column.id === id)) ?? []
  if (!there.length) return usualColumns(columns)
  const name = nameColumn(columns)
  return name && !there.some(({ id }) => id === name.id) ? [{ id: name.id }, ...there] : there
}

/** Returns the columns to draw: the chosen ones, in their order and widths. */
export function arranged<Row>(columns: readonly Column<Row>[], chosen: readonly ChosenColumn[] | null): readonly Column<Row>[] {
  const name = nameColumn(columns)
  const named = (column: Column<Row>) => (column === name ? { ...column, name: true, keeps: true } : column)
  if (!chosen) return columns.map(named)
  return settledColumns(columns as readonly Column<never>[], chosen).map(({ id, width, pinned, always }) => {
    const column = {
      ...named(columns.find((one) => one.id === id)!),
      ...(pinned ? { pinned } : {}),
      ...(always ? { always } : {}),
    }
    if (width === undefined) return column
    const { min: _min, flex: _flex, ...rest } = column
    return { ...rest, width, own: true }
  })
}

/** True if a choice equals the default. */
export const isUsual = (columns: readonly { id: string }[], chosen: readonly ChosenColumn[]): boolean =>
  writeColumns(chosen) === writeColumns(usualColumns(columns))

/** Moves a column before another one, or to the end (null). */
export function moved(chosen: readonly ChosenColumn[], id: string, before: string | null): ChosenColumn[] {
  const one = chosen.find((column) => column.id === id)
  if (!one || id === before) return [...chosen]
  const rest = chosen.filter((column) => column !== one)
  const at = before === null ? rest.length : rest.findIndex((column) => column.id === before)
  return at < 0 ? [...chosen] : [...rest.slice(0, at), one, ...rest.slice(at)]
}

/** Moves a column one place left or right. */
export function stepped(chosen: readonly ChosenColumn[], id: string, by: -1 | 1): ChosenColumn[] {
  const at = chosen.findIndex((column) => column.id === id)
  const to = at + by
  if (at < 0 || to < 0 || to >= chosen.length) return [...chosen]
  const next = [...chosen]
  ;[next[at], next[to]] = [next[to]!, next[at]!]
  return next
}

/** Returns a choice with one column changed. */
export const altered = (chosen: readonly ChosenColumn[], id: string, change: Partial<ChosenColumn>): ChosenColumn[] =>
  chosen.map((column) => (column.id === id ? { ...column, ...change } : column))
