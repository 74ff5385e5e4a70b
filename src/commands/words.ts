import { count } from '../../contract/format.ts'
import { wordOf } from '../../contract/nouns.ts'
import { kindsAmong } from './availability.ts'
import type { Command } from './command.ts'
import type { Subject } from './subject.ts'

/** A letter that is written from right to left. */
const LEFTWARD = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** A name within a sentence: one that runs from right to left is kept apart from it, and takes its own punctuation along. */
export const isolateBidi = (name: string): string => (LEFTWARD.test(name) ? `\u2068${name}\u2069` : name)

/**
 * Puts names in quotes, so that they don't read as part of the sentence; names of people and addresses stay as they
 * are.
 */
export const named = ({ kind, name }: Pick<Subject, 'kind' | 'name'>): string =>
  kind === 'user' || kind === 'entry' ? isolateBidi(name) : `“${isolateBidi(name)}”`

/** "“Summer Snack Tracker”", "Ana Diaz" or "7 projects". */
export const listed = (subjects: readonly Subject[]): string =>
  subjects.length === 1 ? named(subjects[0]!) : `${count(subjects.length)} ${nounOf(subjects)}`

/** One of two words: for one record, or for several. */
export const either = (subjects: readonly unknown[], one: string, many: string): string => (subjects.length === 1 ? one : many)

/** The version of a record as it was seen: a write with it answers 409 when somebody else changed it meanwhile. */
export const lockOf = (record: unknown): { lock_version?: number } => {
  const { lock_version } = (record ?? {}) as { lock_version?: unknown }
  return typeof lock_version === 'number' ? { lock_version } : {}
}

/** What records are called together: "projects", "rewards"; "records" of several kinds. */
export const nounOf = (subjects: readonly Subject[]): string => {
  const [kind, other] = kindsAmong(subjects)
  return kind && !other ? wordOf(kind, subjects.length !== 1) : 'records'
}

/** "Go live" of "Go live…". */
export const plain = (command: Pick<Command, 'title'>): string => command.title.replace(/…$/, '')

/** Keeps the digits of a typed phone number, at most ten (people-area 5). */
export const phoneDigits = (text: string): string => text.replace(/\D/g, '').slice(0, 10)
