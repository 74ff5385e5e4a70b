import type { ComponentType } from 'react'
import type { Access } from '../../contract/call.ts'

/** The names inside a path's braces: `/dashboard/project-info/{id}` has `id`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? { [K in Name | keyof ParamsOf<Rest>]: string | number } : {}

/** A pane's module: what a screen shows, loaded when it is first seen. */
export type LazyPane = () => Promise<{ default: ComponentType<PaneProps> }>

/** What every pane gets: its route's parameters; query, commands and rows come through the pane's hooks. */
export interface PaneProps {
  params: Record<string, string>
  /** The tab of the route, where it has tabs. */
  tab: string | null
}

export interface TabRow {
  /** The last part of the path. */
  path: string
  title: string
  access: Access
  /** Left out of the tab row and reached by link, palette or key alone. */
  hidden?: true
}

export type Section = 'projects' | 'visitation' | 'add' | 'settings' | 'v3'

export interface RouteRow<Path extends string = string, Tabs extends Record<string, TabRow> = Record<string, TabRow>> {
  path: Path
  title: string
  access: Access
  /** Stands in the header, and as the page's style class while the pane is active (projects-area 2). */
  header: { text: string; style: string }
  /** Missing: a later issue fills it, and the screen says so plainly. */
  pane?: LazyPane
  /** Tabs share one pane; the first the caller may see is opened by the bare path, unless `opens` names another. */
  tabs?: Tabs
  opens?: keyof Tabs & string
  /** Where it stands in the sidebar, and in which order. */
  section?: Section
  /** Other spellings that redirect here. */
  aliases?: readonly string[]
  /** Only a way to another route. */
  leads?: string
  /** The kind of entity the parameter {id} names: its name titles the tab, and commands act on it. */
  subject?: SubjectKind
  /** Outside the workspace: login and the other public pages. */
  outside?: true
  /** One sentence for the palette, the page and the help. */
  about: string
  /** Other words that find it in the palette. */
  keywords?: string
}

/** What a command can act on. */
export type SubjectKind = 'project' | 'campaign' | 'client' | 'team' | 'user' | 'partner' | 'entry' | 'survey' | 'activity' | 'note' | 'job' | 'mail' | 'location' | 'group' | 'brand'

/** One row of the routes table, precise in its path and tabs. */
export const route = <const Path extends string, const Tabs extends Record<string, TabRow> = {}>(path: Path, row: Omit<RouteRow<Path, Tabs>, 'path'>): RouteRow<Path, Tabs> => ({ path, ...row }) as RouteRow<Path, Tabs>
/** One tab of a route. */
export const tab = (path: string, title: string, access: Access, more: { hidden?: true } = {}): TabRow => ({ path, title, access, ...more })
