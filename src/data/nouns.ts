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
/** What the reads of a prefix show besides their own noun: names, counts and figures of other records. */
const SHOWN: Readonly<Record<string, readonly Noun[]>> = {
  project: ['client', 'team'],
  campaign: ['client', 'team', 'user'],
  activity: ['project', 'survey', 'target'],
  survey: ['project', 'activity'],
  client: ['project', 'user', 'team', 'location'],
  user: ['client', 'team'],
  partner: ['project'],
  proffer: ['project', 'partner'],
  runtime: ['project', 'entry', 'survey'],
  reward: ['entry', 'partner'],
  entry: ['reward'],
  note: ['user'],
  file: ['project', 'activity', 'user'],
  key: ['user'],
}
/** A history shows the lines of everything that belongs to the project. */
const HISTORY: readonly Noun[] = ['history', 'note', 'proffer', 'entry', 'file', 'activity', 'survey', 'target', 'user']
/** Single reads that show more than their prefix says. */
const SHOWS: Readonly<Record<string, readonly Noun[]>> = {
  'project.get': ['file', 'activity', 'target', 'survey', 'location', 'partner', 'user'],
  'project.history': HISTORY,
  'project.proffers': ['proffer', 'partner'],
  'campaign.history': HISTORY,
}

const prefixOf = (id: CallId): string => id.slice(0, id.indexOf('.'))
const cached = new Map<CallId, ReadonlySet<string>>()

/** The nouns that a read shows: a change of one of them makes its answer stale. */
export function nounsOf(id: CallId): ReadonlySet<string> {
  const known = cached.get(id)
  if (known) return known
  const prefix = prefixOf(id)
  const nouns = new Set([prefix, ...(ALSO[prefix] ?? []), ...(SHOWN[prefix] ?? []), ...(SHOWS[id] ?? [])])
  cached.set(id, nouns)
  return nouns
}

/** What a write makes stale: its own nouns and those its row names. */
export const refreshedBy = (id: CallId): ReadonlySet<string> =>
  new Set([prefixOf(id), ...(ALSO[prefixOf(id)] ?? []), ...calls[id]![2]])
