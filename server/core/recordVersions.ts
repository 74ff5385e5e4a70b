import { FORESEEN_HEADER, RAISED_HEADER, REVIEWED_HEADER } from '../../contract/headers.ts'
import { nounOf, wordOf } from '../../contract/nounOf.ts'
import type { Database, Tx } from '../db/connect.ts'
import { locked } from '../db/locked.ts'
import { HttpError, invalid } from './errors.ts'
import { tableOf } from './undo/tables.ts'

/** One record at one version. */
export interface RecordVersion {
  noun: string
  id: number
  lock_version: number
}

/** A record's version before and after a write. */
export interface RaisedVersion {
  noun: string
  id: number
  from: number
  to: number
}

/** A record that has changed since it was reviewed; `lock_version` is null for one that can't be read any more. */
export interface ChangedRecord {
  noun: string
  id: number
  reviewed: number
  lock_version: number | null
}

/** The records that a write changes: found by a dry run, or expected from the one that was reviewed. */
export interface Foreseen {
  expected: readonly RecordVersion[]
  found: readonly RecordVersion[]
  /** True once a transaction has committed: a later one of the same call finds what the first one changed. */
  compared: boolean
}

/** How many records a header may list. */
export const MOST_LISTED = { [REVIEWED_HEADER]: 20, [FORESEEN_HEADER]: 300 } as const

/** Parses a header such as `project/4812=7,client/31=2`; throws a 422. */
export function versionsIn(header: string | string[] | undefined, name: keyof typeof MOST_LISTED): RecordVersion[] {
  const parts = String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const found = parts.map((part) => {
    const [, noun = '', id, version] = /^([a-zA-Z]{1,40})\/(\d{1,15})=(\d{1,9})$/.exec(part) ?? []
    if (!noun) throw invalid(name, `${name} must be a list such as project/4812=7`)
    return { noun, id: Number(id), lock_version: Number(version) }
  })
  if (found.length <= MOST_LISTED[name]) return found
  throw invalid(name, `${name} may list ${MOST_LISTED[name]} records`)
}

/** Versions as a header; of too many, the first, and `*` for the rest. */
export const versionsText = (versions: readonly RecordVersion[]): string =>
  [
    ...versions.slice(0, MOST_LISTED[FORESEEN_HEADER]).map(({ noun, id, lock_version }) => `${noun}/${id}=${lock_version}`),
    ...(versions.length > MOST_LISTED[FORESEEN_HEADER] ? ['*'] : []),
  ].join(',')

/** More than these aren't named: their page reads them back before it writes them again. */
const MOST_RAISED = 100
/** Names the versions that a write raised to the page that made it, so that its next write isn't in its own way. */
export function nameRaised(reply: { header(name: string, value: string): unknown }, raised: readonly RaisedVersion[]): void {
  const parts = raised.slice(0, MOST_RAISED).map(({ noun, id, from, to }) => `${noun}/${id}=${from}-${to}`)
  if (parts.length) reply.header(RAISED_HEADER, parts.join(','))
}

/** Holds a record's row until the commit, so that nobody changes it between a comparison and the write. */
export async function lockVersion(
  database: Database,
  tx: Tx,
  { noun, id }: Omit<RecordVersion, 'lock_version'>,
): Promise<{ lock_version: number } | undefined> {
  const table = tableOf(nounOf(noun)?.of ?? noun)
  if (!table) throw invalid(REVIEWED_HEADER, `${noun} has no versions`)
  const query = tx.selectFrom(table as 'clients').select('lock_version')
  return locked(database, query.where('id', '=', id)).executeTakeFirst()
}

/** The 409 for a write of something other than what was reviewed, with the versions and one record as it is now. */
export function changedSince(changed: readonly ChangedRecord[], theirs?: object): HttpError {
  const words = changed.map(({ noun }) => wordOf(noun))
  const one = changed.length === 1
  const sentence = one
    ? `This ${words[0]} has changed since it was reviewed, so nothing was done. Review it again.`
    : `${changed.length} records have changed since they were reviewed, so nothing was done. Review them again.`
  return new HttpError(409, 'changed', sentence, { changed: changed.slice(0, 20), ...(theirs ? { theirs } : {}) })
}

/** Throws the 409 if a write found one of the expected records at another version. */
export function assertAsForeseen({ expected }: Foreseen, found: readonly RecordVersion[]): void {
  const before = new Map(expected.map((one) => [`${one.noun}/${one.id}`, one.lock_version]))
  const changed = found.flatMap(({ noun, id, lock_version }) => {
    const reviewed = before.get(`${noun}/${id}`)
    return reviewed === undefined || reviewed === lock_version ? [] : [{ noun, id, reviewed, lock_version }]
  })
  if (changed.length) throw changedSince(changed)
}
