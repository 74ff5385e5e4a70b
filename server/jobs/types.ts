import type { Selectable } from 'kysely'
import type { Caller, Ctx, House } from '../context.ts'
import type { JobTable } from '../db/schema.ts'

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
  house: House
  /** Who asked for it, as they are now; nobody for the server's own jobs. */
  caller: Caller
  /** Aborted when it is cancelled, when its claim is lost and when the server ends. */
  signal: AbortSignal
  /** How far it is; written and told at most four times a second. */
  progress(done: number, total?: number): void
  /** A write with history and live events, in the name of who asked. */
  write<T>(work: (ctx: Ctx<undefined>) => Promise<T>): Promise<T>
}

/** What a kind of job does, and how it is held. */
export interface JobKind {
  /** Answers what the job's row keeps as its result. Must bear being begun again after a kill, unless `once`. */
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
  sweep?(house: House): Promise<unknown>
  /** How many of the kind run at a time in one process; 2 unless told. */
  width?: number
}

/** Long work, kept in rows: each job runs in one process only, and outlives the process that took it. */
export interface Jobs {
  /** Adds a job in the call's transaction; it begins after the commit. */
  add(ctx: Ctx, job: NewJob): Promise<JobRow>
  /** Teaches this process a kind of job; a job of an unknown kind waits for a process that knows it. */
  define(kind: string, how: JobKind): void
  /** Cancels one in the call's transaction; answers the sentence that says why not, or null. */
  cancel(ctx: Ctx, job: JobRow): Promise<string | null>
  /** Queues one that failed or was cancelled again, in the call's transaction; answers the sentence that says why not, or null. */
  retry(ctx: Ctx, job: JobRow): Promise<string | null>
  /** Waits until a job has ended, at most so many milliseconds; answers its row as it is then. */
  settled(id: number, atMost: number): Promise<JobRow>
  /** Something may be waiting: looks at once. */
  wake(): void
  /** Takes no more, asks those that run to stop, and gives them back to the queue. */
  close(): Promise<void>
}
