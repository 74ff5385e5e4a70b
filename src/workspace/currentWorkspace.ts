import { atom } from 'jotai'
import type { LayoutController, WorkspaceApi } from '../commands/workspaceApi.ts'
import { ApiError } from '../data/api.ts'
import { api } from '../data/apiClient.ts'
import { browserStore } from '../data/browserStore.ts'
import { writeClipboard } from '../data/clipboard.ts'
import { deskAtom } from '../data/desk.ts'
import { store } from '../data/jotaiStore.ts'
import { setPreferences } from '../data/preferences.ts'
import { currentMe } from '../data/session.ts'
import { unreadAtom } from '../data/unread.ts'
import { linkOf, linkOfRef } from '../routing/codec.ts'
import { swap } from '../routing/compareLayout.ts'
import {
  activate,
  activePane,
  close,
  closeOthers,
  focusColumn,
  go,
  type Layout,
  movePane,
  panesOf,
  reopen,
  split,
  tabBy,
  travel,
} from '../routing/layout.ts'
import { resolve } from '../routing/match.ts'
import { HOME } from '../routing/routes.ts'
import { tabsOf } from '../routing/tabs.ts'
import { announce } from './announce.ts'
import { toggleTables } from './chartTables.ts'
import { compareController } from './compareController.ts'
import { sendSmallForm, stepSection } from './formSteps.ts'
import { bufferKeys } from './keys/typeahead.ts'
import { change, focusedPane, openPath, pinPane, restoreMine } from './navigation.ts'
import { focusActivePane, scrollPane } from './paneElements.ts'
import { paneStateAtom, paneStateOf } from './paneState.ts'
import { revealedMailAtom } from './revealedMail.ts'
import { undoAtom } from './undoList.ts'
import { confirmLeave, lostBetween } from './unsavedChanges.ts'
import { userServicesAtom } from './userServices.ts'
import { jump } from './visitedPanes.ts'
import { layoutAtom, NARROW, narrowAtom, zenAtom } from './workspaceState.ts'

/** What palette, runner and sheets provide; registered once loaded. */
export type LazyServices = Pick<
  WorkspaceApi,
  'palette' | 'show' | 'startOn' | 'follow' | 'followPayout' | 'again' | 'undo' | 'redo' | 'notice' | 'signOut'
> & {
  /** Prints the focused pane, once the code has loaded. */
  print(): void
  /** Moves by some records in the list that the focused pane's record was opened from. */
  record(by: number): void
  /** Returns the link of the last command, or of the focused pane if there was none. */
  commandLink(): Promise<string>
}
const waiting: ((plugged: LazyServices) => void)[] = []
let plugged: LazyServices | null = null

/** Registers the lazy parts of the workspace API, and runs the calls made to them before, in order. */
export function registerServices(parts: LazyServices): void {
  plugged = parts
  for (const ask of waiting.splice(0)) ask(parts)
}
const later = (ask: (parts: LazyServices) => void): void => {
  if (plugged) ask(plugged)
  else waiting.push(ask)
}

/** The parts that only commands of the runner need; registered together with it. */
export type RunnerParts = Pick<WorkspaceApi, 'commandHistory' | 'places' | 'files'> &
  Pick<LayoutController, 'openTabs'> & {
    goToPlace(kind: 'filter' | 'field', value: string): Promise<void>
    find(): Promise<void>
  }
let runnerParts: RunnerParts | null = null
/** Registers the parts that load with the runner. */
export const registerRunnerParts = (parts: RunnerParts): void => {
  runnerParts = parts
}

const SIDEBAR = 'fieldwork.sidebar'

/** Whether the sidebar is open; in a narrow window it overlays the page. */
export const sidebarAtom = atom(readSidebar())

/** Returns the sidebar's initial state: as it was left in a wide window, closed in a narrow one. */
export function readSidebar(): boolean {
  return browserStore.text(SIDEBAR) !== 'closed' && !globalThis.matchMedia?.(`(max-width: ${NARROW}px)`).matches
}

