import type { Where } from '../routing/layout.ts'
import type { Option, Subject } from './subject.ts'

/** The focused list's API for keys and commands; a new object whenever cursor or selection changes. */
export interface ListController {
  /** It has a cursor and pages alone, as notes and the history have: no selection, search, order or columns. */
  readonly entries?: true
  /** Its rows are the fields of a record, which are moved to, opened and edited, and no more. */
  readonly fields?: true
  readonly cursor: Subject | null
  /** What still loads: the search's rows or the cursor's row; null when both are there. */
  readonly coming: 'rows' | 'row' | null
  readonly selected: readonly Subject[]
  move(by: number): void
  end(which: 'first' | 'last'): void
  /** Moves by as many rows as are visible, once or `count` times. */
  screen(by: 1 | -1, count?: number): void
  open(where: Where): void
  select(): void
  /** Extends the selection by a row; by 0 to the cursor, by more from the cursor over so many rows. */
  selectRange(by: number): void
  selectAll(): void
  /** Selects these in place of what is selected. */
  selectThese?(subjects: readonly Subject[]): void
  /** Selects all that match, with further values of its filter; resolves to how many, null when it was stopped. */
  selectMatching?(filter: Record<string, unknown>): Promise<number | null>
  /** Moves to the next row that passes a test, and from the last one back to the top; false if there is none. */
  seek?(test: (subject: Subject) => boolean, signal: AbortSignal): Promise<boolean>
  /** False if there was nothing to clear. */
  clearSelection(): boolean
  /** None where the list has no search of its own. */
  search?: (() => void) | undefined
  filter(): void
  sort(): void
  page(by: number): void
  edit(): void
  expand(open: boolean): void
  menu(): void
  /** Opens the menu of the cursor's row beside it. */
  rowMenu?(): void
  /** The orders that its rows may have, as in its menu. */
  orders?(): readonly { id: string; label: string; checked?: boolean | undefined; onSelect(): void }[]
  /** Takes back its search, filters and order; null where nothing is set. */
  clear?: () => (() => void) | null
  /** Arranges its columns, where it has some. */
  columnsAt?: ColumnsController
  /** Enlarges or shrinks what is previewed. */
  zoom?(by: 1 | -1): void
  /** Shows its records on a map too, or no longer. */
  toggleMap?(): void
  /** Shows its rows in columns of names, or as a list again. */
  toggleCompact?(): void
  /** It shows columns of names. */
  readonly compact?: boolean
  /** Shows what arrived since the list was opened. */
  showNew?(): void
  views: ListViews | null
  /** Ids of its columns in order; with `visibleOnly`, those visible at the current width. */
  columns(visibleOnly: boolean): readonly string[]
  /** Its export source, columns and filter; `selects`: the server can resolve "all that match". */
  exportable: {
    source: string
    columns: Readonly<Record<string, string>>
    filter: Record<string, unknown>
    selects: boolean
  } | null
}

/** A list's columns: the one that the cell cursor or the focus in its heads is on, and all of them. */
export interface ColumnsController {
  /** Opens the dialog of all columns. */
  open(): void
  reset(): void
  /** They aren't as usual. */
  readonly changed: boolean
  /** All but the one with the names. */
  readonly all: readonly { id: string; header: string }[]
  /** Those that are shown, in their order. */
  readonly chosen: readonly { id: string }[]
  change(chosen: readonly { id: string }[]): void
  /** The head of the column; null on none. */
  readonly header: string | null
  /** It is the one with the names, which can't be hidden. */
  readonly isName: boolean
  wider(): void
  narrower(): void
  left(): void
  right(): void
  hide(): void
}

/** A list's saved views: its current state, and the view it shows. */
export interface ListViews {
  /** The screen's key for views: `client.users`. */
  screen: string
  /** The list's address without its state. */
  path: string
  /** The list's state, as its link encodes it. */
  state: string
  all: readonly Subject[]
  /** They are loading: whether the list shows one isn't known yet. */
  coming: boolean
  current: Subject | null
  /** The list differs from the current view. */
  changed: boolean
  /** Shows a state; with `id`, as that view. */
  show(state: string, id?: number): void
}

