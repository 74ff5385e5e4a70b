import type { Readable } from 'node:stream'
import type { Noun } from '../../contract/nouns.ts'
import type { Tx } from '../db/connect.ts'

/*
 * The server's interfaces to files, mail and live events, each implemented in its own folder and wired in main.
 * The jobs' interface is in context.ts, because jobs receive the context.
 */

/** A range of bytes, both ends included. */
export interface Part {
  from: number
  to: number
}

/** What a stored content is: its bytes, and their SHA-256. */
export interface ContentSums {
  size: number
  sha256: string
}

/** Stores the bytes of files; names and owners are in the `files` table. Throws 503 when the store is unavailable. */
export interface FileStore {
  /** Stores content under a new key. A failure leaves nothing behind. */
  put(key: string, content: Readable | Uint8Array | string, mime: string): Promise<ContentSums>
  /** A stream of the content or a part of it; throws if there is none. */
  read(key: string, part?: Part): Promise<Readable>
  /** Removes a content; a missing one is fine. */
  remove(key: string): Promise<void>
  /** Its size in bytes; null if there is none. */
  size(key: string): Promise<number | null>
  /** Every stored content, unordered; `at` is when it was written. */
  list(): AsyncIterable<{ key: string; size: number; at: Date }>
  /** Removes partial uploads of killed processes, here and in the store; returns how many. */
  sweep(): Promise<number>
  /** Null if it is writable, else the reason; `fatal` if waiting won't help. */
  trouble(): Promise<{ fatal: boolean; sentence: string } | null>
}

/** A mail as it goes over the wire. */
interface Envelope {
  from: { name: string; address: string }
  replyTo?: string
  to: string
  subject: string
  text: string
  html?: string
  messageId: string
}

/** Counters for the operator's monitoring. */
export interface Metrics {
  /** Counts rows that intake added. */
  took(what: 'respondents' | 'visits', rows: number): void
}

/** Sends mails. */
export interface Mailer {
  /** False without SMTP_URL: mails stay in the Outbox. */
  sends: boolean
  /** Hands one mail to the SMTP server; throws WorkRefused if it is refused. */
  deliver(mail: Envelope): Promise<void>
  /** Null if the SMTP server lets this one sign in, or none is set; else the reason. */
  trouble(): Promise<string | null>
  /** Closes its connections; call it only when no mail is being sent. */
  close(): Promise<void>
}

/** A change, sent after the commit to every open workspace that may see it. */
export interface Change {
  noun: Noun
  id: number
  project_id?: number | null
  client_id?: number | null
  audience?: 'admin' | 'scope' | 'user'
  user_id?: number
  kind?: 'put' | 'drop' | 'counters'
  /** The columns of its record that were changed, with their former values. */
  before?: Readonly<Record<string, unknown>>
}

/** A change as a workspace receives it. */
export interface LiveEvent {
  id: number
  noun: string
  subject_id: number
  project_id: number | null
  client_id: number | null
  audience: 'admin' | 'scope' | 'user'
  user_id: number | null
  kind: string
  session_id: number | null
  at: string
  /** The call or job that it came from. */
  action: string
}

/**
 * Changes in commit order, for every process; each process reads them when it is woken.
 * Events are written last in a transaction, under one lock, so ids appear in order and no stream misses one.
 */
export interface Live {
  /** Writes a transaction's events; returns their first and last id, with no foreign ids between. */
  append(
    tx: Tx,
    changes: readonly Change[],
    sessionId: number | null,
    at: string,
    action: string,
  ): Promise<[first: number, last: number] | null>
  /** Tells this process that it committed events up to this id; on PostgreSQL, the commit itself tells the others. */
  wake(last: number): void
  /** The events after an id, at most `limit`. */
  since(id: number, limit?: number): Promise<LiveEvent[]>
  /**
   * Like `since`, but read once for all listeners of a process, as shared objects.
   * Covers everything committed before the last wake.
   */
  sharedSince(id: number, limit?: number): Promise<LiveEvent[]>
  last(): Promise<number>
  /** How often the database turned out to lack events that were read from it: listeners must load everything again. */
  rewinds(): number
  /** False once events after an id were swept, so that a stream can't resume there. */
  reaches(id: number): Promise<boolean>
  /** Deletes events too old to resume from, and those before a time. */
  sweep(before?: string): Promise<void>
  /** Calls back on each wake, and once when this process stops; returns the unsubscribe function. */
  subscribe(onEvents: () => void, onStop?: () => void): () => void
  /** Calls back when the database goes away or returns; returns the unsubscribe function. */
  watch(changed: (there: boolean) => void): () => void
  /** Makes open streams reconnect to another process; called at shutdown. */
  drain(): void
  close(): Promise<void>
}
