import { parse } from 'regexparam'
import { letsIn } from '../../contract/actor.ts'
import type { Role } from '../../contract/vocabulary.ts'
import type { RouteRow, TabRow } from './route.ts'
import { HOME, type RouteId, routeIds, rowOf } from './routes.ts'

/** A parsed ref: its route, parameters, query and canonical form. */
export interface Match {
  id: RouteId
  row: RouteRow
  params: Record<string, string>
  /** The key of the tab whose content shows; `tabRow` is the one that the path names. */
  tab: string | null
  tabRow: TabRow | null
  query: Record<string, string>
  path: string
  /** The canonical path and query, as a pane stores it. */
  ref: string
}

/** The target of a path: a screen, or a path it redirects to. */
type Meaning = string | { id: RouteId; tab: string | null }

const partsOf = (path: string) => path.split('/').filter(Boolean)
const fill = (path: string, params: Record<string, string>) => path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)

/** Patterns of parameters that aren't ids. Ids are numbers, so that `/{id}/edit-project` matches no other path. */
const FORMS: Readonly<Record<string, string>> = {
  questionType: '[a-z]{1,20}',
  filter: 'none|\\d{1,15}',
  key: '[\\w-]{6,40}',
}

/** The table's paths parsed by wouter, by number of parts. No path matches two, so the order doesn't matter. */
const patterns = new Map<number, { pattern: RegExp; keys: readonly string[]; meaning: Meaning }[]>()

function add(path: string, meaning: Meaning): void {
  const { keys, pattern } = parse(path.replace(/\{(\w+)\}/g, ':$1'))
  let at = 0
  // The parser accepts any text and ignores case, which would give a screen two URLs.
  const exact = new RegExp(pattern.source.replace(/\(\[\^\\?\/]\+\?\)/g, () => `(${FORMS[keys[at++]!] ?? '\\d{1,15}'})`))
  const count = partsOf(path).length
  patterns.set(count, [...(patterns.get(count) ?? []), { pattern: exact, keys, meaning }])
}

for (const id of routeIds) {
  const row = rowOf(id)
  const tabs = Object.entries(row.tabs ?? {})
  const opening = row.opens ?? tabs[0]?.[0]
  add(
    row.path,
    row.leads ?? (opening && !row.stays ? `${row.path}/${row.tabs![opening]!.path}` : { id, tab: row.stays ? opening! : null }),
  )
  for (const [key, tab] of tabs) {
    add(`${row.path}/${tab.path}`, { id, tab: key })
    for (const alias of tab.aliases ?? []) add(alias, `${row.path}/${tab.path}`)
  }
  for (const alias of row.aliases ?? []) add(alias, row.path)
}

/** The sources of the patterns of all addresses that show a screen, for the server. */
export const screenPatterns = (): string[] => [...patterns.values()].flatMap((some) => some.map(({ pattern }) => pattern.source))

/** Resolves a path through aliases, redirects and default tabs to its screen; null if there is none. */
export function match(ref: string, hops = 4): Match | null {
  const cut = ref.indexOf('?')
  const path = cut < 0 ? ref : ref.slice(0, cut)
  const search = cut < 0 ? '' : ref.slice(cut)
  const parts = partsOf(path)
  const canonical = `/${parts.join('/')}`
  for (const { pattern, keys, meaning } of patterns.get(parts.length) ?? []) {
    const values = pattern.exec(canonical)
    if (!values) continue
    const params = Object.fromEntries(keys.map((name, i) => [name, values[i + 1]!]))
    if (typeof meaning === 'string') return hops > 0 ? match(fill(meaning, params) + search, hops - 1) : null
    const { id, tab } = meaning
    const row = rowOf(id)
    const tabRow = tab ? row.tabs![tab]! : null
    return {
      id,
      row,
      params,
      tab: tabRow?.shows ?? tab,
      tabRow,
      query: readQuery(search),
      path: canonical,
      ref: canonical + search,
    }
  }
  return null
}

/** Resolves a path as people write it: without /dashboard, with or without a leading slash. */
export const resolve = (ref: string): Match | null => {
  const rooted = ref.startsWith('/') ? ref : `/${ref}`
  return match(rooted) ?? match(`/dashboard${rooted}`)
}

/** Like `resolve`, but resolves an unknown path to all projects. */
export const resolveOrHome = (ref: string): Match => resolve(ref) ?? match(HOME)!

/** Parses a query string; of a repeated key, the last value wins. */
export const readQuery = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

/** Returns why a caller can't open a screen, or null. Every pane checks it first. */
export function refusal(found: Match, role: Role): string | null {
  return letsIn(found.row.access, { role }) && letsIn(found.tabRow?.access ?? 'public', { role })
    ? null
    : 'Only administrators can open this.'
}

/** Identifies the record that a ref shows a screen of; null for lists, new records and the like. */
export function recordIn(ref: string): string | null {
  const found = match(ref)
  const id = found?.params.id
  if (!found?.row.subject || id === undefined || id === '0') return null
  // One record, which both generations' screens show.
  return `${found.row.subject === 'campaign' ? 'project' : found.row.subject} ${id}`
}
