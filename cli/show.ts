import type { CallId } from '../contract/calls.ts'
import type { ColumnKind, ListColumn, ListRow } from '../contract/column.ts'
import { withoutSpellings } from '../contract/commonNames.ts'
import { count } from '../contract/format.ts'
import { lists } from '../contract/listRows.ts'
import { headingOf, kindOf, plain, shown } from '../verbs/values.ts'

type Values = Readonly<Record<string, unknown>>

/** JSON as received, with control characters escaped. */
export const safeJson = (text: string): string =>
  text.replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

interface Column {
  id: string
  header: string
  kind: ColumnKind | 'percent' | undefined
  words?: Readonly<Record<string, string>>
}

/** TABLE  fields to show first, in this order, for nouns without a list. */
const FIRST = [
  'id',
  'name',
  'title',
  'subject',
  'who',
  'action',
  'status',
  'client_name',
  'company',
  'email',
  'note',
  'at',
  'start_dt',
  'end_dt',
  'created_at',
]
const MOST_COLUMNS = 8

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object'

/** The columns for a response's rows: those of the noun's list, else the rows' simple fields. */
function columnsOf(call: CallId, rows: readonly Values[]): Column[] {
  const listed = (Object.values(lists) as ListRow[]).find((list) => list.call === call)
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (listed) {
    const columns = Object.entries<ListColumn>(listed.columns).filter(([id]) => keys.includes(id))
    return columns.map(([id, { header, kind, words }]) => ({ id, header, kind, ...(words ? { words } : {}) }))
  }
  const named = keys.filter((key) => FIRST.includes(key)).sort((a, b) => FIRST.indexOf(a) - FIRST.indexOf(b))
  const others = keys.filter(
    (key) =>
      !FIRST.includes(key) && !/(^|_)id$|lock_version|_actions$|^url$/.test(key) && rows.every((row) => isScalar(row[key])),
  )
  return [...named, ...others].slice(0, MOST_COLUMNS).map((id) => ({ id, header: headingOf(id), kind: kindOf(id) }))
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** The number of terminal cells a text takes. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, one) => sum + (/\p{M}|\u200d|\ufe0f/u.test(one) ? 0 : WIDE.test(one) ? 2 : 1), 0)

/** Cuts a text to a width and adds an ellipsis. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let head = ''
  for (const one of text) {
    if (widthOf(head + one) > width - 1) break
    head += one
  }
  return `${head}…`
}

const NUMERIC: ReadonlySet<string> = new Set(['figure', 'money', 'percent'])
const LEAST_WIDTH = 8

/** Rows as a table; on a terminal of `width` cells the widest columns are cut. */
export function table(call: CallId, rows: readonly Values[], width?: number): string {
  const columns = columnsOf(call, rows)
  const cells = rows.map((row) => columns.map(({ id, kind, words }) => words?.[String(row[id])] ?? shown(id, row[id], kind)))
  const right = columns.map(
    ({ id, kind }) => NUMERIC.has(kind ?? '') || (kind !== 'code' && rows.some((row) => typeof row[id] === 'number')),
  )
  const widths = columns.map(({ header }, at) => Math.max(widthOf(header), ...cells.map((row) => widthOf(row[at]!))))
  const gaps = 2 * Math.max(0, columns.length - 1)
  while (width && widths.reduce((a, b) => a + b, gaps) > width && Math.max(...widths) > LEAST_WIDTH)
    widths[widths.indexOf(Math.max(...widths))]!--
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => {
        const clipped = cut(text, widths[at]!)
        const fill = ' '.repeat(widths[at]! - widthOf(clipped))
        return right[at] ? fill + clipped : clipped + fill
      })
      .join('  ')
      .trimEnd()
  return [line(columns.map(({ header }) => header)), ...cells.map(line)].join('\n')
}

/** Fields that mean nothing to people. */
const UNSAID = /^(lock_version|allowed_actions|refused_actions|dry)$/

/** A record with one line for each field. */
function record(values: Values): string {
  const fields = Object.entries(withoutSpellings(values)).filter(([name]) => !UNSAID.test(name))
  const widest = Math.max(0, ...fields.map(([name]) => widthOf(headingOf(name))))
  return fields.map(([name, value]) => `${headingOf(name).padEnd(widest)}  ${shown(name, value)}`).join('\n')
}

/** A response for people: a table, a record, or its message. */
export function answerText(call: CallId, answer: unknown, width?: number): string {
  if (!answer || typeof answer !== 'object') return answer === null || answer === undefined ? '' : plain(String(answer))
  const { data, message, count: all, page, ...rest } = answer as Values
  const lines = typeof message === 'string' ? [plain(message)] : []
  if (Array.isArray(data)) {
    const rows = data.filter((row): row is Values => typeof row === 'object' && row !== null)
    if (rows.length < data.length) return [...lines, ...data.map((one) => plain(String(one)))].join('\n')
    const total = typeof all === 'number' ? all : rows.length
    const foot =
      total > rows.length
        ? `${count(rows.length)} of ${count(total)}${typeof page === 'number' ? `, page ${count(page)}` : ''}`
        : count(total)
    return [...lines, ...(rows.length ? [table(call, rows, width), foot] : ['None.'])].join('\n')
  }
  const body = data && typeof data === 'object' ? (data as Values) : { ...rest, ...(data === undefined ? {} : { data }) }
  return [...lines, ...(Object.keys(body).length ? [record(body)] : [])].join('\n')
}
