import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import type { Actor } from '../../contract/who.ts'
import type { Database, Db, Tx } from '../db/connect.ts'
import type { HistoryTable, JobTable, UserTable } from '../db/schema.ts'
import type { KeyScope } from './keyScope.ts'
import type { Change, FileStore, Live, Mailer } from './ports.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The services of one server process. */
export interface Services {
  settings: Settings
  database: Database
  log: FastifyBaseLogger
  mailer: Mailer
  files: FileStore
  jobs: Jobs
  live: Live
  secrets: Secrets
  /** True after the process was told to stop: it still answers, but a proxy should send no more. */
  stopping: boolean
  /** The time; tests set it. */
  now(): Date
}

export type UserRow = Selectable<UserTable>

/** The caller: a user by session, a partner by a signed link, an importer by an API key, or anonymous. */
export interface Caller {
  user: UserRow | null
  actor: Actor | null
  session: { id: number; client: string; by: 'headers' | 'cookie'; expires_at: string } | null
  partner: { project_id: number; partner_id: number } | null
  apiKey: { id: number; name: string; created_by: number; scope: KeyScope; reads: boolean } | null
}

/** A line of the history; `at` and who are filled in. */
export type HistoryLine = Pick<HistoryTable, 'subject' | 'subject_id'> &
  Partial<Pick<HistoryTable, 'project_id' | 'origin' | 'partner_id' | 'reason' | 'action'>> & { before?: object; after?: object }

/** What a handler gets: its validated input, the caller, and the database; in a write `db` is the transaction. */
export interface Ctx<I = unknown> {
  input: I
  services: Services
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
  /** The write is only tried (`dry=1`), and is taken back whole: only what it says of itself needs to know. */
  dry: boolean
  record(lines: HistoryLine | readonly HistoryLine[]): Promise<void>
  emit(change: Change): void
  /** Runs after the commit; a failure is logged, never answered. */
  after(work: () => unknown): void
  /** For calls that open their own transaction (`ownTransaction`): a write context within one. */
  write<T>(work: (ctx: Ctx<I>) => Promise<T>): Promise<T>
  /** The same, done once for the key that the request may carry (server/core/idempotency.ts); `said` is all that was sent. `replayed`: it was done before, and this is what it was answered then. */
  writeIdempotent<T>(
    said: unknown,
    work: (ctx: Ctx<I>) => Promise<T>,
  ): Promise<{
    answer: T
    replayed: boolean
    /** Returns this for a repeated request instead, for values known only after the commit. A failure is logged. */
    keep(answer: T): Promise<void>
  }>
  /** The body of a call with `lines`, when it was sent as NDJSON: bytes as they come; ends with a 413 when there are too many. */
  lines: Readable | null
  request: FastifyRequest
  reply: FastifyReply
}

export type JobRow = Selectable<JobTable>

/** What is to be done, kept as a row until it is done. */
export interface NewJob {
  kind: string
  /** What the Jobs pane calls it. */
  title: string
  /** Plain JSON: the job may run after a restart, in another process. */
  input: object
  /** ISO time before which it does not begin. */
  notBefore?: string
}

/** A job while it runs. */
export interface RunningJob {
  id: number
  title: string
  /** What `add` was given. */
  input: unknown
  services: Services
  /** Who asked for it, as they are now; nobody for the server's own jobs. */
  caller: Caller
  /** Aborted when it is cancelled, when its claim is lost and when the server ends. */
  signal: AbortSignal
  /** How far it is; written and told at most four times a second. */
  progress(done: number, total?: number): void
  /** A write with history and live events, in the name of who asked. */
  write<T>(work: (ctx: Ctx<undefined>) => Promise<T>): Promise<T>
}

/** A row of work: what every table has whose rows are claimed and done. */
export type Work = Pick<JobRow, 'id' | 'attempts' | 'not_before'>

