type Simple = string | number | boolean | null | undefined | object
type Problem = { row: string; problem: unknown }

type NameOf<Row> = (row: Row) => string

/** Checks every row, and fails once with a line for each that is wrong; the cause shows the first one's difference. */
export function checkRows<Row extends [unknown] | readonly unknown[] | Simple>(
  rows: readonly Row[],
  check: (row: Row) => void,
  nameOf: NameOf<Row> = usualName,
): void {
  const wrong: Problem[] = []
  for (const row of rows)
    try {
      const result: unknown = check(row)
      if (result instanceof Promise) throw new Error('This check waits: use checkRowsInTurn.')
    } catch (problem) {
      wrong.push({ row: nameOf(row), problem })
    }
  failFor(rows, wrong)
}

/** Like `checkRows`, for a check that waits for something; rows are checked one after another. */
export async function checkRowsInTurn<Row extends [unknown] | readonly unknown[] | Simple>(
  rows: readonly Row[],
  check: (row: Row) => Promise<void>,
  nameOf: NameOf<Row> = usualName,
): Promise<void> {
  const wrong: Problem[] = []
  for (const row of rows)
    try {
      await check(row)
    } catch (problem) {
      wrong.push({ row: nameOf(row), problem })
    }
  failFor(rows, wrong)
}

const usualName = (row: unknown): string => (typeof row === 'string' ? row : JSON.stringify(row))

/** Fails with one line for each wrong row, or if there was none to check. */
function failFor(rows: readonly unknown[], wrong: readonly Problem[]): void {
  if (rows.length === 0) throw new Error('There is no row to check.')
  if (wrong.length === 0) return
  const lines = wrong.map(({ row, problem }) => `${row}: ${problem instanceof Error ? problem.message : problem}`)
  throw new Error(lines.join('\n'), { cause: wrong[0]!.problem })
}
