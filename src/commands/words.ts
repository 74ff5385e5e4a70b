import type { Sentence } from '../../contract/effectText.ts'
import { count } from '../../contract/format.ts'
import { wordOf } from '../../contract/nounOf.ts'
import { clauseOf, type EffectId, effectOf, type Facts, quotedName } from '../../contract/writeEffects.ts'
import { kindsAmong } from './availability.ts'
import type { Command } from './command.ts'
import type { Subject } from './subject.ts'

/** Quotes a name, so that it doesn't read as part of the sentence. Names of people and addresses stay unquoted. */
export const named = ({ kind, name }: Pick<Subject, 'kind' | 'name'>): string => quotedName(name, kind)

/** What a sentence about these records is about: one by its name, or how many. */
export const aboutOf = (subjects: readonly Subject[]): Facts => {
  const [one, other] = subjects
  return one && !other
    ? { name: one.name, kind: one.kind }
    : { count: subjects.length, words: [nounOf(subjects), nounOf(subjects)] }
}

/** Describes what happened to a record, or to several: "Client “Acme” created". */
export const noticeOf = (effect: EffectId, facts: Facts): Sentence => clauseOf(effectOf(effect), facts, 'after')

/** Describes subjects: "“Summer Snack Tracker”", "Ana Diaz" or "7 projects". */
export const listed = (subjects: readonly Subject[]): string =>
  subjects.length === 1 ? named(subjects[0]!) : `${count(subjects.length)} ${nounOf(subjects)}`

/** Returns the singular or the plural by number. */
export const either = (subjects: readonly unknown[], one: string, many: string): string => (subjects.length === 1 ? one : many)

/** Returns the record's version as seen; a write with it returns 409 if someone else has changed the record. */
export const lockOf = (record: unknown): { lock_version?: number } => {
  const { lock_version } = (record ?? {}) as { lock_version?: unknown }
  return typeof lock_version === 'number' ? { lock_version } : {}
}

/** Returns the plural for records: "projects", "rewards"; "records" for mixed kinds. */
export const nounOf = (subjects: readonly Subject[]): string => {
  const [kind, other] = kindsAmong(subjects)
  return kind && !other ? wordOf(kind, subjects.length !== 1) : 'records'
}

/** Returns "Go live" for "Go live…". */
export const plain = (command: Pick<Command, 'title'>): string => command.title.replace(/…$/, '')