/** How work ended, or that it goes back to the queue: at once unless `not_before` says when. */
export type WorkEnd =
  | { status: 'done'; result: object }
  | { status: 'failed'; error: string }
  | { status: 'queued'; error?: string; attempts?: number; not_before?: string }

/**
 * A table whose rows are work, with `id`, `status`, `attempts` and `not_before`; a row waits while its status is
 * `queued`. Says in which words and columns the table keeps what the jobs write. docs/decisions/mail.md says why.
 */
export interface Queue<Row extends Work = Work> {
  table: 'jobs' | 'mails'
  /** The status of a row that is being worked on. */
  running: string
  kindOf(row: Row): string
  /** What the row says of itself; `by` is the id of the person who asked for it. */
  describe(row: Row): { title: string; input: unknown; by: number | null }
  /** What claiming a row writes beside its status and its attempts. */
  claimed(worker: string, now: Date): object
  /** The columns by which a claimed row is still held by whoever claimed it. */
  holder(row: Row): object
  /** A row that is being worked on is lost when this column is below this value: its process died. */
  lost(now: Date): { column: string; below: string }
  /** The column that names the worker, where there is one. On SQLite a worker that isn't this process is dead. */
  worker?: string
  /** What a sign of life writes, and how far the work is; without it a row needs none. */
  beat?(done: number, total: number, at: string): object
  /** What the end of its work writes into a row. */
  ended(row: Row, end: WorkEnd, at: string): object
  /** Tells the open workspaces that a row changed. */
  tell(ctx: Pick<Ctx, 'emit'>, row: Row): void
  /** Its work is small and there may be much of it: what ended is told of once for several rows, what begins is not. */
  many?: true
}

/** What a kind of job does, and how it is held. */
export interface JobKind {
  /** Returns what is stored as the job's result. Must be safe to start over after a kill, unless `once`. */
  run(job: RunningJob): Promise<object>
  /** A killed one is not begun again but ends with a reason. */
  once?: true
  /** May be begun again after it failed or was cancelled: what it does twice is done once. Never for what pays or mails. */
  again?: true
  /** May only be cancelled before it starts. */
  untilStart?: true
  /** Undoes, in the cancelling transaction, what was claimed when it was added. */
  cancelled?(ctx: Ctx, job: JobRow): Promise<void>
  /** Looks for what a killed process left behind; run at the start and every minute. */
  sweep?(services: Services): Promise<unknown>
  /** How many of the kind run at a time in one process; 2 unless told. */
  width?: number
  /** The table in which its work waits, where that is not the jobs' own: rows that people read as something else. */
  queue?: Queue
  /** The pauses (ms) before the second and every later try of what was refused (WorkRefused); without them it fails. */
  pauses?: readonly number[]
  /** Can't be given back half way: a process that ends waits until it is done. */
  finishes?: true
  /** Done before each look for the work of its own queue, and must cost next to nothing; false while none can be done. */
  prepare?(services: Services): Promise<boolean>
}

/** Long work, kept in rows: each job runs in one process only, and outlives the process that took it. */
export interface Jobs {
  /** Adds a job in the call's transaction; it begins after the commit. */
  add(ctx: Ctx, job: NewJob): Promise<JobRow>
  /** Teaches this process a kind of job; a job of an unknown kind waits for a process that knows it. */
  define(kind: string, how: JobKind): void
  /** What this process knows of a kind. */
  kind(kind: string): JobKind | undefined
  /** Cancels a job in the call's transaction; returns the sentence that says why not, or null. */
  cancel(ctx: Ctx, job: JobRow): Promise<string | null>
  /**
   * Queues a failed or cancelled job again in the call's transaction; returns the sentence that says why not, or null.
   */
  retry(ctx: Ctx, job: JobRow): Promise<string | null>
  /** Waits for a job to end, at most this many milliseconds; returns its row. */
  settled(id: number, atMost: number): Promise<JobRow>
  /** Something may be waiting: looks at once. */
  wake(): void
  /** Takes no more, asks those that run to stop, and gives them back to the queue. */
  close(): Promise<void>
}
