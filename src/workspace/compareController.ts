import type { CompareController } from '../commands/workspaceApi.ts'
import { store } from '../data/jotaiStore.ts'
import { counterpart, link, unlink, unlinkable } from '../routing/compareLayout.ts'
import { activePane, type Layout, MAX_COLUMNS, panesOf } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { withQuery } from '../routing/ref.ts'
import { showsDays } from './compareRole.ts'
import { bufferKeys, discardWithNotice, flush } from './keys/typeahead.ts'
import { change, focusedPane, navigate, replaceRestorably } from './navigation.ts'
import { dirtyAmong } from './unsavedChanges.ts'
import { layoutAtom } from './workspaceState.ts'

const layout = (): Layout => store.get(layoutAtom)
const typed = (now: Layout) => new Set(dirtyAmong(panesOf(now).map(({ id }) => id)))

/** Returns the refs with the first on the active pane's tab and filters, if the pane shows it. */
function beside(refs: readonly string[], now: Layout): readonly string[] {
  const [first, ...rest] = refs
  const active = match(activePane(now).ref)
  const found = first ? match(first) : null
  if (!active || !found || active.id !== found.id || active.params.id !== found.params.id) return refs
  return [active.ref, ...rest.map((ref) => counterpart(match(ref)!, active) ?? ref)]
}

const trendShows = (): boolean => {
  const found = match(focusedPane().ref)
  return found?.tab === 'overview' && (found.row.subject === 'project' || found.row.subject === 'campaign')
}

const REASONS: Record<Parameters<CompareController['cannot']>[0], () => string | null> = {
  add: () =>
    !layout().linked
      ? 'nothing is being compared yet'
      : layout().columns.length >= MAX_COLUMNS
        ? `there are already ${MAX_COLUMNS} columns`
        : null,
  link: () => unlinkable(layout()),
  unlink: () => (layout().linked ? null : 'the columns aren’t linked'),
  days: () => (trendShows() ? null : 'the trend is in a project’s Overview'),
}

type Lines = typeof import('./lineUp.ts')
const loadLines = (): Promise<Lines> => import('./lineUp.ts')
export const prepareCompare = (): void => void loadLines()

/** Lines up columns once the code has loaded; keys pressed until then are buffered. */
function lined(work: (lines: Lines) => void): void {
  bufferKeys()
  loadLines().then((lines) => {
    work(lines)
    flush()
  }, discardWithNotice)
}

/** The commands on compared columns. */
export const compareController: CompareController = {
  open: (refs) => lined(({ lineUp }) => replaceRestorably((now) => lineUp(now, beside(refs, now), typed(now)))),
  add: (refs) => lined(({ addTo }) => change((now) => addTo(now, refs))),
  link: () => change(link),
  unlink: () => change(unlink),
  days: () => {
    const { id } = focusedPane()
    navigate(id, (ref) => withQuery(ref, { axis: showsDays() ? 'date' : 'day' }), 'replace')
  },
  cannot: (what) => REASONS[what](),
}
