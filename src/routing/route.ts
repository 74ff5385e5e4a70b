import type { Access } from '../../contract/actor.ts'
import type { SubjectKind } from '../../contract/nouns.ts'

/** The parameter names in a path's braces: `/dashboard/project-info/{id}` has `id`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof ParamsOf<Rest>]: string | number }
  : Record<never, never>

export interface TabRow {
  /** The last segment of the path. */
  path: string
  title: string
  access: Access
  /** Not in the tab row; reached by link, palette or key. */
  hidden?: true
  /** The tab whose content it shows, as the specification names some screens twice (decisions.md 8). */
  shows?: string
  /** Other full paths that redirect to this tab. */
  aliases?: readonly string[]
  /** The same as a route's `form`. */
  form?: true
  /** The same as a route's `takesLocations`. */
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
  /** The bare path shows its first tab but keeps its address. */
  stays?: true
  /** Its sidebar entry: section, position, and a label if it isn't the title. */
  menu?: { section: Section; at: number; title?: string }
  /** The title of its command, for a form outside the sidebar that adds something. */
  adds?: string
  /** Other spellings that redirect here. */
  aliases?: readonly string[]
  /** Redirects to another path. */
  leads?: string
  /** The path of a caller's own screen in place of one that only administrators open. */
  instead?: string
  /** The record kind of the parameter {id}: its name titles the tab, and commands act on it. */
  subject?: SubjectKind
  /** A parameter that is a state of the screen and names no record: another value keeps what is shown. */
  state?: string
  /** Outside the workspace: sign-in and the other public pages. */
  outside?: true
  /** Opens in a form's first field, which gets the keys typed while it loads. */
  form?: true
  /** A table of addresses that is dropped on it becomes locations; of a screen with tabs, the tab says so. */
  takesLocations?: true
  /** For signed-out users only; others go to the dashboard. */
  guests?: true
  /** A sentence for the palette, the page and the help. */
  about: string
  /** More search terms for the palette. */
  keywords?: string
}

/** Defines a row of the routes table. Title and style class default to the header's text and the path. */
export function route<const Path extends string, const Tabs extends Record<string, TabRow> = Record<never, TabRow>>(
  path: Path,
  row: Omit<RouteRow<Path, Tabs>, 'path' | 'header'> & { header?: { text?: string; style?: string } },
): RouteRow<Path, Tabs> {
  const header = { text: row.header?.text ?? row.title, style: row.header?.style ?? styleOf(path) }
  return { path, ...row, header }
}

/** Defines a tab of a route. */
export const tab = (
  path: string,
  title: string,
  access: Access,
  more: Pick<TabRow, 'hidden' | 'shows' | 'aliases' | 'form' | 'takesLocations'> = {},
): TabRow => ({ path, title, access, ...more })

/** The style class of a path: `/dashboard/v3/users` has `page-v3-users`. */
const styleOf = (path: string) =>
  `page-${
    path
      .replace('/dashboard', '')
      .split('/')
      .filter((part) => part && !part.startsWith('{'))
      .map((part) => part.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase())
      .join('-') || 'home'
  }`
