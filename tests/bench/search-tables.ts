import type { Row } from './search-measure.ts'

/** An engine over this many names, and the cost of opening it. */
export type Opened = { names: number; engine: string; buildMs: number; megabytes: number }

/** Formats ms or MB to three digits. */
export const show = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
const share = (part: number, whole: number): string => (whole === 0 ? '' : `${((part / whole) * 100).toFixed(1)} %`)
export const columns = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(28) : cell.padStart(10))).join('')
export const HEAD = ['', 'queries', 'keys', 'p50 ms', 'p99 ms', 'max ms', 'CPU p99', 'CPU max', 'found', 'n', 'later', 'cut']

/** A line for one class of one engine. */
export const line = (row: Row): string =>
  columns([
    row.class,
    String(row.queries),
    String(row.keystrokes),
    show(row.p50),
    show(row.p99),
    show(row.max),
    show(row.processor99),
    show(row.processorMax),
    share(row.found, row.wanted),
    row.wanted === 0 ? '' : String(row.wanted),
    row.foundLate === row.found ? '' : share(row.foundLate, row.wanted),
    row.cut === 0 ? '' : share(row.cut, row.keystrokes),
  ])

/** A line for each engine and size. */
export function summary(rows: readonly Row[], opened: readonly Opened[]): string {
  const head = ['', 'names', 'built ms', 'MB', ...HEAD.slice(1, 10)]
  const lines = rows
    .filter((row) => row.class === 'all')
    .map((row) => {
      const { buildMs, megabytes } = opened.find(({ names, engine }) => names === row.names && engine === row.engine)!
      return columns([
        row.engine,
        row.names.toLocaleString('en'),
        show(buildMs),
        show(megabytes),
        String(row.queries),
        String(row.keystrokes),
        show(row.p50),
        show(row.p99),
        show(row.max),
        show(row.processor99),
        show(row.processorMax),
        share(row.found, row.wanted),
        String(row.wanted),
      ])
    })
  return ['\nSide by side, all classes:', columns(head), ...lines].join('\n')
}

/** Prints which goals are met; a missed goal fails nothing. */
export function goals(rows: readonly Row[]): string {
  const ours = (names: number): Row[] => rows.filter((row) => row.engine === 'fieldwork' && row.names === names)
  const say = (goal: string, met: boolean, figure: string): string => `  ${met ? 'met    ' : 'not met'}  ${goal}: ${figure}`
  const out = ['\nGoals:']
  const million = ours(1_000_000)
  if (million.length > 0) {
    const all = million.find((row) => row.class === 'all')!
    const classes = million.filter((row) => row !== all)
    const slowest = classes.toSorted((a, b) => b.p99 - a.p99)[0]!
    const asked = classes.filter((row) => row.wanted > 0)
    const mean = asked.reduce((sum, row) => sum + row.found / row.wanted, 0) / asked.length
    const weak = asked.filter((row) => row.found / row.wanted < 0.97)
    out.push(
      say(
        'a million names, p99 below 8 ms',
        all.p99 < 8,
        `${show(all.p99)} of all (${show(all.processor99)} by processor time), ${show(slowest.p99)} in the slowest class (${slowest.class})`,
      ),
      say(
        'a million names, nothing above 16 ms',
        all.max <= 16,
        `${show(all.max)} by the clock, ${show(all.processorMax)} by processor time`,
      ),
      say('a million names, 97 % found', mean >= 0.97, `${(mean * 100).toFixed(1)} % in the mean of ${asked.length} classes`),
      say(
        'the same in every class',
        weak.length === 0,
        weak.map((row) => `${row.class} ${share(row.found, row.wanted)} of ${row.wanted}`).join(', ') || 'all of them',
      ),
    )
  }
  const smaller = ours(100_000)
  if (smaller.length > 0) {
    const all = smaller.find((row) => row.class === 'all')!
    const slowest = smaller.toSorted((a, b) => b.p99 - a.p99)[0]!
    out.push(
      say(
        '100,000 names, p99 below 1 ms',
        all.p99 < 1,
        `${show(all.p99)} of all (${show(all.processor99)} by processor time), ${show(slowest.p99)} in the slowest class (${slowest.class})`,
      ),
    )
  }
  return out.join('\n')
}