/** The focused pane's form, for keys and commands. */
export interface FormController {
  send(): void
  /** Sends it and starts the next one, where a form has that. */
  another?(): void
  /** Adds a row, and removes the one with the focus, where a form has rows. */
  rows?: { add(): void; remove(): void }
  /** Fills in fields of its own with what `change` makes of its values; false if it has none of them. */
  fill?(change: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): boolean
  /** Discards unsaved typing. */
  discard(): void
}

/** The workspace as commands see it: they open, close, move and copy through it and know no pane. */
export interface WorkspaceApi {
  me: { id: number; role: 'admin' | 'client'; first_name: string; last_name: string; email: string; acting: boolean }
  /** Opens a path of the routes table. */
  open(path: string, where?: Where): void
  /** The pane's subject, the cursor's row and the selected rows, in the order the palette offers them. */
  subjects(): { focused: Subject | null; cursor: Subject | null; selected: readonly Subject[]; view?: Subject | null }
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
  /** Shows one of the workspace's own dialogs. */
  show(what: 'help' | 'notices'): void
  /** Says when jobs have ended: that their files are ready, with Download for a single one, or why one failed. */
  follow(jobs: number | readonly number[], ready: string): void
  files: FilesController
  /** Says which of these rewards weren't paid, by reason, once their payout jobs have ended. */
  followPayout(jobs: readonly number[], rewards: readonly Subject[]): void
  /** The tabs, filters or fields of the focused pane. */
  places(kind: Place): readonly Option[]
  /** Opens a tab or a filter, or focuses a field. */
  goToPlace(kind: Place, value: string): void
  /** Opens the bar that finds words in the focused pane. */
  find(): void
  toggleSidebar(): void
  /** Toggles every chart between drawing and table. */
  toggleTables(): void
  /** Opens the visitation services of client users. */
  servicesOf(users: readonly Subject[]): void
  /** Shows an email's text, links included, until it leaves the screen. */
  reveal(mail: { id: number; body: string }): void
  /** Ends the session and removes this user's data from the browser. */
  signOut(): Promise<void>
  setTheme(theme: 'system' | 'light' | 'dark'): void
  setDensity(density: 'compact' | 'comfortable'): void
  copy(what: 'link' | 'layout' | 'snapshot' | 'command'): Promise<string>
  /** Repeats the last command on what is here, or one of the history on its own records. */
  again(past?: string): void
  /** Commands that the user ran in this browser, latest first. */
  commandHistory(): readonly Option[]
  /** Undoes the last step, or a listed one, which may also be one to redo. */
  undo(listed?: string): void
  redo(): void
  /** Steps to undo, then to redo, latest first. */
  undoList(): readonly Option[]
  /** How many notifications the user has not read; null until it is known. */
  unread(): number | null
  notice(sentence: string, tone?: 'good' | 'bad'): void
}

/** Files that exports and other jobs made. */
export interface FilesController {
  /** The newest that became ready here and wasn't fetched. */
  ready(): { id: number; name: string } | null
  /** Notes that a job's file was fetched. */
  fetched(job: number): void
  isFetched(job: number): boolean
}

/** A part of a pane that a command goes to. */
export type Place = 'tab' | 'filter' | 'field'

/** How far a pane scrolls: a few lines, a screen, or to an end. */
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
  /** Goes on by so many records in the list that the focused pane's record was opened from. */
  record(by: number): void
  restoreMine(): void
  /** Prints the focused pane without the frame. */
  print(): void
  /** Shows only the focused pane, or everything again; the other of them without `on`. False if it was so already. */
  zen(on?: boolean): boolean
  isZen(): boolean
  /** Every open tab, the one used last first and the present one last. */
  openTabs(): readonly Option[]
  /** Shows a tab by its pane's id. */
  show(pane: string): void
  /** Goes to the screen and record one was at before, in any pane, or to the one after it; false if there is none. */
  jump(by: -1 | 1): boolean
}

/** Compared columns. */
export interface CompareController {
  /** Opens screens in linked columns, the first as baseline, on the active pane's tab and filters if it shows it. */
  open(refs: readonly string[]): void
  /** Adds screens to the comparison, as many as fit. */
  add(refs: readonly string[]): void
  link(): void
  unlink(): void
  /** Toggles trends between dates and days in field. */
  days(): void
  /** Why an action isn't possible now, or null. */
  cannot(what: 'add' | 'link' | 'unlink' | 'days'): string | null
}
