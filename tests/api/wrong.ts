import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { engine } from '../support/engine.ts'

/** False where only what depends on the engine is tried: on PostgreSQL in `npm test` (vitest.config.ts). */
export const everywhere = engine === 'sqlite' || process.env.WHOLE === '1'
/** How long a test over a whole table may take: some seconds on an idle machine, a minute on the slowest so far. */
export const WHOLE_TABLE = 600_000
/** How long one row may take, so that a call that never ends is named. */
const ONE_ROW = 60_000

/** A test of a whole table: fails with everything that is wrong, by row. */
export function testAll<Row extends string | readonly unknown[]>(
  name: string,
  rows: readonly Row[],
  check: (row: Row) => Promise<unknown>,
): void {
  test(name, { timeout: WHOLE_TABLE }, async () => {
    const wrong = await wrongIn(rows, check)
    expect(wrong, wrong.join('\n')).toEqual([])
  })
}

/**
 * Checks every row of a table, one after the other; returns what is wrong, by row, so that one run shows all of it.
 * Rows that share a server and a database may leave records, but none that a later row reads.
 */
export async function wrongIn<Row extends string | readonly unknown[]>(
  rows: readonly Row[],
  check: (row: Row) => Promise<unknown>,
): Promise<string[]> {
  if (!rows.length) throw new Error('There is no row to check.')
  const wrong: string[] = []
  for (const row of rows)
    try {
      await Promise.race([check(row), tooLate()])
    } catch (problem) {
      wrong.push(`${[row].flat().filter(isPlain).join(' ')}: ${explained(problem)}`)
    }
  return wrong
}

async function tooLate(): Promise<never> {
  await delay(ONE_ROW, undefined, { ref: false })
  throw new Error(`no end after ${ONE_ROW / 1000} seconds`)
}

const isPlain = (part: unknown) => typeof part !== 'object' && typeof part !== 'function'

/** The message of a failed expectation, with what differs where the message shows whole values as `{ …(92) }`. */
function explained(problem: unknown): string {
  const { message, stack, actual, expected } = problem as Error & { actual?: unknown; expected?: unknown }
  if (actual === undefined && expected === undefined) return (stack ?? String(problem)).slice(0, 1000)
  const [is, should] = [linesOf(actual), linesOf(expected)]
  const differing = [
    ...[...should].filter((line) => !is.has(line)).map((line) => `- ${line}`),
    ...[...is].filter((line) => !should.has(line)).map((line) => `+ ${line}`),
  ]
  return [message, ...differing.slice(0, 20)].map((line) => line.slice(0, 500)).join('\n    ')
}

/** A value's lines as JSON; a text of several lines gives its own. */
const linesOf = (value: unknown) => new Set((JSON.stringify(value, null, 1) ?? String(value)).split(/\\n|\n/))
