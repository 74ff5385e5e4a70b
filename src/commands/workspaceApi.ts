import type { Where } from '../routing/layout.ts'
import type { Option, Subject } from './subject.ts'

/** What the focused list offers to the keys and commands: its cursor, its selection, its search, its pages. A new object whenever cursor or selection changes. */
export interface ListController {
  readonly cursor: Subject | null
  /** What is still on its way: the rows of what is searched now, or the one under the cursor; null when both are there. */
  readonly coming: 'rows' | 'row' | null
  readonly selected: readonly Subject[]
  move(by: number): void
  end(which: 'first' | 'last'): void
  /** By as many rows as are in view. */
  screen(by: 1 | -1): void
  open(where: Where): void
  select(): void
  selectRange(by: number): void
  selectAll(): void
  clearSelection(): void
  search(): void
  filter(): void
  sort(): void
  page(by: number): void
  edit(): void
  expand(open: boolean): void
  menu(): void
  views: ListViews | null
  /** Ids of its columns, in their order; of those in view alone, as wide as it is now. */
  columns(visibleOnly: boolean): readonly string[]
  /** What it is exported as, with which columns, by which filter; `selects`: the server can name all that match. */
  exportable: {
    source: string
    columns: Readonly<Record<string, string>>
    filter: Record<string, unknown>
    selects: boolean
  } | null
}

/** A list's saved views, for commands: what it shows now, and the view that it shows. */
export interface ListViews {
  /** The screen as views are kept by: `client.users`. */
  screen: string
  /** The list's address, without its state. */
  path: string
  /** As its link says it. */
  state: string
  all: readonly Subject[]
  current: Subject | null
  /** The list has left what the current view keeps. */
  changed: boolean
  /** Shows a state; with `id` as the view of this id. */
  show(state: string, id?: number): void
}

/** What the focused pane's form offers to keys and commands. */
export interface FormController {
  send(): void
  /** Throws away what was typed and not sent. */
  discard(): void
}

/** The workspace as commands see it: they open, close, move and copy through it and know no pane. */
export interface WorkspaceApi {
  me: { id: number; role: 'admin' | 'client'; first_name: string; last_name: string; email: string; acting: boolean }
  /** Opens a path of the routes table. */
  open(path: string, where?: Where): void
  /** The focused pane's subject, its cursor row, its selected rows; in the order the palette offers them. */
  subjects(): { focused: Subject | null; cursor: Subject | null; selected: readonly Subject[]; view?: Subject | null }
  list(): ListController | null
  form(): FormController | null
  layout: LayoutController
  compare: CompareController
  /** Opens the palette: with a prefix, with a command's questions, or plain. */
  palette(start?: { text?: string; command?: string; answers?: Record<string, unknown> }): void
  /** Shows a dialog or sheet of the workspace itself. */
  show(what: 'help' | 'jobs' | 'notices'): void
  toggleSidebar(): void
  /** Turns every chart into the table behind it, and back. */
  toggleTables(): void
  /** Shows the text of a mail with what it opens, until it leaves the screen. */
  reveal(mail: { id: number; body: string }): void
  /** Ends the session, and leaves nothing of this person's names in the browser. */
  signOut(): Promise<void>
  setTheme(theme: 'system' | 'light' | 'dark'): void
  setDensity(density: 'compact' | 'comfortable'): void
  copy(what: 'link' | 'layout' | 'snapshot' | 'command'): Promise<string>
  again(): void
  /** Undoes the last step, or one of the list (which may also be one to redo). */
  undo(listed?: string): void
  redo(): void
  /** What can be undone and then redone, the latest first. */
  undoList(): readonly Option[]
  notice(sentence: string, tone?: 'good' | 'bad'): void
}

/** Columns, tabs, focus. */
export interface LayoutController {
  split(): void
  focusColumn(index: number): void
  focusNeighbour(by: -1 | 1): void
  moveTab(by: -1 | 1): void
  tab(by: -1 | 1): void
  /** The nth tab of the focused pane's own tab row (a project's 1…9). */
  paneTab(index: number): void
  close(): void
  closeOthers(): void
  reopen(): void
  back(): void
  forward(): void
  pin(): void
  restoreMine(): void
}

/** Compared columns. */
export interface CompareController {
  /** Lines these screens up in linked columns, the first as the baseline: on the tab and filters of the active pane where it shows the first. */
  open(refs: readonly string[]): void
  /** Adds screens to the comparison, as many as there is room for. */
  add(refs: readonly string[]): void
  link(): void
  unlink(): void
  /** Puts the trends on calendar days, or on days of field time. */
  days(): void
  /** Why something can't be done now, or null. */
  cannot(what: 'add' | 'link' | 'unlink' | 'days'): string | null
}
