import type { SubjectKind } from '../../contract/nouns.ts'
import type { Access } from '../../contract/who.ts'

/** The names inside a path's braces: `/dashboard/project-info/{id}` has `id`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof ParamsOf<Rest>]: string | number }
  : Record<never, never>

export interface TabRow {
  /** The last part of the path. */
  path: string
  title: string
  access: Access
  /** Left out of the tab row and reached by link, palette or key alone. */
  hidden?: true
  /** The tab whose content it shows: the specification names some screens twice (decisions.md 8). */
  shows?: string
  /** Other paths of the whole screen that redirect to this tab. */
  aliases?: readonly string[]
  /** The later area that fills it; missing when it is built. */
  area?: string
  /** What it will show, where it is not built yet. */
  about?: string
  /** As of a route. */
  form?: true
}

export type Section = 'projects' | 'visitation' | 'add' | 'settings' | 'v3'

export interface RouteRow<Path extends string = string, Tabs extends Record<string, TabRow> = Record<string, TabRow>> {
  path: Path
  title: string
  access: Access
  /** Stands in the header, and as the page's style class while the pane is active (projects-area 2). */
  header: { text: string; style: string }
  /** The area of the product that a screen which is not built yet (it has no row in src/screens.ts) waits for. */
  area?: string
  /** Tabs share one pane; the bare path opens the one that `opens` names, else the first. */
  tabs?: Tabs
  opens?: keyof Tabs & string
  /** The bare path shows its first tab without becoming its path. */
  stays?: true
  /** Its place in the sidebar: section, position, and its label if that is not the title. */
  menu?: { section: Section; at: number; title?: string }
  /** Other spellings that redirect here. */
  aliases?: readonly string[]
  /** Only a way to another path. */
  leads?: string
  /** The kind of entity the parameter {id} names: its name titles the tab, and commands act on it. */
  subject?: SubjectKind
  /** Outside the workspace: login and the other public pages. */
  outside?: true
  /** Opens in the first field of a form: what is typed while it comes is for that. */
  form?: true
  /** Of no use to signed-in users: they go to the dashboard. */
  guests?: true
  /** One sentence for the palette, the page and the help. */
  about: string
  /** Other words that find it in the palette. */
  keywords?: string
}

/** One row of the routes table. By default its title is the header's text, and its style class comes from the path. */
export function route<const Path extends string, const Tabs extends Record<string, TabRow> = Record<never, TabRow>>(
  path: Path,
  row: Omit<RouteRow<Path, Tabs>, 'path' | 'header'> & { header?: { text?: string; style?: string } },
): RouteRow<Path, Tabs> {
  const header = { text: row.header?.text ?? row.title, style: row.header?.style ?? styleOf(path) }
  return { path, ...row, header }
}

/** One tab of a route. */
export const tab = (
  path: string,
  title: string,
  access: Access,
  more: Pick<TabRow, 'hidden' | 'shows' | 'aliases' | 'area' | 'about' | 'form'> = {},
): TabRow => ({ path, title, access, ...more })

/** `/dashboard/v3/users` is styled by `page-v3-users`. */
const styleOf = (path: string) =>
  `page-${
    path
      .replace('/dashboard', '')
      .split('/')
      .filter((part) => part && !part.startsWith('{'))
      .map((part) => part.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase())
      .join('-') || 'home'
  }`
