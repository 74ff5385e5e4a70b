import type { ParamsOf } from '../routing/route.ts'
import { HOME, href, type RouteId, routeIds, type routes, rowOf, type TabOf } from '../routing/routes.ts'
import { type Command, command } from './command.ts'
import { projectHere } from './projectHere.ts'
import type { WorkspaceApi } from './workspaceApi.ts'

type Path<Id extends RouteId> = (typeof routes)[Id]['path']
/** A screen without parameters, which has a "Go to …" command. */
type PlainRoute = { [Id in RouteId]: keyof ParamsOf<Path<Id>> extends never ? Id : never }[RouteId]
/** A screen of one record, or its tab, which is a command on that record. */
type RecordRoute = {
  [Id in RouteId]: keyof ParamsOf<Path<Id>> extends 'id' ? ('id' extends keyof ParamsOf<Path<Id>> ? Id : never) : never
}[RouteId]
type RecordTab = { [Id in RecordRoute]: `show.${Id}.${TabOf<Id>}` }[RecordRoute]

export type NavigationId = `go.${PlainRoute}` | `add.${PlainRoute}` | `show.${RecordRoute}` | RecordTab

const ICONS = { projects: 'list', visitation: 'visits', add: 'plus', settings: 'settings', v3: 'list' } as const

/** True for a form that creates something, in the sidebar or not. */
const isForm = (id: RouteId): boolean => rowOf(id).menu?.section === 'add' || /^New /.test(rowOf(id).title)

/** Formats the title: "Inbox · 3 unread". */
const inboxTitle = (workspace: WorkspaceApi): string | null => {
  const unread = workspace.unread()
  return unread ? `Inbox · ${unread} unread` : null
}

/** Formats the title: "Desk · 5 need you". */
const deskTitle = (workspace: WorkspaceApi): string | null => {
  const open = workspace.needsMe()
  return open ? `Desk · ${open} ${open === 1 ? 'needs' : 'need'} you` : null
}
/** TABLE  the titles that say how much waits there. */
const COUNTED: Partial<Record<RouteId, (workspace: WorkspaceApi) => string | null>> = { inbox: inboxTitle, desk: deskTitle }

/** Appends the path's last segment to a title that a sidebar screen has, too. */
const titleOf = (id: RouteId): string => {
  const { title, menu, path } = rowOf(id)
  const shared = !menu && routeIds.some((other) => rowOf(other).menu && rowOf(other).title === title)
  return shared ? `${title}: ${path.slice(path.lastIndexOf('/') + 1)}` : title
}

/** The address of a form that begins with the record at hand; null if none is, or the form doesn't ask for one. */
function atHand(id: RouteId, workspace: WorkspaceApi): string | null {
  const project = id === 'newSurvey' ? projectHere(workspace) : null
  if (project) return href('newSurvey', {}, { query: { project } })
  const shown = id === 'newTeam' ? workspace.subjects().focused : null
  return shown?.kind === 'client' ? href('newClientTeam', { id: shown.id }) : null
}

const screen = (id: RouteId): [string, Command] => {
  const row = rowOf(id)
  const adds = isForm(id)
  const path = (href as (id: RouteId) => string)(id)
  const built = command({
    title: row.adds ?? (adds && row.menu ? `New ${(row.menu.title ?? row.title).toLowerCase()}` : titleOf(id)),
    on: 'nothing',
    group: adds || row.adds ? 'add' : 'navigation',
    screen: row.access,
    keywords: [adds || row.adds ? row.title : 'go to open', row.keywords ?? ''].join(' '),
    ...(row.header ? { names: [row.header.text] } : {}),
    icon: row.menu ? ICONS[row.menu.section] : 'panel',
    ...(COUNTED[id] ? { titleNow: COUNTED[id] } : {}),
    opens: () => path,
    run: ({ workspace }) => {
      workspace.open(atHand(id, workspace) ?? path, path === HOME ? 'here' : 'tab')
    },
  })
  return [adds ? `add.${id}` : `go.${id}`, built as unknown as Command]
}

const recordScreen = (id: RouteId, tab: string | null): [string, Command] => {
  const row = rowOf(id)
  const tabRow = tab === null ? null : row.tabs![tab]!
  const pathOf = (record: number) => `${row.path.replace('{id}', String(record))}${tabRow ? `/${tabRow.path}` : ''}`
  const built = command({
    title: tabRow?.title ?? row.title,
    ...(tabRow ? { detail: `tab of the ${row.title.toLowerCase()}` } : {}),
    on: row.subject!,
    rule: null,
    group: 'screens',
    screen: tabRow?.access === 'admin' ? 'admin' : row.access,
    keywords: `go to open show ${row.keywords ?? ''}`,
    icon: 'panel',
    opens: ([subject]) => (subject ? pathOf(subject.id) : null),
    run: ({ workspace, subject }) => workspace.open(pathOf(subject.id), 'here'),
  })
  return [tab === null ? `show.${id}` : `show.${id}.${tab}`, built as unknown as Command]
}

const goes = routeIds.flatMap((id): [string, Command][] => {
  const row = rowOf(id)
  if (row.outside || row.guests || row.leads) return []
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1])
  if (!names.length) return [screen(id)]
  if (names.length > 1 || names[0] !== 'id' || !row.subject) return []
  // Includes tabs that aren't in the tab row.
  const tabs = Object.entries(row.tabs ?? {}).filter(([, tab]) => !tab.hidden || !tab.shows)
  return tabs.length ? tabs.map(([tab]) => recordScreen(id, tab)) : [recordScreen(id, null)]
})

/** "Go to …" for each screen, "New …" for each form, and each record's screens, derived from the routes table. */
export const navigationCommands = Object.fromEntries(goes) as unknown as Readonly<Record<NavigationId, Command>>

/** Returns the command that opens a sidebar screen. */
export const commandOfRoute = (id: RouteId): NavigationId => (isForm(id) ? `add.${id}` : `go.${id}`) as NavigationId
