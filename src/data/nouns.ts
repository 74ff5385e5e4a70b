import { calls } from 'virtual:calls'
import type { Noun } from '../../contract/call.ts'
import type { CallId } from '../../contract/calls.ts'

/** Calls whose prefix is not the noun of the record they read: two spellings of one table, or a part of another noun. */
const ALSO: Readonly<Record<string, readonly Noun[]>> = {
  campaign: ['project'],
  request: ['project'],
  quote: ['project', 'proffer'],
  account: ['session', 'user', 'preference'],
  session: ['account', 'user'],
  export: ['job'],
}
/** Single reads that show more than their prefix says. */
const SHOWS: Readonly<Record<string, readonly Noun[]>> = {
  'project.get': ['team', 'file', 'activity', 'target', 'survey', 'location'],
  'project.history': ['history', 'note', 'proffer'],
  'project.proffers': ['proffer'],
  'campaign.history': ['history', 'note', 'proffer'],
}

/** The nouns a call reads or writes: a change of one of them makes what it answered stale. */
export function nounsOf(id: CallId): ReadonlySet<string> {
  const prefix = id.slice(0, id.indexOf('.'))
  return new Set([prefix, ...(ALSO[prefix] ?? []), ...(SHOWS[id] ?? [])])
}

/** What a write makes stale: its own nouns and those its row names. */
export const refreshedBy = (id: CallId): ReadonlySet<string> => new Set([...nounsOf(id), ...calls[id]![2]])
