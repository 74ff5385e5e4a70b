import type { Access } from '../../contract/call.ts'
import type { RouteRow, TabRow } from './route.ts'
import { HOME, type RouteId, routeIds, rowOf } from './routes.ts'

/** What a ref means: its route, its parameters and query, and its one canonical spelling. */
export interface Match {
  id: RouteId
  row: RouteRow
  params: Record<string, string>
  /** The tab whose content shows, by key; `tabRow` is the one the path names. */
  tab: string | null
  tabRow: TabRow | null
  query: Record<string, string>
  path: string
  /** Path and query, canonical: what a pane holds. */
  ref: string
}

interface Node {
  exact: Map<string, Node>
  param: { name: string; node: Node } | null
  leaf: Leaf | null
}
type Leaf = { to: (params: Record<string, string>) => string } | { id: RouteId; tab: string | null }

const newNode = (): Node => ({ exact: new Map(), param: null, leaf: null })
const partsOf = (path: string) => path.split('/').filter(Boolean)
const fill = (path: string) => (params: Record<string, string>) => path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)

/** What a parameter may be: ids are numbers, so that `/{id}/edit-project` takes nothing else's path. */
const allows = (name: string, part: string): boolean =>
  name === 'questionType'
    ? /^(survey|profile|reward)$/.test(part)
    : name === 'filter'
      ? /^(none|\d{1,15})$/.test(part)
      : name === 'key'
        ? /^[\w-]{6,40}$/.test(part)
        : /^\d{1,15}$/.test(part)

const root = newNode()
function plant(path: string, leaf: Leaf): void {
  let node = root
  for (const part of partsOf(path)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name) {
      node.param ??= { name, node: newNode() }
      node = node.param.node
    } else {
      const next = node.exact.get(part) ?? newNode()
      node.exact.set(part, next)
      node = next
    }
  }
  node.leaf = leaf
}

// Parameters at one place of different routes share a node, so each leaf keeps the names of its own path.
const namesOf = new Map<Leaf, string[]>()
function sow(path: string, leaf: Leaf): void {
  namesOf.set(
    leaf,
    partsOf(path).flatMap((part) => /^\{(\w+)\}$/.exec(part)?.[1] ?? []),
  )
  plant(path, leaf)
}

for (const id of routeIds) {
  const row = rowOf(id)
  const tabs = Object.entries(row.tabs ?? {})
  const opening = row.opens ?? tabs[0]?.[0]
  if (row.leads) sow(row.path, { to: fill(row.leads) })
  else if (opening && !row.stays) sow(row.path, { to: fill(`${row.path}/${row.tabs![opening]!.path}`) })
  else sow(row.path, { id, tab: row.stays ? opening! : null })
  for (const [key, tab] of tabs) {
    sow(`${row.path}/${tab.path}`, { id, tab: key })
    for (const alias of tab.aliases ?? []) sow(alias, { to: fill(`${row.path}/${tab.path}`) })
  }
  for (const alias of row.aliases ?? []) sow(alias, { to: fill(row.path) })
}

function walk(node: Node, parts: readonly string[], at: number, values: string[]): { leaf: Leaf; values: string[] } | null {
  if (at === parts.length) return node.leaf ? { leaf: node.leaf, values } : null
  const part = parts[at]!
  const exact = node.exact.get(part)
  const found = exact && walk(exact, parts, at + 1, values)
  if (found) return found
  return node.param && /^[\w-]+$/.test(part) ? walk(node.param.node, parts, at + 1, [...values, part]) : null
}

/** Reads a path and follows aliases, leads and opening tabs to the screen it means; null when there is none. */
export function match(ref: string, hops = 4): Match | null {
  const cut = ref.indexOf('?')
  const path = cut < 0 ? ref : ref.slice(0, cut)
  const search = cut < 0 ? '' : ref.slice(cut)
  const found = walk(root, partsOf(path), 0, [])
  if (!found) return null
  const names = namesOf.get(found.leaf)!
  if (!names.every((name, i) => allows(name, found.values[i]!))) return null
  const params = Object.fromEntries(names.map((name, i) => [name, found.values[i]!]))
  if ('to' in found.leaf) return hops > 0 ? match(found.leaf.to(params) + search, hops - 1) : null
  const { id, tab } = found.leaf
  const row = rowOf(id)
  const tabRow = tab ? row.tabs![tab]! : null
  const canonical = `/${partsOf(path).join('/')}`
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

/** The same for what a person or another page wrote: bare paths go under /dashboard, with a leading slash or without. */
export const resolve = (ref: string): Match | null => {
  const rooted = ref.startsWith('/') ? ref : `/${ref}`
  return match(rooted) ?? match(`/dashboard${rooted}`)
}

/** As `resolve`, and an unknown path is all projects. */
export const resolveOrHome = (ref: string): Match => resolve(ref) ?? match(HOME)!

/** A query as plain words; of a key given twice the last one counts. */
export const readQuery = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

/** Why a screen does not open for a caller, or null: the first thing a pane checks. */
export function refusal(found: Match, role: 'admin' | 'client'): string | null {
  const access: Access = found.tabRow && found.tabRow.access === 'admin' ? 'admin' : found.row.access
  return access === 'admin' && role !== 'admin' ? 'Only administrators have access to this screen.' : null
}
