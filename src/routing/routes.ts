import { catalogueRoutes } from './catalogue.ts'
import { formRoutes } from './forms.ts'
import { outsideRoutes } from './outside.ts'
import { peopleRoutes } from './people.ts'
import { projectRoutes } from './projects.ts'
import type { ParamsOf, RouteRow, Section } from './route.ts'

/** The routes table: every screen, by area. Router, titles, tab rows, sidebar, links and "Go to …" derive from it. */
export const routes = { ...outsideRoutes, ...projectRoutes, ...formRoutes, ...peopleRoutes, ...catalogueRoutes } as const

type Routes = typeof routes
export type RouteId = keyof Routes
/** The keys of a route's tabs. */
export type TabOf<Id extends RouteId> = Routes[Id] extends RouteRow<string, infer Tabs> ? keyof Tabs & string : never

/** Returns a row without its path's exact type. */
export const rowOf = (id: RouteId): RouteRow => routes[id] as unknown as RouteRow
/** Every route's id, in the table's order. */
export const routeIds = Object.keys(routes) as RouteId[]

interface HrefOptions<Id extends RouteId> {
  tab?: TabOf<Id>
  query?: Readonly<Record<string, string | number | null | undefined>>
}
type Rest<Id extends RouteId, P = ParamsOf<Routes[Id]['path']>> = keyof P extends never
  ? [params?: Record<string, never>, options?: HrefOptions<Id>]
  : [params: P, options?: HrefOptions<Id>]

/** Returns a screen's URL: `href('project', { id: 4812 }, { tab: 'overview', query: { age: '2,3' } })`. */
export function href<Id extends RouteId>(id: Id, ...[params, options]: Rest<Id>): string {
  const row = rowOf(id)
  const filled = row.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, string | number>)[name])),
  )
  const open = options?.tab ?? (row.stays ? undefined : (row.opens ?? Object.keys(row.tabs ?? {})[0]))
  const path = open ? `${filled}/${row.tabs![open]!.path}` : filled
  const query = Object.entries(options?.query ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== '')
  return query.length
    ? `${path}?${query.map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(String(value))}`).join('&')}`
    : path
}

/** Encodes a query key or value, keeping readable characters. A lone surrogate becomes U+FFFD. */
export const encodeQuery = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/%(2C|2F|3A|3B|40)/g, (code) => decodeURIComponent(code))

/** The start screen. */
export const HOME = href('allProjects')

/** The sidebar's entries by section and position. Entries with parameters open a question in the palette. */
export const sections: readonly {
  section: Section
  title: string
  entries: readonly { id: RouteId; title: string; path: string }[]
}[] = (
  [
    ['projects', 'Projects'],
    ['visitation', 'Visitation'],
    ['add', 'Add'],
    ['settings', 'Settings'],
    ['v3', 'v3'],
  ] as const
).map(([section, title]) => ({
  section,
  title,
  entries: routeIds
    .filter((id) => rowOf(id).menu?.section === section)
    .sort((a, b) => rowOf(a).menu!.at - rowOf(b).menu!.at)
    .map((id) => ({ id, title: rowOf(id).menu!.title ?? rowOf(id).title, path: (href as (id: RouteId) => string)(id) })),
}))
