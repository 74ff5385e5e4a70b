import type { Access } from '../../contract/actor.ts'
import type { SubjectKind } from '../../contract/nouns.ts'

/** The parameter names in a path's braces: `/dashboard/project-info/{id}` has `id`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof ParamsOf<Rest>]: string | number }
  : Record<never, never>

/** A form that a route can declare, named by its table of fields (contract/fieldTables.ts). */
export type FormName =
  | ('activity' | 'activity.whole' | 'client' | 'event' | 'group' | 'location' | 'note')
  | ('post' | 'promo' | 'reward' | 'service.create' | 'survey')

export interface TabRow {
  /** The last segment of the path. */
  path: string
  title: string
  access: Access
  /** True for a tab that isn't in the tab row and is reached by link, palette or key. */
  hidden?: true
  /** The tab whose content it shows, because the specification names some screens twice (decisions.md 8). */
  shows?: string
  /** Other full paths that redirect to it. */
  aliases?: readonly string[]
  /** See a route's `form`. */
  form?: true
  /** See a route's `takesLocations`. */
  takesLocations?: true
}

export type Section = 'projects' | 'visitation' | 'add' | 'settings' | 'v3'

export interface RouteRow<Path extends string = string, Tabs extends Record<string, TabRow> = Record<string, TabRow>> {
  path: Path
  title: string
  access: Access
  /** The header's text, and the page's style class while the pane is active (projects-area 2). */
  header: { text: string; style: string }
  /** Tabs share one pane; the bare path opens the one named by `opens`, else the first. */
  tabs?: Tabs
  opens?: keyof Tabs & string
  /** The bare path shows its first tab but keeps its URL. */
  stays?: true
  /** Its sidebar entry: section, position, a label if it differs from the title, and who alone sees it. */
  menu?: { section: Section; at: number; title?: string; only?: 'client' }
  /** The title of its command, for a form outside the sidebar that creates something. */
  adds?: string
  /** Other spellings that redirect here. */
  aliases?: readonly string[]
  /** The path it redirects to. */
  leads?: string
  /** The screen that a client user gets instead, for one that only administrators open. */
  instead?: string
  /** The record kind of the parameter {id}: its name titles the tab, and commands act on it. */
  subject?: SubjectKind
  /** A parameter that is a state of the screen, not a record; changing it keeps what is shown. */
  state?: string
  /** True outside the workspace: sign-in and other public pages. */
  outside?: true
  /**
   * Focuses its first field on opening, which also receives the keys typed while it loads.
   * A table of fields declares the form that is drawn from it, which needs no pane of its own.
   */
  form?: true | FormName
  /** Dropping a file of addresses on it imports locations; on a screen with tabs, the tab has this. */
  takesLocations?: true
  /** For signed-out users only; others are redirected to the dashboard. */
  guests?: true
  /** A sentence for the palette, the page and help. */
  about: string
  /** More search terms for the palette. */
  keywords?: string
}

/** Declares a row of the routes table. Title and style class default to the header's text and the path. */
export function route<const Path extends string, const Tabs extends Record<string, TabRow> = Record<never, TabRow>>(
  path: Path,
  row: Omit<RouteRow<Path, Tabs>, 'path' | 'header'> & { header?: { text?: string; style?: string } },
): RouteRow<Path, Tabs> {
  const header = { text: row.header?.text ?? row.title, style: row.header?.style ?? styleOf(path) }
  return { path, ...row, header }
}

/** Declares a tab of a route. */
export const tab = (
  path: string,
  title: string,
  access: Access,
  more: Pick<TabRow, 'hidden' | 'shows' | 'aliases' | 'form' | 'takesLocations'> = {},
): TabRow => ({ path, title, access, ...more })

/** Returns a path's style class: `/dashboard/v3/users` has `page-v3-users`. */
const styleOf = (path: string) =>
  `page-${
    path
      .replace('/dashboard', '')
      .split('/')
      .filter((part) => part && !part.startsWith('{'))
      .map((part) => part.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase())
      .join('-') || 'home'
  }`
