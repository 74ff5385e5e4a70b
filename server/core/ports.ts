import type { Readable } from 'node:stream'
import type { Noun } from '../../contract/nouns.ts'
import type { Tx } from '../db/connect.ts'

/*
 * The server's interfaces to the outside: files, mail, live events. Each is implemented in a folder of its own
 * (server/files, mail, live) and wired up in main. The jobs' interface is in context.ts: jobs are given the context.
 */

/** A part of a content, in bytes; both ends are in it. */
export interface Part {
  from: number
  to: number
}

/** Stores the bytes of files; names and owners are in the `files` table. Throws 503 when the store is unavailable. */
export interface FileStore {
  /** Stores content under a new key; returns its size in bytes. A failure leaves nothing behind. */
  put(key: string, content: Readable | Uint8Array | string, mime: string): Promise<number>
  /** The content, or a part of it, as a stream; throws when there is none. */
  read(key: string, part?: Part): Promise<Readable>
  /** Removes a content; one that is not there is fine. */
  remove(key: string): Promise<void>
  /** Its size in bytes, or null when there is none. */
  size(key: string): Promise<number | null>
  /** Every content that is kept, in no order; `at` is when it was written. */
  list(): AsyncIterable<{ key: string; size: number; at: Date }>
  /** Removes what killed processes left half written, here or on the way to the store; returns how many. */
  sweep(): Promise<number>
  /** Whether it can be written to: null, or the sentence that says why not; `fatal` when waiting does not mend it. */
  trouble(): Promise<{ fatal: boolean; sentence: string } | null>
}

/** A mail as it goes over the wire. */
export interface Envelope {
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  html?: string
  messageId: string
}

/** The way out for mails. */
export interface Mailer {
  /** False without SMTP_URL: mails are kept in the Outbox. */
  sends: boolean
  /** Hands one mail to the SMTP server; throws WorkRefused when it was not taken. */
  deliver(mail: Envelope): Promise<void>
  /** Lets go of its connections; nothing may be on its way any more. */
  close(): Promise<void>
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

/** One thing that changed, as a workspace hears it. */
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
}

/**
 * The changes in commit order, for every process. Events are rows written last in their transaction under one lock, so
 * that ids become visible in order and a resuming stream misses none; each process reads them when it is woken.
 */
export interface Live {
  /**
   * Writes the events of a transaction; returns the first and last id, with no other transaction's ids between them.
   */
  append(tx: Tx, changes: readonly Change[], sessionId: number | null, at: string): Promise<[first: number, last: number] | null>
  /** Something was committed: tells this process and, on PostgreSQL, the others. */
  wake(): void
  /** The events after an id, at most `limit`. */
  since(id: number, limit?: number): Promise<LiveEvent[]>
  /**
   * Reads the same once for all listeners of a process, as shared objects. Covers all that was committed before the
   * last wake.
   */
  heard(id: number, limit?: number): Promise<LiveEvent[]>
  last(): Promise<number>
  /** Whether every event after an id is still there: what was swept away can't be told one by one any more. */
  reaches(id: number): Promise<boolean>
  /** Takes events away that nobody asks for any more. */
  sweep(): Promise<void>
  /** Hears each wake and, once, that this process ends; returns a way to stop. */
  hear(heard: () => void, left?: () => void): () => void
  /** Hears when the database goes away, and when it is back; returns a way to stop. */
  watch(changed: (there: boolean) => void): () => void
  /** Called when this process shuts down: open streams reconnect to another. */
  leave(): void
  close(): Promise<void>
}
