import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { connect } from '../../server/db/connect.ts'
import { fillOnline, indexesOnline } from '../../server/db/online.ts'
import { engine, freshDatabase } from '../support/engine.ts'
import { LATER_NAMES, migrateUnderLoad } from '../support/migrationLoad.ts'

/** Far beyond what is usual (some 100 ms), and less than somebody reads a table meanwhile: it fails for a hang. */
const HANG_MS = 5000

test.runIf(engine === 'postgres')(
  'every migration since the baseline, and one of each kind, lets callers read and write',
  async () => {
    const { DATABASE_URL } = await freshDatabase()
    const { went, statements, failed } = await migrateUnderLoad(
      DATABASE_URL!,
      { projects: 60, people: 20_000 },
      { hold: '9991-filled', heldMs: 6000 },
    )
    expect(went.map(({ name }) => name)).toEqual(LATER_NAMES)
    // Release 0.2 keeps writing on each later schema, as while processes are replaced one by one.
    expect(failed).toEqual([])
    expect(statements.every((count) => count > 0)).toBe(true)
    expect(went.filter(({ waited }) => waited > HANG_MS)).toEqual([])
  },
  120_000,
)

test.runIf(engine === 'postgres')('an index is built and rows are filled while a writer’s transaction is open', async () => {
  const { DATABASE_URL } = await freshDatabase()
  const database = connect({ url: DATABASE_URL! })
  const { db } = database
  const any = db as unknown as Kysely<unknown>
  const writer = new pg.Client(DATABASE_URL)
  const filled = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from things where n = 11`.execute(db)
    return rows[0]!.count
  }
  try {
    await sql`create table things (id bigint primary key, n bigint not null)`.execute(db)
    await sql`insert into things select n, n % 2 from generate_series(1, 5000) n`.execute(db)
    // What an interrupted build leaves behind.
    await sql`create index ix_things on things (n)`.execute(db)
    await sql`update pg_index set indisvalid = false where indexrelid = 'ix_things'::regclass`.execute(db)
    await indexesOnline(any, { ix_things: 'things (n)' })
    await indexesOnline(any, { ix_things: 'things (n)' })
    const { rows } = await sql<{
      indisvalid: boolean
    }>`select indisvalid from pg_index where indexrelid = 'ix_things'::regclass`.execute(db)
    expect(rows).toEqual([{ indisvalid: true }])
    await writer.connect()
    await writer.query('begin; update things set n = 7 where id = 4999')
    // Row 4999 is in the last batch, so the first ones are committed although it waits.
    const filling = fillOnline(any, 'things', 'n = n + 10', 'n = 1')
    await vi.waitFor(async () => expect(await filled()).toBe(2000), { timeout: 20_000 })
    await writer.query('commit')
    await filling
    expect(await filled()).toBe(2499)
  } finally {
    await writer.end()
    await database.close()
  }
})
