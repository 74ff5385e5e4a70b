import { type CompiledQuery, sql } from 'kysely'
import type { Fieldwork } from './support.ts'

/** Adds copies of a row; a column may have an expression of the copy's number `n`. */
export async function addCopies(
  app: Fieldwork,
  many: number,
  table: string,
  like: { id: number } | { where: string },
  own: Readonly<Record<string, string>> = {},
): Promise<void> {
  const where = 'id' in like ? `id = ${like.id}` : like.where
  const { rows } = await sql<object>`select * from ${sql.table(table)} where ${sql.raw(where)}`.execute(app.db)
  const columns = Object.keys(rows[0]!).filter((column) => column !== 'id')
  const values = columns.map((column) => own[column] ?? `o."${column}"`)
  await app.write((tx) =>
    sql
      .raw(
        `with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${many})
        insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
        select ${values.join(', ')} from "${table}" o cross join copies where ${where.replace(/(\w+) =/g, 'o.$1 =')}`,
      )
      .execute(tx),
  )
}

/** The statements that a work sends with this value among their parameters. */
export const statementsWith = async (app: Fieldwork, value: unknown, work: () => Promise<unknown>): Promise<CompiledQuery[]> =>
  (await statementsOf(app, work)).filter(({ parameters }) => parameters.includes(value))

/** The statements that a work sends. */
export async function statementsOf(app: Fieldwork, work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const executor = app.db.getExecutor()
  const run = executor.executeQuery
  const sent: CompiledQuery[] = []
  executor.executeQuery = function (this: typeof executor, query: CompiledQuery, ...rest: never[]) {
    sent.push(query)
    return run.call(this, query, ...rest)
  } as never
  try {
    await work()
  } finally {
    executor.executeQuery = run
  }
  return sent
}