/** Closes panes, after asking about unsaved changes. */
export const closePanes = (ids: readonly string[]): void =>
  confirmLeave(ids, true, () => change((layout) => ids.reduce((rest, id) => close(rest, id, HOME), layout)))

/** Navigates panes in place, after asking if unsaved changes would be lost. */
function inPlace(operation: (layout: Layout) => Layout): void {
  const layout = store.get(layoutAtom)
  confirmLeave(lostBetween(layout, operation(layout)), false, () => change(operation))
}

/** Navigates a pane in place, as its tab row does, after asking if unsaved changes would be lost. */
export const goInPlace = (id: string, ref: string): void => inPlace((layout) => go(layout, id, resolve(ref)?.ref ?? ref, 'push'))

/** Steps through the active pane's own history; at its end it names the keys that cross panes. */
function travelInPane(by: -1 | 1): void {
  const { history, at } = activePane(store.get(layoutAtom))
  const [word, across] = by < 0 ? ['back', 'Previous place'] : ['forward', 'Next place']
  if (history[at + by] === undefined) workspace.notice(`This tab has nothing to go ${word} to. “${across}” goes across tabs.`)
  else inPlace((layout) => travel(layout, activePane(layout).id, by))
}

const onActive = (operation: (layout: Layout, id: string) => Layout) =>
  change((layout) => operation(layout, activePane(layout).id))

/** Shows only the focused pane, or everything; moves the focus into the pane if its element gets hidden. */
function zen(on = !store.get(zenAtom)): boolean {
  if (store.get(zenAtom) === on) return false
  store.set(zenAtom, on)
  announce(() => (on ? 'Only this pane is shown.' : 'Everything is shown again.'))
  requestAnimationFrame(() => {
    const now = document.activeElement
    if (!now?.checkVisibility() || now === document.body) focusActivePane()
  })
  return true
}

const layoutController: LayoutController = {
  split: () => change(split),
  focusColumn: (index) => change((layout) => focusColumn(layout, index), 'focus'),
  focusNeighbour: (by) => change((layout) => focusColumn(layout, layout.active + by), 'focus'),
  // Compared columns move as a whole, because the first one is the baseline.
  moveTab: (by) => onActive((layout, id) => (layout.linked ? swap(layout, by) : movePane(layout, id, by))),
  tab: (by) => change((layout) => tabBy(layout, by)),
  paneTab: (index) => {
    const pane = focusedPane()
    const tab = tabsOf(pane.ref, currentMe().role)[index]
    if (tab) goInPlace(pane.id, tab.ref)
  },
  close: () => closePanes([focusedPane().id]),
  closeOthers: () => {
    const { id } = focusedPane()
    const others = panesOf(store.get(layoutAtom)).flatMap((pane) => (pane.id === id ? [] : [pane.id]))
    confirmLeave(others, true, () => onActive((layout, active) => closeOthers(layout, active, HOME)))
  },
  reopen: () => change(reopen),
  back: () => travelInPane(-1),
  forward: () => travelInPane(1),
  pin: () => pinPane(focusedPane().id),
  scroll: (how, count) => scrollPane(focusedPane().id, how, count),
  record: (by) => later((parts) => parts.record(by)),
  restoreMine,
  print: () => later((parts) => parts.print()),
  zen,
  isZen: () => store.get(zenAtom),
  openTabs: () => runnerParts?.openTabs() ?? [],
  show: (pane) => change((layout) => activate(layout, pane)),
  jump,
}

