import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import type { Actor } from '../contract/access.ts'
import type { Noun } from '../contract/call.ts'
import type { KeyScope } from './account/keyScope.ts'
import type { Database, Db, Tx } from './db/connect.ts'
import type { HistoryTable, UserTable } from './db/schema.ts'
import type { FileStore } from './files/store.ts'
import type { Jobs } from './jobs/types.ts'
import type { Live } from './live/live.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** Everything the server stands on; one for a process. */
export interface House {
  settings: Settings
  database: Database
  log: FastifyBaseLogger
  mailer: Mailer
  files: FileStore
  jobs: Jobs
  live: Live
  secrets: Secrets
  /** It was told to end: it answers what comes, and a proxy should send no more. */
  leaving: boolean
  /** The time; tests set it. */
  now(): Date
}

export type UserRow = Selectable<UserTable>

/** Who makes the call: a user by session, a partner by a signed link, an importer by an API key, or nobody. */
export interface Caller {
  user: UserRow | null
  actor: Actor | null
  session: { id: number; client: string; by: 'headers' | 'cookie'; expires_at: string } | null
  partner: { project_id: number; partner_id: number } | null
  apiKey: { id: number; name: string; created_by: number; scope: KeyScope; reads: boolean } | null
}

/** What changed, told to every open workspace that may see it, after the commit. */
export interface Change {
  noun: Noun
  id: number
  project_id?: number | null
  client_id?: number | null
  audience?: 'admin' | 'scope' | 'user'
  user_id?: number
  kind?: 'put' | 'drop' | 'counters'
}

/** A line of the history; `at` and who are filled in. */
export type HistoryLine = Pick<HistoryTable, 'subject' | 'subject_id'> &
  Partial<Pick<HistoryTable, 'project_id' | 'origin' | 'partner_id' | 'reason' | 'action'>> & { before?: object; after?: object }

/** What a handler gets: its checked input, who asks, and the database; a write's `db` is its transaction. */
export interface Ctx<I = unknown> {
  input: I
  house: House
  caller: Caller
  /** The signed-in user; throws 401 where nobody is. */
  actor: Actor
  user: UserRow
  db: Db
  /** The transaction of a write; throws on a read. */
  tx: Tx
  /** Now, as ISO text in UTC, and today's civil date in the display zone. */
  now: string
  today: string
  /** The call's id, `noun.verb`. */
  call: string
  record(lines: HistoryLine | readonly HistoryLine[]): Promise<void>
  emit(change: Change): void
  /** Runs after the commit; a failure is logged, never answered. */
  after(work: () => unknown): void
  /** For calls that open their own transaction (`ownTransaction`): a write context within one. */
  write<T>(work: (ctx: Ctx<I>) => Promise<T>): Promise<T>
  /** The same, done once for the key that the request may carry (server/once.ts); `said` is all that was sent. `replayed`: it was done before, and this is what it was answered then. */
  writeOnce<T>(
    said: unknown,
    work: (ctx: Ctx<I>) => Promise<T>,
  ): Promise<{
    answer: T
    replayed: boolean
    /** Answers a repetition with this instead: for what is known only after the commit. A failure is logged. */
    keep(answer: T): Promise<void>
  }>
  /** The body of a call with `lines`, when it was sent as NDJSON: bytes as they come; ends with a 413 when there are too many. */
  lines: Readable | null
  request: FastifyRequest
  reply: FastifyReply
}
