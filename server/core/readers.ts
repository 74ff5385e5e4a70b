import type { Delimiter, Encoding } from '../../contract/importWords.ts'
import type { draftsOf } from '../../contract/questionSheet.ts'
import type { TableLine, TableOptions } from './table.ts'

/** A picture's thumbnail and displayed size. */
interface Picture {
  thumb: Uint8Array
  width: number
  height: number
}
/** A video's size in pixels and length in seconds; null if its header doesn't say. */
interface Film {
  width: number | null
  height: number | null
  seconds: number | null
}
/** Lines of a table; the first piece has none, and says how the table is read. */
interface TablePiece {
  sheets: readonly string[]
  sheet: string
  delimiter: Delimiter | ''
  encoding: Encoding | ''
  lines: readonly TableLine[]
}

/** What is done with the content of a file: what it needs beside the content, and what it gives, piece by piece. */
export interface ReadTasks {
  picture: { options: object; piece: Picture }
  film: { options: object; piece: Film }
  /** The content without metadata. */
  plain: { options: { mime: string }; piece: Uint8Array }
  table: { options: TableOptions; piece: TablePiece }
  /** The questions of a data map. */
  questions: { options: { name: string }; piece: ReturnType<typeof draftsOf>['drafts'] }
  /** Rows of a list of comments by their headings, each with its line, and why it can't be read. */
  comments: { options: object; piece: readonly { line: number; row: Record<string, string>; fault?: string }[] }
}
export type ReadTask = keyof ReadTasks

/** Why a file couldn't be read: its content is wrong, or its reading took too long, or too much memory. */
type Fault = 'broken' | 'slow' | 'large'

/** Thrown for a file that can't be read; the message says why, as the end of a sentence. */
export class Unreadable extends Error {
  readonly fault: Fault
  constructor(fault: Fault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** Reads stored files in processes of their own, with a limit of memory and time (docs/decisions/strangers.md). */
export interface Readers {
  /** The pieces of a content, each read when it is wanted; throws Unreadable, and 503 while all readers are busy. */
  read<T extends ReadTask>(task: T, key: string, options: ReadTasks[T]['options']): AsyncGenerator<ReadTasks[T]['piece']>
  /** Ends its processes. */
  close(): void
}

/** The only piece of a task that gives one. */
export async function readOnce<T extends ReadTask>(
  readers: Readers,
  task: T,
  key: string,
  options: ReadTasks[T]['options'],
): Promise<ReadTasks[T]['piece']> {
  for await (const piece of readers.read(task, key, options)) return piece
  throw new Unreadable('broken', 'it is empty')
}