/** The workspace as commands see it. */
export const workspace: WorkspaceApi = {
  get me() {
    const { id, role, first_name, last_name, email, acting } = currentMe()
    return { id, role, first_name, last_name, email, acting: acting !== null }
  },
  open: openPath,
  subjects: () => {
    const { subject, list, deleted = null } = paneStateOf(store.get(paneStateAtom), focusedPane().id)
    return {
      ...{ focused: subject, deleted, cursor: list?.cursor ?? null, selected: list?.selected ?? [] },
      view: list?.views?.current ?? null,
    }
  },
  list: () => paneStateOf(store.get(paneStateAtom), focusedPane().id).list,
  stepSection: (by) => stepSection(focusedPane().id, by),
  sendSmallForm: () => sendSmallForm(focusedPane().id),
  form: () => paneStateOf(store.get(paneStateAtom), focusedPane().id).form,
  layout: layoutController,
  compare: compareController,
  palette: (start) => later((parts) => parts.palette(start)),
  show: (what) => later((parts) => parts.show(what)),
  startOn: (command, records, reviewed) => later((parts) => parts.startOn(command, records, reviewed)),
  follow: (jobs, ready) => later((parts) => parts.follow(jobs, ready)),
  files: {
    ready: () => runnerParts?.files.ready() ?? null,
    isFetched: (job) => runnerParts?.files.isFetched(job) ?? false,
    fetched: (job) => runnerParts?.files.fetched(job),
  },
  followPayout: (jobs, rewards) => later((parts) => parts.followPayout(jobs, rewards)),
  again: (past) => later((parts) => parts.again(past)),
  commandHistory: () => runnerParts?.commandHistory() ?? [],
  undo: (listed) => later((parts) => parts.undo(listed)),
  redo: () => later((parts) => parts.redo()),
  undoList: () => store.get(undoAtom),
  unread: () => store.get(unreadAtom),
  needsMe: () => store.get(deskAtom)?.open ?? null,
  notice: (sentence, tone) => later((parts) => parts.notice(sentence, tone)),
  places: (kind) => runnerParts?.places(kind) ?? [],
  goToPlace: (kind, value) => {
    if (kind === 'tab') layoutController.paneTab(Number(value))
    else void runnerParts?.goToPlace(kind, value)
  },
  find: () => void runnerParts?.find(),
  toggleSidebar: () => {
    const open = !store.get(sidebarAtom)
    store.set(sidebarAtom, open)
    // As an overlay it opens and closes often, which tells nothing about wide windows.
    if (!store.get(narrowAtom)) browserStore.setText(SIDEBAR, open ? 'open' : 'closed')
  },
  toggleTables: () => {
    const tables = toggleTables()
    announce(() => (tables ? 'Charts show their tables.' : 'Charts are drawn.'))
  },
  servicesOf: (users) => {
    // The dialog's code may have to load.
    bufferKeys()
    store.set(userServicesAtom, users)
  },
  reveal: ({ id, body }) => store.set(revealedMailAtom, { id, body }),
  signOut: () => new Promise((done, failed) => later((parts) => parts.signOut().then(done, failed))),
  setTheme: (theme) => void setPreferences({ theme }).catch(noticeError),
  setDensity: (density) => void setPreferences({ density }).catch(noticeError),
  copy: async (what) => {
    const link = await linkFor(what)
    await toClipboard(link)
    return link
  },
}

/** Copies a text. Without TLS or if the browser refuses, shows the text for manual copying. */
async function toClipboard(text: string): Promise<void> {
  try {
    await writeClipboard(text)
  } catch {
    throw new ApiError(0, 'clipboard', `Your browser blocked copying. The link is ${text}`)
  }
}

const noticeError = (error: Error) => workspace.notice(error.message, 'bad')

async function linkFor(what: 'link' | 'layout' | 'snapshot' | 'command'): Promise<string> {
  const layout = store.get(layoutAtom)
  if (what === 'layout') return location.origin + linkOf(layout)
  if (what === 'command' && plugged) return location.origin + (await plugged.commandLink())
  if (what === 'snapshot') {
    const { data } = await api.write('snapshot.create', { layout: JSON.stringify(shareable(layout)) })
    return location.origin + data.path
  }
  return location.origin + linkOfRef(activePane(layout).ref)
}

/** Returns a layout for sharing: without histories and closed panes, which are private. */
const shareable = (layout: Layout): Layout => ({
  ...layout,
  closed: [],
  columns: layout.columns.map((column) => ({
    ...column,
    tabs: column.tabs.map((pane) => ({ ...pane, history: [pane.ref], at: 0 })),
  })),
})
