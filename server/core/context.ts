import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { NewsKindId } from '../../contract/news.ts'
import type { Database, Db, Tx } from '../db/connect.ts'
import type { Replicas } from '../db/replicas.ts'
import type { HistoryTable, JobTable, UserTable } from '../db/schema.ts'
import type { KeyScope } from './keyScope.ts'
import type { Change, FileStore, Live, Mailer, Metrics } from './ports.ts'
import type { Readers } from './readers.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The services of one server process. */
export interface Services {
  settings: Settings
  /** The primary; within a read, it may be a replica. */
  database: Database
  /** Null unless DATABASE_READ_URL is set. */
  replicas: Replicas | null
  log: FastifyBaseLogger
  mailer: Mailer
  files: FileStore
  readers: Readers
  jobs: Jobs
  live: Live
  secrets: Secrets
  /** The record as its read call returns it to a caller now; null if they can't see it. */
  readRecord(caller: Caller, noun: string, id: number): Promise<unknown>
  /** Tells people what a write did; the unit of work calls it. */
  tellNews: TellsNews
  /** Missing unless METRICS_PORT is set. */
  metrics?: Metrics
  /** How many contents that rows name the store lacked at the last look, and how many were looked for. */
  contents: { looked: number; missing: number }
  /** True once the process was asked to stop: it still responds, but a proxy should route elsewhere. */
  stopping: boolean
  /** The current time; tests set it. */
  now(): Date
}

/** Tells people what a write did to the records that they follow, in its transaction. */
export type TellsNews = (
  tx: Tx,
  what: {
    caller: Caller
    /** The history lines of the write. */
    lines: readonly HistoryLine[]
    now: string
    today: string
    /** The display zone, in which days begin. */
    zone: string
    emit: (change: Change) => void
  },
) => Promise<void>

export type UserRow = Selectable<UserTable>

/**
 * What a partner's genuine link was signed over; `round` and `version` are null in older releases' links.
 * `expired_at` is the ISO time when it expired, null while it is valid.
 * The feasibility page's calls decide what an expired link still shows (server/domain/quote/invitations.ts).
 */
interface PartnerLink {
  project_id: number
  partner_id: number
  /** The partner in the link's address, which differs from `partner_id` after a merge. */
  addressed_id: number
  round: number | null
  version: number | null
  expired_at: string | null
}

/** The token of a program's request; its owner is `caller.user`. */
export interface CallerToken {
  id: number
  name: string
  /** `noun:read`, `noun:write`, `noun.verb`; `*` is every noun. */
  scopes: readonly string[]
  /** The clients and projects it is limited to; null if unlimited. */
  limit: KeyScope | null
}

/** The caller: a user by session or token, a partner by a signed link, an importer by an API key, or anonymous. */
export interface Caller {
  user: UserRow | null
  actor: Actor | null
  session: { id: number; client: string; by: 'headers' | 'cookie'; expires_at: string } | null
  partner: PartnerLink | null
  apiKey: { id: number; name: string; created_by: number; scope: KeyScope; reads: boolean } | null
  token: CallerToken | null
}

/** A line of the history; the time and the author are filled in. */
export type HistoryLine = Pick<HistoryTable, 'subject' | 'subject_id'> &
  Partial<Pick<HistoryTable, 'project_id' | 'origin' | 'partner_id' | 'reason' | 'action' | 'actor_id'>> & {
    before?: object
    after?: object
  }

/** A value that a list is sorted by; part of a cursor. */
export type CursorValue = string | number | null

/** A handler's validated input, caller and database; in a write, `db` is the transaction. */
export interface Ctx<I = unknown> {
  input: I
  services: Services
  caller: Caller
  /** The signed-in user; throws 401 for anonymous callers. */
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
  /** True with `dry=1`: the write is rolled back. Only handlers that describe their own effect read it. */
  dry: boolean
  /** Fields that were sent and don't apply, which the answer names in `ignored`. */
  readonly dropped: string[]
  /** Labels of fields that had a value and don't apply any more, which the answer's sentence names. */
  readonly cleared: string[]
  /** True once the transaction has written history, an event, or work for after the commit; always without one. */
  readonly wrote: boolean
  record(lines: HistoryLine | readonly HistoryLine[]): Promise<void>
  /** Notes the former values of a record's columns, which its webhooks report; the first note of a column counts. */
  notePrevious(noun: string, id: number, before: object): void
  emit(change: Change): void
  /** Runs after the commit; a failure is logged and never reaches the caller. */
  after(work: () => unknown): void
  /** Opens a write context with its own transaction, for `ownTransaction` calls. */
  write<T>(work: (ctx: Ctx<I>) => Promise<T>): Promise<T>
  /**
   * A write done once for the request's key (idempotency.ts).
   * `input` is the whole input; `replayed` is true if `answer` is the stored one.
   */
  writeIdempotent<T>(
    input: unknown,
    work: (ctx: Ctx<I>) => Promise<T>,
  ): Promise<{
    answer: T
    replayed: boolean
    /** Replaces the stored response with values known only after the commit. A failure is logged. */
    keep(answer: T): Promise<void>
  }>
  /** The NDJSON body of a call with `lines`, as a stream of bytes; fails with a 413 if it is too large. */
  lines: Readable | null
  /** What the last record before the caller's cursor is sorted by; null for a page by number (keyset.ts). */
  cursor: readonly CursorValue[] | null
  /** Notes the values of a page's last record, from which the next page's cursor is made; null on the last page. */
  endsAt(values: readonly CursorValue[] | null): void
  request: FastifyRequest
  reply: FastifyReply
}

export type JobRow = Selectable<JobTable>

