import type { Input } from '../../contract/calls.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Where } from '../routing/layout.ts'
import type { Option, Subject } from './subject.ts'

/** The focused list for keys and commands; a new object whenever cursor or selection changes. */
export interface ListController {
  /** It has only a cursor and pages, like notes and history: no selection, search, order or columns. */
  readonly entries?: true
  /** Its rows are the fields of a record, which can only be moved to, opened and edited. */
  readonly fields?: true
  readonly cursor: Subject | null
  /** What is still loading: the search's rows or the cursor's row; null if neither is. */
  readonly loading: 'rows' | 'row' | null
  readonly selected: readonly Subject[]
  move(by: number): void
  end(which: 'first' | 'last'): void
  /** Moves by a screenful of rows, once or `count` times. */
  screen(by: 1 | -1, count?: number): void
  open(where: Where): void
  select(): void
  /** Extends the selection by a row; by 0 to the cursor, by more than 1 over that many rows from the cursor. */
  selectRange(by: number): void
  selectAll(): void
  /** Selects the next `count` rows from the cursor on. */
  selectNext?(count: number): void
  /** True if both leave out flagged rows. */
  readonly leavesFlagged?: true
  /** Replaces the selection. */
  selectThese?(subjects: readonly Subject[]): void
  /** Selects all matches that also meet a filter; resolves to their number, or null if canceled. */
  selectMatching?(filter: Record<string, unknown>): Promise<number | null>
  /** Moves to the next row that passes a test, wrapping around; false if there is none. */
  seek?(test: (subject: Subject) => boolean, signal: AbortSignal): Promise<boolean>
  /** Clears the selection; false if there was none. */
  clearSelection(): boolean
  /** Missing if the list has no search of its own. */
  search?: (() => void) | undefined
  filter(): void
  sort(): void
  page(by: number): void
  edit(): void
  expand(open: boolean): void
  menu(): void
  /** Opens the menu of the cursor's row beside it. */
  rowMenu?(): void
  /** The orders its rows can have, as in its menu. */
  orders?(): readonly { id: string; label: string; checked?: boolean | undefined; onSelect(): void }[]
  /** Resets search, filters and order; null if none is set. */
  clear?: () => (() => void) | null
  /** Arranges its columns, if it has any. */
  columnsAt?: ColumnsController
  /** Enlarges or shrinks previews. */
  zoom?(by: 1 | -1): void
  /** Shows or hides a map of its records. */
  toggleMap?(): void
  /** Switches between columns of names and a list. */
  toggleCompact?(): void
  /** Hides or shows its search box. */
  toggleSearch?(): void
  readonly searchHidden?: boolean
  /** True if it shows columns of names. */
  readonly compact?: boolean
  /** Shows rows that arrived since the list was opened. */
  showNew?(): void
  views: ListViews | null
  /** Returns the ids of its columns in order; with `visibleOnly`, those visible at the current width. */
  columns(visibleOnly: boolean): readonly string[]
  /** Its export source, columns and filter; `selects`: the server can resolve "all that match". */
  exportable: {
    source: string
    columns: Readonly<Record<string, string>>
    filter: Record<string, unknown>
    selects: boolean
  } | null
}

/** A list's columns, and the one with the cell cursor or the focused header. */
export interface ColumnsController {
  /** Opens the dialog of all columns. */
  open(): void
  reset(): void
  /** True if they differ from the defaults. */
  readonly changed: boolean
  /** All columns except the one with the names. */
  readonly all: readonly { id: string; header: string }[]
  /** The visible columns in order. */
  readonly chosen: readonly { id: string }[]
  change(chosen: readonly { id: string }[]): void
  /** The heading of the current column; null if there is none. */
  readonly header: string | null
  /** True if it is the column with the names, which can't be hidden. */
  readonly isName: boolean
  wider(): void
  narrower(): void
  left(): void
  right(): void
  /** True if the current column is pinned. */
  readonly isPinned: boolean
  pin(): void
  hide(): void
}

/** A list's saved views: its current state, and the view it shows. */
export interface ListViews {
  /** The screen's key for views: `client.users`. */
  screen: string
  /** The list's URL without its state. */
  path: string
  /** The list's state, encoded as in its link. */
  state: string
  all: readonly Subject[]
  /** True while views load, when it isn't known whether the list shows one. */
  loading: boolean
  current: Subject | null
  /** True if the list differs from the current view. */
  changed: boolean
  /** Shows a state; with `id`, as that view. */
  show(state: string, id?: number): void
}

/** Rows of a form: adds one, or removes the one with the focus; `whyNotRemove` says why it stays. */
export interface FormRows {
  add(): void
  remove(): void
  whyNotRemove?(): string | null
}

/** The focused pane's form, for keys and commands. */
export interface FormController {
  send(): void
  /** Sends the form and starts another one, if it offers that. */
  another?(): void
  /** Adds a row, or removes the focused one, if the form has rows. */
  rows?: FormRows
  /** Fills in fields with the result of `change`; false if the form has none of them. */
  fill?(change: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): boolean
  /** Discards unsaved typing. */
  discard(): void
}

