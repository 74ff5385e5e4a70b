import type { Output, ReadId } from '../../contract/calls.ts'
import type { ListRow } from '../../contract/column.ts'
import { count } from '../../contract/format.ts'
import { lists } from '../../contract/listRows.ts'
import { wordOf } from '../../contract/nounOf.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { api } from '../data/apiClient.ts'
import { store } from '../data/jotaiStore.ts'
import { counterpart } from '../routing/compareLayout.ts'
import { go, type Layout, placeless } from '../routing/layout.ts'
import { type Match, match } from '../routing/match.ts'
import { withQuery } from '../routing/ref.ts'
import { announce } from '../workspace/announce.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { bufferKeys, discardKeys, flush } from '../workspace/keys/typeahead.ts'
import { change, focusedPane } from '../workspace/navigation.ts'
import { confirmLeave, lostBetween } from '../workspace/unsavedChanges.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'
import { isGap, itemMaker, shownOf } from './flattenRows.ts'
import { noteStep, openList, openLists, recordKey, type Step, stepAt, type Trail } from './recordTrails.ts'
import type { RowSource } from './rowSource.ts'
import { keepPlace } from './scrollRestore.ts'

/** Rows to read at a time of a list without a screen of its own, and how many reads may look for the record. */
const STRETCH = 500
const READS = 20

interface Reached extends Step {
  href: string
}

/** How many records are yet to be passed; presses while a list is read add up. */
let pendingSteps = 0
let walking = false

/** Opens the record `by` places further in the list that the focused pane's record was opened from. */
export async function goToRecord(by: number): Promise<void> {
  pendingSteps += by
  if (walking) return
  walking = true
  // Keys typed now are meant for the next record.
  bufferKeys()
  try {
    await walk()
    flush()
  } catch (error) {
    discardKeys()
    workspace.notice(error instanceof Error ? error.message : 'The list couldn’t be loaded. Try again.', 'bad')
  } finally {
    walking = false
    pendingSteps = 0
  }
}

async function walk(): Promise<void> {
  const pane = focusedPane()
  const here = match(pane.ref)
  const key = recordKey(here)
  if (!here || key === null) return
  const from =
    stepAt(key) ??
    openLists().reduce<Step | null>((found, list) => found ?? list.find(key), null) ??
    (await usual(here).catch(() => null))
  if (!from) return workspace.notice('This record wasn’t opened from a list, so there’s no next one.')
  let at: Step | Reached = from
  let ended: number | null = null
  while (pendingSteps !== 0) {
    const by = Math.sign(pendingSteps)
    pendingSteps -= by
    const next: Reached | null = await neighbour(at, by)
    if (!next) {
      ended = by
      break
    }
    at = next
  }
  const now = focusedPane()
  if (now.id !== pane.id || now.ref !== pane.ref) return
  if ('href' in at) show(pane.id, here, at, ended)
  else announceEnd(at, ended ?? 1)
}

/** Shows another record on the same tab; Back leads to where the first one was opened. */
function show(id: string, here: Match, next: Reached, ended: number | null): void {
  const { trail, record, href } = next
  const ref = sameScreen(here, match(href)!)
  const replaced = (layout: Layout) => go(layout, id, ref, 'replace')
  confirmLeave(lostBetween(store.get(layoutAtom), replaced(store.get(layoutAtom))), false, () => {
    noteStep(href, next)
    change(replaced, 'replace')
    follow(next)
    if (ended !== null) return announceEnd(next, ended)
    announce((titleOf) => `${titleOf(focusedPane())}, ${count(record + 1)} of ${count(trail.count)} ${trail.noun}.`)
  })
}

/** Moves the list's cursor along, so that going back leads to the record seen last. */
function follow({ trail: { place }, id, record }: Step): void {
  if (!place) return
  const list = openList(place.list)
  if (list) list.moveTo(id, record)
  else keepPlace(place.list, { key: place.key, id, at: record, top: 0 })
}

function announceEnd({ trail }: Step, by: number): void {
  const all = `${count(trail.count)} ${trail.noun}`
  workspace.notice(
    trail.count < 2 ? 'There’s no other record on this list.' : `This is the ${by > 0 ? 'last' : 'first'} of ${all}.`,
  )
}

/** Parameters that belong to a single record. */
const OWN = { like: null, service: null }

/** Returns the URL of another record on the current screen, tab and filters. */
function sameScreen(here: Match, other: Match): string {
  if (here.row.subject !== other.row.subject) return placeless(counterpart(other, here) ?? other.ref)
  const path = here.path.replace(`/${here.params.id}`, `/${other.params.id}`)
  return placeless(withQuery(path + here.ref.slice(here.path.length), OWN))
}

