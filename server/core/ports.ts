import type { Readable } from 'node:stream'
import type { Noun } from '../../contract/nouns.ts'
import type { Tx } from '../db/connect.ts'

/*
 * The outside world as the server sees it: files, mail, live events. Each is fulfilled in a folder of its own (server/files, mail, live), and
 * main puts the pieces in. The jobs, which are given the context, stand beside it in context.ts.
 */

/** A part of a content, in bytes; both ends are in it. */
export interface Part {
  from: number
  to: number
}

/** Where the bytes of files lie; what they are called and whose they are stands in the `files` table. A store that is away refuses with 503. */
export interface FileStore {
  /** Keeps a content under a new key; answers its size in bytes. A failure leaves nothing behind. */
  put(key: string, content: Readable | Uint8Array | string, mime: string): Promise<number>
  /** The content, or a part of it, as a stream; throws when there is none. */
  read(key: string, part?: Part): Promise<Readable>
  /** Removes a content; one that is not there is fine. */
  remove(key: string): Promise<void>
  /** Its size in bytes, or null when there is none. */
  size(key: string): Promise<number | null>
  /** Every content that is kept, in no order; `at` is when it was written. */
  list(): AsyncIterable<{ key: string; size: number; at: Date }>
  /** Takes away what processes that were killed left half written, here or on the way to the store; answers how many. */
  sweep(): Promise<number>
  /** Whether it can be written to: null, or the sentence that says why not; `fatal` when waiting does not mend it. */
  trouble(): Promise<{ fatal: boolean; sentence: string } | null>
}

/** A mail as it is queued. */
export interface Mail {
  to: string
  subject: string
  text: string
  html?: string | undefined
  /** What it is about, for the Outbox: `invitation user:12`. */
  about: string
  /** ISO time in UTC before which it does not leave. */
  notBefore?: string | undefined
  /** The exact texts in it that open something, and the ISO time from which they don't. */
  secrets?: readonly string[] | undefined
  secretsUntil?: string | undefined
  /** Whose account they open. */
  account?: number | undefined
}

/** The transactional outbox: a mail is a row of the call's transaction, and leaves after the commit. */
export interface Mailer {
  /** Writes the mail in the caller's transaction; answers its id. Wake the mailer after the commit (server/mail/send.ts does both). */
  queue(tx: Tx, mail: Mail): Promise<number>
  /** Something was queued: looks at once. */
  wake(): void
  /** Stops; waits for what is being sent. */
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
 * What changed, in the order of its commits, for every process: events are rows, written last in their transaction under one lock
 * (so that ids become visible in order and nobody resumes over a gap), and read again by whoever was woken.
 */
export interface Live {
  /** Writes the events of a transaction; answers the ids of the first and the last, which have none of others between them. */
  append(tx: Tx, changes: readonly Change[], sessionId: number | null, at: string): Promise<[first: number, last: number] | null>
  /** Something was committed: tells this process and, on PostgreSQL, the others. */
  wake(): void
  /** The events after an id, at most `limit`. */
  since(id: number, limit?: number): Promise<LiveEvent[]>
  /** The same for whoever was woken: read once for all of them, as objects that they share. Knows of what was committed before the last wake. */
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
  /** This process ends: whoever streams goes on at another. */
  leave(): void
  close(): Promise<void>
}