/** The workspace as commands see it: they open, close, move and copy through it and don't know panes. */
export interface WorkspaceApi {
  me: { id: number; role: 'admin' | 'client'; first_name: string; last_name: string; email: string; acting: boolean }
  /** Opens a path of the routes table. */
  open(path: string, where?: Where): void
  /**
   * Returns the pane's subject, the cursor's row and the selected rows, in the order the palette offers them.
   * `deleted` is a record that the pane says was deleted, beside its own.
   */
  subjects(): {
    focused: Subject | null
    cursor: Subject | null
    selected: readonly Subject[]
    view?: Subject | null
    deleted?: Subject | null
  }
  list(): ListController | null
  form(): FormController | null
  /** Moves to a form's next or previous section; false if the pane has none. */
  stepSection(by: 1 | -1): boolean
  /** Sends a form of a few fields; false if the pane has none. */
  sendSmallForm(): boolean
  layout: LayoutController
  compare: CompareController
  /** Opens the palette: plain, with a prefix, or with a command's questions. */
  palette(start?: { text?: string; command?: string; answers?: Record<string, unknown> }): void
  /** Opens one of the workspace's own dialogs. */
  show(what: 'help' | 'notices'): void
  /**
   * Starts a command on records that this screen only refers to, read now with what may be done with them.
   * With `reviewed` it asks before it runs, as from a link.
   */
  startOn(command: string, records: RecordsToRead, reviewed: boolean): void
  /** Reports when jobs end: that their files are ready (with Download for a single one), or why one failed. */
  follow(jobs: number | readonly number[], ready: string): void
  files: FilesController
  /** Reports which of these rewards weren't paid, by reason, once their payout jobs have ended. */
  followPayout(jobs: readonly number[], rewards: readonly Subject[]): void
  /** The tabs, filters or fields of the focused pane. */
  places(kind: Place): readonly Option[]
  /** Opens a tab or a filter, or focuses a field. */
  goToPlace(kind: Place, value: string): void
  /** Opens the bar that searches the focused pane. */
  find(): void
  toggleSidebar(): void
  /** Toggles every chart between drawing and table. */
  toggleTables(): void
  /** Opens a dialog with the visitation services of client users. */
  servicesOf(users: readonly Subject[]): void
  /** Shows an email's text with its links until the email leaves the screen. */
  reveal(mail: { id: number; body: string }): void
  /** Ends the session and removes this user's data from the browser. */
  signOut(): Promise<void>
  setTheme(theme: 'system' | 'light' | 'dark'): void
  setDensity(density: 'dense' | 'compact' | 'comfortable'): void
  copy(what: 'link' | 'layout' | 'snapshot' | 'command'): Promise<string>
  /** Repeats the last command on the current records, or one of the history on its own records. */
  again(past?: string): void
  /** The commands that the user ran in this browser, latest first. */
  commandHistory(): readonly Option[]
  /** Undoes the last step, or a listed one, which may also be one to redo. */
  undo(listed?: string): void
  redo(): void
  /** Steps to undo, then steps to redo, latest first. */
  undoList(): readonly Option[]
  /** How many notifications the user hasn't read; null until known. */
  unread(): number | null
  /** How many open lines the user's desk has; null until known. */
  needsMe(): number | null
  notice(sentence: string, tone?: 'good' | 'bad'): void
}

/** One record, or those of a project in a list that match a filter. */
export type RecordsToRead =
  | { kind: SubjectKind; id: number; name: string }
  | { list: Input<'list.selection'>['list']; filter: object; project: number }

/** Files that exports and other jobs created. */
export interface FilesController {
  /** The newest file that became ready here and wasn't downloaded. */
  ready(): { id: number; name: string } | null
  /** Records that a job's file was downloaded. */
  fetched(job: number): void
  isFetched(job: number): boolean
}

/** A part of a pane that a command goes to. */
export type Place = 'tab' | 'filter' | 'field'

/** How far a pane scrolls: a few lines, a screenful, or to an end. */
export type Scroll = 'up' | 'down' | 'screenUp' | 'screenDown' | 'top' | 'bottom'

/** Columns, tabs and focus. */
export interface LayoutController {
  split(): void
  focusColumn(index: number): void
  focusNeighbour(by: -1 | 1): void
  moveTab(by: -1 | 1): void
  tab(by: -1 | 1): void
  /** The nth tab in the focused pane's own row (a project's 1…9). */
  paneTab(index: number): void
  close(): void
  closeOthers(): void
  reopen(): void
  back(): void
  forward(): void
  pin(): void
  /** Scrolls the focused pane, once or `count` times as far. */
  scroll(how: Scroll, count?: number): void
  /** Moves by some records in the list that the focused pane's record was opened from. */
  record(by: number): void
  restoreMine(): void
  /** Prints the focused pane without the workspace around it. */
  print(): void
  /** Shows only the focused pane, or everything again; toggles without `on`. False if nothing changed. */
  zen(on?: boolean): boolean
  isZen(): boolean
  /** All open tabs, most recently used first and the current one last. */
  openTabs(): readonly Option[]
  /** Shows a tab by its pane's id. */
  show(pane: string): void
  /** Goes to the previously visited screen and record, or to the one after; false if there is none. */
  jump(by: -1 | 1): boolean
}

/** Compared columns. */
export interface CompareController {
  /** Opens screens in linked columns, the first as baseline, on the active pane's tab and filters if it is one. */
  open(refs: readonly string[]): void
  /** Adds screens to the comparison, as many as fit. */
  add(refs: readonly string[]): void
  link(): void
  unlink(): void
  /** Toggles trends between dates and days in field. */
  days(): void
  /** Returns why an action isn't possible now, or null. */
  cannot(what: 'add' | 'link' | 'unlink' | 'days'): string | null
}
