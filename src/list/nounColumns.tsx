import type { ReactNode } from 'react'
import type { Output, ReadId } from '../../contract/calls.ts'
import type { ListColumn } from '../../contract/column.ts'
import { count, dollars, longDate, shortDate } from '../../contract/format.ts'
import { lists } from '../../contract/listRows.ts'
import type { ColumnOf, ListNoun } from '../../contract/lists.ts'
import { codeOf } from '../../contract/nounOf.ts'
import { moment } from '../data/format.ts'
import { dayOf } from '../ui/displayZone.ts'
import type { Column } from '../ui/grid/columns.ts'
import { Pill, type Shape, type Tone } from '../ui/Pill.tsx'

/** The call that reads a noun's list. */
export type ListCall<N extends ListNoun> = (typeof lists)[N]['call'] & ReadId
/** A row of a noun's list, as its call returns it. */
export type RowOf<N extends ListNoun> = Output<ListCall<N>> extends { data: readonly (infer Row extends object)[] } ? Row : never

/** The tone and shape of each value's pill. */
export type Looks<V extends string> = Readonly<Record<V, readonly [tone: Tone, shape?: Shape]>>

/** Special properties of a column's cells: width, place in a narrow list, rendering and editing. */
export type Cells<Row> = Omit<Column<Row>, 'id' | 'header' | 'sortable' | 'render'> & {
  /** Renders what the column's kind doesn't cover. */
  render?: Column<Row>['render']
  /** A shorter heading than in a file. */
  header?: string
  /** Shows its values as pills. */
  looks?: Looks<string>
  /** Disables sorting on this screen though the list allows it. */
  sortable?: false
}

const held = (row: object, id: string): unknown => (row as Readonly<Record<string, unknown>>)[id]

/** Renders a cell by its column's kind. */
function usual<Row extends object>(noun: ListNoun, id: string, { kind, words }: ListColumn, looks?: Looks<string>) {
  const text = (row: Row) => String(held(row, id) ?? '')
  const draw: Record<ListColumn['kind'], (row: Row) => ReactNode> = {
    code: (row) => (
      <span className="font-mono text-meta text-muted">{id === 'id' ? codeOf(noun, text(row)) : text(row) || '–'}</span>
    ),
    text: (row) => <span className="truncate text-muted">{text(row)}</span>,
    address: (row) => <span className="truncate text-muted">{text(row)}</span>,
    word: (row) => {
      const value = text(row)
      const word = words?.[value] ?? value
      const look = looks?.[value]
      return look ? (
        <Pill tone={look[0]} {...(look[1] ? { shape: look[1] } : {})}>
          {word}
        </Pill>
      ) : (
        <span className="text-muted">{word}</span>
      )
    },
    figure: (row) => count(Number(held(row, id))),
    money: (row) => dollars(Number(held(row, id))),
    day: (row) => <Day at={text(row)} />,
    moment: (row) => <Moment at={text(row) || null} />,
  }
  return draw[kind]
}

/** A date or a time's day, with its long form as tooltip. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={longDate(dayOf(at))} className="text-muted">
    {shortDate(dayOf(at))}
  </time>
)

/** A time in the display zone, with its full form as tooltip; `none` without a time. */
export const Moment = ({ at, none = '–' }: { at: string | null; none?: ReactNode }) =>
  at ? (
    <time dateTime={at} title={moment(at, 'full')} className="text-muted tabular-nums">
      {moment(at)}
    </time>
  ) : (
    <span className="text-faint">{none}</span>
  )

/** A record's name, the first cell of a row, with a note next to it. */
export function Name({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  const name = (
    <span dir="auto" className="block min-w-0 truncate font-medium">
      {children}
    </span>
  )
  return aside ? (
    <span className="flex min-w-0 items-baseline gap-2.5">
      {name}
      {aside}
    </span>
  ) : (
    name
  )
}

const NUMBERS: readonly ListColumn['kind'][] = ['figure', 'money']
/** The width of the longest time, "Sep 20, 12:56 PM", with its cell's padding. */
const MOMENT_WIDTH = 132

/** Returns a noun's columns in screen order. The nouns table has header, sorting and kind; panes add special cells. */
export const columnsOf = <N extends ListNoun>(
  noun: N,
  cells: { readonly [C in ColumnOf<N>]?: Cells<RowOf<N>> },
): readonly Column<RowOf<N>>[] => {
  const columns: Readonly<Record<string, ListColumn>> = lists[noun].columns
  const all: Readonly<Record<string, Cells<RowOf<N>>>> = { ...cells, ...plainCells(columns, cells) }
  return Object.entries(all).map(([id, { looks, render, sortable, ...cell }]) => {
    const declared = columns[id]!
    return {
      id,
      header: declared.header,
      ...(NUMBERS.includes(declared.kind) && declared.sort !== false ? { align: 'right' as const } : {}),
      ...(declared.sort === false || sortable === false ? {} : { sortable: true }),
      render: render ?? usual<RowOf<N>>(noun, id, declared, looks),
      ...cell,
      ...(declared.kind === 'moment' && !render && (cell.width ?? MOMENT_WIDTH) < MOMENT_WIDTH ? { width: MOMENT_WIDTH } : {}),
    }
  })
}

/** Cells of other columns that screens show by their kind, the first to disappear as a list narrows. */
const plainCells = (columns: Readonly<Record<string, ListColumn>>, cells: object) =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([id, { shown }]) =>
      shown && !Object.hasOwn(cells, id) ? [[id, { width: 120, priority: -1, narrow: 'hidden' as const }]] : [],
    ),
  )
