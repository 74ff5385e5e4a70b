import type { Insertable, Selectable } from 'kysely'
import { addDays, civilToday } from '../../contract/pacing.ts'
import type { Settings } from '../../server/core/settings.ts'
import { type Database, insertMany, transact } from '../../server/db/connect.ts'
import type { Schema } from '../../server/db/schema.ts'
import { type DemoNoun, demoNouns } from '../../server/demo/demoNouns.ts'
import { type Given, rowOf, type UsualTable } from '../../server/demo/row.ts'

/** A record's defaults beside the usual ones (server/demo/row.ts), made with a unique number. */
const examples = {
  client: (nth) => ({ name: `Client ${nth}` }),
  user: (nth) => ({
    email: `person${nth}@mail.test`,
    first_name: 'Pat',
    last_name: `Person ${nth}`,
    phone: '2125550100',
  }),
  team: (nth) => ({ name: `Team ${nth}` }),
  partner: (nth) => ({ name: `Partner ${nth}`, email: `partner${nth}@mail.test` }),
  place: (nth) => ({ name: `Store #${nth}` }),
  group: (nth) => ({ name: `Stores ${nth}` }),
  /** In field from last week to next week. */
  project: (nth, today) => ({
    name: `Project ${nth}`,
    status: 'active' as const,
    ordered: 100,
    cost_cents: 100_000,
    start_dt: addDays(today, -7),
    end_dt: addDays(today, 7),
    survey_url: 'https://survey.test/1',
    provider_id: 1,
  }),
  activity: (nth) => ({ name: `Activity ${nth}` }),
  target: () => ({}),
  survey: (nth) => ({ name: `Survey ${nth}` }),
  question: (nth) => ({ name: `Question ${nth}`, options: '["Yes","No"]' }),
  reward: () => ({ name: '$10 Gift card', amount_cents: 1000 }),
  note: (nth) => ({ note: `Note ${nth}` }),
  proffer: () => ({}),
  quote: () => ({ cost_cents: 100_000, ordered: 100 }),
  mail: (nth) => ({ to_address: `somebody${nth}@mail.test`, subject: `Mail ${nth}`, body: 'Hello', secrets: null }),
  file: (nth) => ({
    kind: 'asset' as const,
    original_name: `picture-${nth}.png`,
    storage_key: `made/${nth}.png`,
    mime: 'image/png',
    size: 12,
  }),
  entry: (nth) => ({ email: `winner${nth}@mail.test`, ip: `198.51.100.${nth % 250}`, amount_cents: 1000 }),
} satisfies Partial<Record<DemoNoun, (nth: number, today: string) => object>>

type Examples = typeof examples
type Made = keyof Examples
type Own<N extends Made> = (typeof demoNouns)[N]['tables'][0] & UsualTable
/** A record's required values, and any other column. */
type Said<N extends Made> = Omit<Given<Own<N>>, keyof ReturnType<Examples[N]> | 'email_key'> & Partial<Insertable<Schema[Own<N>]>>
type Row<N extends Made> = Selectable<Schema[Own<N>]>
type Maker<N extends Made, More = unknown> =
  Record<never, never> extends Said<N> ? (given?: Said<N> & More) => Promise<Row<N>> : (given: Said<N> & More) => Promise<Row<N>>

/** Columns derived from the given ones. */
const derived: { readonly [N in Made]?: (row: Said<N>) => Partial<Insertable<Schema[Own<N>]>> } = {
  entry: ({ email }) => ({ email_key: email!.trim().toLowerCase() }),
}

/**
 * Makes records of every demo noun from the same rows: `make.team({ client_id })`, any column as given.
 * Writes directly to the database (ids, statuses, past times) and leaves no history or event.
 */
export function makers(services: { database: Database; settings: Pick<Settings, 'timeZone'> }) {
  let serial = 0
  const now = () => new Date().toISOString()
  const today = () => civilToday(services.settings.timeZone)
  const write = <T>(work: Parameters<typeof transact<T>>[1]) => transact(services.database, work)

  function rowFor<N extends Made>(noun: N, given: Said<N>): Insertable<Schema[Own<N>]> {
    const said = { ...examples[noun](++serial, today()), ...given } as unknown as Said<N>
    return rowOf(demoNouns[noun].tables[0] as Own<N>, now(), { ...said, ...derived[noun]?.(said), ...given } as never)
  }
  const plain = <N extends Made>(noun: N) =>
    ((given: Said<N> = {} as Said<N>) =>
      write((tx) =>
        tx
          .insertInto(demoNouns[noun].tables[0] as 'clients')
          .values(rowFor(noun, given) as never)
          .returningAll()
          .executeTakeFirstOrThrow(),
      )) as unknown as (given: Said<N>) => Promise<Row<N>>

  const all = Object.fromEntries((Object.keys(examples) as Made[]).map((noun) => [noun, plain(noun)])) as unknown as {
    [N in Made]: Maker<N>
  }
  return {
    ...all,
    today,
    /** A user of the given clients. */
    async user({ clients = [], ...given }: Partial<Said<'user'>> & { clients?: number[] } = {}) {
      const user = await all.user(given)
      await write((tx) =>
        insertMany(
          tx,
          'user_clients',
          clients.map((client_id) => ({ user_id: user.id, client_id })),
        ),
      )
      return user
    },
    /** A client's team with its users and the projects it sees. */
    async team({ users = [], projects = [], ...given }: Said<'team'> & { users?: number[]; projects?: number[] }) {
      const team = await all.team(given)
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
    /** Makes thousands of rewards at once. */
    async entries(given: readonly Said<'entry'>[]) {
      const rows = given.map((row) => rowFor('entry', row))
      await write((tx) => insertMany(tx, 'entries', rows))
    },
    /** Invites a partner to a round of a project. */
    async assign(project_id: number, partner_id: number, round = 1) {
      const row = { project_id, partner_id, round, assigned_at: now(), mailed_at: null }
      await write((tx) => tx.insertInto('project_partners').values(row).execute())
    },
  }
}
