import { kindsAmong, kindWord } from './can.ts'
import type { Command, Subject } from './command.ts'

/** "“Summer Snack Tracker”" or "7 projects". */
export const listed = (subjects: readonly Subject[]): string =>
  subjects.length === 1 ? `“${subjects[0]!.name}”` : `${subjects.length.toLocaleString('en-US')} ${nounOf(subjects)}`

/** The version of a record as it was seen: a write with it answers 409 when somebody else changed it meanwhile. */
export const lockOf = (record: unknown): { lock_version?: number } => {
  const { lock_version } = (record ?? {}) as { lock_version?: unknown }
  return typeof lock_version === 'number' ? { lock_version } : {}
}

/** Cents as dollars: $1,250.00. */
export const money = (cents: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

/** What records are called together: "projects", "rewards"; "records" of several kinds. */
export const nounOf = (subjects: readonly Subject[]): string => {
  const [kind, other] = kindsAmong(subjects)
  return kind && !other ? kindWord(kind, subjects.length !== 1) : 'records'
}

/** "Go live" of "Go live…". */
export const plain = (command: Pick<Command, 'title'>): string => command.title.replace(/…$/, '')