/** A job to add; it is stored as a row until done. */
export interface NewJob {
  kind: string
  /** Its title in the Jobs pane. */
  title: string
  /** Plain JSON, because the job may run in another process after a restart. */
  input: object
  /** ISO time before which it doesn't start. */
  notBefore?: string
  /** The project or service that its title names: who doesn't see it any more doesn't see the job. */
  project_id?: number
  service_id?: number
}

/** A running job. */
export interface RunningJob {
  id: number
  title: string
  /** The input passed to `add`. */
  input: unknown
  services: Services
  /** The user who asked for it, as they are now; anonymous for the server's own jobs. */
  caller: Caller
  /** Aborted when the job is cancelled, its claim is lost or the server stops. */
  signal: AbortSignal
  /** Reports progress, stored and sent at most four times a second. */
  progress(done: number, total?: number): void
  /** A write with history and live events, in the requester's name. */
  write<T>(work: (ctx: Ctx<undefined>) => Promise<T>): Promise<T>
}

/** The columns of every table whose rows are claimed and worked on. */
export type Work = Pick<JobRow, 'id' | 'attempts' | 'not_before'>

/** How work ended; `queued` puts it back, to run at once or at `not_before`. */
export type WorkEnd =
  | { status: 'done'; result: object }
  | { status: 'failed'; error: string }
  | { status: 'queued'; error?: string; attempts?: number; not_before?: string }

/**
 * A table of work, with `id`, `status`, `attempts` and `not_before`; `queued` rows wait.
 * It maps job states to the table's own words and columns (docs/decisions/mail.md).
 */
export interface Queue<Row extends Work = Work> {
  table: 'jobs' | 'mails' | 'webhook_deliveries' | 'session_posts'
  /** The status of a row in progress. */
  running: string
  kindOf(row: Row): string
  /** Describes a row; `by` is the id of the user who asked for it, `token` of the token they used. */
  describe(row: Row): { title: string; input: unknown; by: number | null; token?: number | null }
  /** Columns to write when a row is claimed, beside status and attempts. */
  claimed(worker: string, now: Date): object
  /** Columns that identify the claim, so that a worker writes only a row it still holds. */
  holder(row: Row): object
  /**
   * A row in progress is lost if this column is below this value: its process died.
   * So it is above the other one, which only a clock that was ahead can have written.
   */
  lost(now: Date): { column: string; below: string; above: string }
  /** The column that names the worker, if any. On SQLite every other worker is dead. */
  worker?: string
  /** Columns that a heartbeat writes, with the progress; without it, rows need none. */
  beat?(done: number, total: number, at: string): object
  /** Columns to write when its work ends. */
  ended(row: Row, end: WorkEnd, at: string): object
  /** Tells open workspaces that a row changed. */
  emitChange(ctx: Pick<Ctx, 'emit'>, row: Row): void
  /** For tables with many small rows: emits one event for several ends, and none for starts. */
  many?: true
  /** Which due rows to claim next, at most `room`, if not simply the oldest. */
  next?(services: Services, room: number): Promise<readonly number[]>
}

/** What a kind of job does, and how it runs. */
export interface JobKind {
  /** Returns the job's stored result. Must be safe to start over after a kill, unless `once`. */
  run(job: RunningJob): Promise<object>
  /** Its owner is told in the inbox once it is done. */
  news?: NewsKindId
  /** A killed job doesn't start again; it fails with a reason. */
  once?: true
  /** May run again after a failure or a cancellation. Never set for payouts and mails. */
  again?: true
  /** Can be cancelled only before it starts. */
  untilStart?: true
  /** Reverts, in the cancelling transaction, what adding the job claimed. */
  cancelled?(ctx: Ctx, job: JobRow): Promise<void>
  /** Cleans up after killed processes, at the start and every minute. */
  sweep?(services: Services): Promise<unknown>
  /** Runs every ten seconds beside the jobs, never twice at a time; so it must be cheap when there is nothing to do. */
  tick?(services: Services, signal: AbortSignal): Promise<unknown>
  /** How many jobs of this kind one process runs at a time; 2 by default. */
  width?: number
  /** The table where its work waits, if not `jobs`. */
  queue?: Queue
  /** Pauses (ms) before each retry after WorkRefused; without them the job fails. */
  pauses?: readonly number[]
  /** Can't stop half way: a stopping process waits for it. */
  finishes?: true
  /** Runs before each look into its own queue, so it must be cheap; returns false while no work can be done. */
  prepare?(services: Services): Promise<boolean>
  /** True if it needs a look after every commit; cheap, as it is asked after bursts of them. */
  follows?(services: Services): Promise<boolean>
}

/** Long work kept in rows: each job runs in one process at a time, and survives that process. */
export interface Jobs {
  /** Adds a job in the call's transaction; it starts after the commit. */
  add(ctx: Ctx, job: NewJob): Promise<JobRow>
  /** Registers a kind of job in this process; jobs of unknown kinds wait for a process that knows them. */
  define(kind: string, how: JobKind): void
  /** What this process has registered for a kind. */
  kind(kind: string): JobKind | undefined
  /** Cancels a job in the call's transaction; returns null, or the reason it can't. */
  cancel(ctx: Ctx, job: JobRow): Promise<string | null>
  /** Queues a failed or cancelled job again in the call's transaction; returns null, or the reason it can't. */
  retry(ctx: Ctx, job: JobRow): Promise<string | null>
  /** Waits at most this many milliseconds for a job to end; returns its row. */
  settled(id: number, atMost: number): Promise<JobRow>
  /** Looks for waiting jobs at once. */
  wake(): void
  /** Takes no more jobs, aborts the running ones and puts them back in the queue. */
  close(): Promise<void>
}
