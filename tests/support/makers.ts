import type { Insertable, Selectable } from 'kysely'
import { nameKey } from '../../contract/foldText.ts'
import { civilToday } from '../../contract/pacing.ts'
import type { Settings } from '../../server/core/settings.ts'
import { type Database, type Db, insertMany, transact } from '../../server/db/connect.ts'
import type { Schema } from '../../server/db/schema.ts'
import type { DemoNoun, DemoNouns } from '../../server/demo/demoNoun.ts'
import { demoNouns } from '../../server/demo/demoNouns.ts'
import { type RowInput, rowOf, type UsualTable } from '../../server/demo/rowDefaults.ts'

type Made = { [N in DemoNoun]: DemoNouns[N] extends { readonly example: unknown } ? N : never }[DemoNoun]
type Example<N extends Made> = DemoNouns[N] extends { readonly example: (nth: number, today: string) => infer E } ? E : never
type Own<N extends Made> = DemoNouns[N]['tables'][0] & UsualTable
/** A record's required values, and any other column. */
type Said<N extends Made> = Omit<RowInput<Own<N>>, keyof Example<N> | 'email_key' | 'name_key'> &
  Partial<Insertable<Schema[Own<N>]>>
type Row<N extends Made> = Selectable<Schema[Own<N>]>
type Maker<N extends Made, More = unknown> =
  Record<never, never> extends Said<N> ? (given?: Said<N> & More) => Promise<Row<N>> : (given: Said<N> & More) => Promise<Row<N>>

const made = Object.entries({ ...demoNouns }).flatMap(([noun, row]) => ('example' in row ? [noun as Made] : []))

/** Columns derived from the given ones. */
const derived: { readonly [N in Made]?: (row: Said<N>) => Partial<Insertable<Schema[Own<N>]>> } = {
  entry: ({ email }) => ({ email_key: email!.trim().toLowerCase() }),
  brand: ({ name }) => ({ name_key: nameKey(name!) }),
  service: ({ name }) => ({ name_key: nameKey(name!) }),
  filter: ({ name }) => ({ name_key: nameKey(name!) }),
}

/**
 * Creates records of every demo noun from the same rows: `make.team({ client_id })`, with any column as given.
 * Writes directly to the database (ids, statuses, past times) and adds no history or event.
 */
export function makers(services: { database: Database; settings: Pick<Settings, 'timeZone'> }) {
  let serial = 0
  const now = () => new Date().toISOString()
  const today = () => civilToday(services.settings.timeZone, new Date())
  const write = <T>(work: Parameters<typeof transact<T>>[1]) => transact(services.database, work)
  /** One statement, which is a transaction by itself; SQLite has only one connection that writes. */
  const statement = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    services.database.engine === 'postgres' ? work(services.database.db) : write(work)

  function rowFor<N extends Made>(noun: N, given: Said<N>): Insertable<Schema[Own<N>]> {
    const values = { ...demoNouns[noun].example(++serial, today()), ...given } as unknown as Said<N>
    return rowOf(demoNouns[noun].tables[0] as Own<N>, now(), { ...values, ...derived[noun]?.(values), ...given } as never)
  }
  const plain = <N extends Made>(noun: N) =>
    ((given: Said<N> = {} as Said<N>) =>
      statement((db) =>
        db
          .insertInto(demoNouns[noun].tables[0] as 'clients')
          .values(rowFor(noun, given) as never)
          .returningAll()
          .executeTakeFirstOrThrow(),
      )) as unknown as (given: Said<N>) => Promise<Row<N>>

  const all = Object.fromEntries(made.map((noun) => [noun, plain(noun)])) as unknown as {
    [N in Made]: Maker<N>
  }
  return {
    ...all,
    today,
    /** A user of the given clients. */
    async user({ clients = [], ...given }: Partial<Said<'user'>> & { clients?: number[] } = {}) {
      const user = await all.user(given)
      const rows = clients.map((client_id) => ({ user_id: user.id, client_id }))
      if (rows.length) await write((tx) => insertMany(tx, 'user_clients', rows))
      return user
    },
    /** A client's team with its users and projects. */
    async team({ users = [], projects = [], ...given }: Said<'team'> & { users?: number[]; projects?: number[] }) {
      const team = await all.team(given)
      if (!users.length && !projects.length) return team
      await write(async (tx) => {
        await insertMany(
          tx,
          'team_users',
          users.map((user_id) => ({ team_id: team.id, user_id })),
        )
        await insertMany(
          tx,
          'team_projects',
          projects.map((project_id) => ({ team_id: team.id, project_id })),
        )
      })
      return team
    },
    /** Creates thousands of rewards at once. */
    async entries(given: readonly Said<'entry'>[]) {
      const rows = given.map((row) => rowFor('entry', row))
      await write((tx) => insertMany(tx, 'entries', rows))
    },
    /** Invites a partner to a round of a project. */
    async assign(project_id: number, partner_id: number, round = 1) {
      const row = { project_id, partner_id, round, assigned_at: now(), mailed_at: null }
      await statement((db) => db.insertInto('project_partners').values(row).execute())
    },
  }
}
