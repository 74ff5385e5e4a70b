import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { entriesOf, orderedEntries } from '../../server/domain/entry/entryRows.ts'
import { countReceivers, receiverIds } from '../../server/domain/entry/receivers.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// `updated_since` of entries reads an index, so that a program that asks often doesn't read all of them.
const MANY = 4000
const OLD = '2020-05-01T00:00:00.000Z'
const SINCE = '2024-05-01T00:00:00.000Z'
let app: Fieldwork
let project_id: number
beforeAll(async () => {
  app = await fieldwork()
  const client_id = app.client.id
  const [project, other] = [await app.make.project({ client_id }), await app.make.project({ client_id })]
  project_id = project.id
  const row = (at: number) => ({
    project_id: at % 2 ? project.id : other.id,
    email: `${at}@index.test`,
    created_at: OLD,
    updated_at: at % 1000 < 2 ? SINCE : OLD,
  })
  await app.make.entries(Array.from({ length: MANY }, (_, at) => row(at)))
  if (app.services.database.engine === 'postgres') await sql`analyze entries`.execute(app.db)
}, 120_000)

interface Sent {
  readonly sql: string
  readonly parameters: readonly unknown[]
}
/** The database, which adds each query to `sent`. */
function recorderOf(sent: Sent[]) {
  const executor = app.db.getExecutor()
  const recorder = new Proxy(executor, {
    get: (target, name) => {
      const own = Reflect.get(target, name)
      if (name !== 'executeQuery') return typeof own === 'function' ? own.bind(target) : own
      return (query: Sent) => {
        sent.push(query)
        return target.executeQuery(query as never)
      }
    },
  })
  return { services: app.services, db: { selectFrom: app.db.selectFrom.bind(app.db), getExecutor: () => recorder } as never }
}
/** How the engine would run a query, as text. */
async function planOf(query: Sent): Promise<string> {
  const how = app.services.database.engine === 'postgres' ? 'explain' : 'explain query plan'
  return JSON.stringify((await app.db.executeQuery({ ...query, sql: `${how} ${query.sql}` } as never)).rows)
}

test('a project’s entries since a moment come from the index, in order and counted', async () => {
  const ctx = { db: app.db, services: app.services }
  const filter = { parts: [project_id], status: 'all', search: '', updated_since: SINCE } as const
  const sorted = orderedEntries(ctx, filter, { column: 'id', order: 'desc' }).limit(25)
  const count = entriesOf(ctx, filter).select((eb) => eb.fn.countAll().as('count'))
  expect(await sorted.execute()).toHaveLength(4)
  for (const query of [sorted, count]) expect(await planOf(query.compile())).toContain('ix_entries_changed')
})

test('everyone’s entries since a moment come from the index, newest first and counted', async () => {
  const sent: Sent[] = []
  const filter = { status: 'all', flag: '', search: '', column: '', order: 'desc', updated_since: SINCE } as const
  expect((await receiverIds(recorderOf(sent), filter, { limit: 100 })).ids).toHaveLength(8)
  expect(await countReceivers(recorderOf(sent), filter, false)).toEqual({ count: 8, more: false })
  const reads = sent.filter((query) => query.sql.includes('updated_at'))
  expect(reads.length).toBeGreaterThan(1)
  for (const query of reads) expect(await planOf(query)).toContain('ix_entries_updated')
})