/** Returns the next record among the rows; null at the end of the list. */
async function neighbour({ trail, id, record }: Step, by: number): Promise<Reached | null> {
  let shown = await reading(trail, record)
  let at = shown.indexOf(id)
  for (const page of [-1, 1]) {
    // Rows were added or removed above it.
    if (at < 0) {
      shown = await reading(trail, record + page * (trail.source?.chunk ?? 0))
      at = shown.indexOf(id)
    }
  }
  // It has left the list, such as after an approval, and the next one has moved up to its place.
  let to = at >= 0 ? at + by : shown.indexAt(record) - (by > 0 ? 0 : 1)
  while (to >= 0 && to < shown.length) {
    const item = shown.at(to)!
    if (isGap(item)) {
      const wanted = shown.recordAt(to)
      shown = await reading(trail, wanted)
      to = shown.indexAt(wanted)
      if (isGap(shown.at(to))) return null
      continue
    }
    const href = trail.hrefOf(item.row)
    if (href !== null && recordKey(match(href)) !== null) {
      // Rows of the default list lack what its screen adds to them.
      const row = trail.place && !trail.remembered ? item.row : null
      return { trail, id: item.id, record: shown.recordAt(to), href, row }
    }
    to += by
  }
  return null
}

/** Returns a list's rows with those around a record, which are read unless loaded. */
async function reading<Row extends object>(trail: Trail<Row>, record: number) {
  const { source } = trail
  if (!source) {
    const rows = trail.rows?.() ?? []
    trail.count = rows.length
    const { open, childrenOf, itemOf } = trail
    return shownOf({
      count: rows.length,
      chunk: Math.max(1, rows.length),
      chunks: new Map([[1, rows]]),
      open,
      childrenOf,
      itemOf,
    })
  }
  const page = Math.floor(record / source.chunk) + 1
  if (page >= 1 && !trail.chunks.has(page) && (page === 1 || record < trail.count)) {
    const answer = (await api.read(source.call, source.input(page, source.chunk) as never)) as never
    const rows = source.rows(answer)
    trail.chunks = new Map([...trail.chunks, [page, rows]])
    trail.count = source.count(answer) ?? trail.count
  }
  const { count, chunks, open, childrenOf, itemOf } = trail
  return shownOf({ count, chunk: source.chunk, chunks, open, childrenOf, itemOf })
}

type Listed = readonly { id: number }[]
/** The lists of projects, which aren't in the table of lists. */
const PROJECTS: Readonly<
  Partial<Record<string, { call: ReadId; more: object; of(answer: never): { rows: Listed; count: number } }>>
> = {
  project: {
    call: 'project.list',
    more: { status: 'all', brief: true },
    of: ({ data, count }: Output<'project.list'>) => ({ rows: data, count }),
  },
  campaign: {
    call: 'campaign.list',
    more: { sort: 'all', brief: true },
    of: ({ data }: Output<'campaign.list'>) => ({ rows: data.campaigns as Listed, count: data.count }),
  },
}

/** Returns the default list of a kind of record; null for a kind without one. */
function usualSource(kind: SubjectKind): RowSource<{ id: number }> | null {
  const own = PROJECTS[kind]
  const call = own?.call ?? (lists as Readonly<Partial<Record<string, ListRow>>>)[kind]?.call
  if (!call) return null
  const read = own?.of ?? (({ data, count }: { data: Listed; count: number }) => ({ rows: data, count }))
  return {
    call: call as ReadId,
    input: (page, per_page) => ({ search: '', column: '', order: 'asc', page, per_page, ...own?.more }),
    rows: (answer) => read(answer).rows,
    count: (answer) => read(answer).count,
    chunk: STRETCH,
  }
}

/** For a record opened from the palette or a link: returns its position in the default list of its kind, or null. */
async function usual(here: Match): Promise<Step | null> {
  const kind = here.row.subject as SubjectKind
  const source = usualSource(kind)
  if (!source) return null
  const trail: Trail<{ id: number }> = {
    source,
    noun: wordOf(kind, true),
    itemOf: itemMaker(({ id }) => ({ kind, id, name: '' })),
    hrefOf: ({ id }) => here.path.replace(`/${here.params.id}`, `/${id}`),
    childrenOf: undefined,
    open: new Set(),
    count: Number.POSITIVE_INFINITY,
    chunks: new Map(),
    place: null,
  }
  const id = Number(here.params.id)
  for (let page = 0; page < READS && page * STRETCH < trail.count; page++) {
    const shown = await reading(trail, page * STRETCH)
    const at = shown.indexOf(id)
    if (at >= 0) return { trail: trail as unknown as Trail<object>, id, record: shown.recordAt(at), row: null }
  }
  return null
}
