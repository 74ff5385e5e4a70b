import type { Input, Output } from '../../contract/calls.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { idAbove, type Subject } from '../commands/subject.ts'
import { api } from '../data/apiClient.ts'
import { store } from '../data/jotaiStore.ts'
import { nextKey, worksAtom } from '../runner/runnerState.ts'
import type { RowSource } from './rowSource.ts'
import type { Matching } from './selectableLists.ts'
import { FEW, type Selection } from './selection.ts'

type List = Input<'list.selection'>['list']
/** Returns a response's subjects; those with the same rules share one object. */
function subjectsOf({ kind, fields, rules, rows }: Output<'list.selection'>): Subject[] {
  return rows.map(([id, name, rule, ...values]) => {
    const [allowed_actions, refused_actions] = rules[rule]!
    const record = Object.fromEntries([['id', id], ['name', name], ...fields.map((field, at) => [field, values[at]])])
    return { kind: kind as SubjectKind, id, name, allowed_actions, refused_actions, record }
  })
}

/** Reads all matches from the server, thousands at a time, with progress and cancellation. */
async function askAll(
  { source, filter }: Matching,
  progress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Subject[]> {
  const all: Subject[] = []
  for (let after: number | null = 0; after !== null; ) {
    const answer: Output<'list.selection'> = await api.read(
      'list.selection',
      { list: source as List, filter: JSON.stringify(filter), after },
      signal,
    )
    all.push(...subjectsOf(answer))
    progress(all.length, answer.count)
    after = answer.next
  }
  return all
}

/** Reads the records of a list that match a filter, wherever the list is shown. */
export const readSelection = (list: List, filter: object, signal: AbortSignal): Promise<Subject[]> =>
  askAll({ source: list, filter: filter as Matching['filter'], selects: true }, () => {}, signal)

/** How many ids fit into a URL. */
const IDS = 500
/** Reads which of these records still match, in their current state. */
export async function askThese({ source, filter }: Matching, ids: readonly number[], signal: AbortSignal): Promise<Subject[]> {
  const there: Subject[] = []
  for (let at = 0; at < ids.length; at += IDS) {
    const some = ids.slice(at, at + IDS).join(',')
    const input = { list: source as List, filter: JSON.stringify(filter), ids: some }
    there.push(...subjectsOf(await api.read('list.selection', input, signal)))
  }
  return there
}

/** Reads all matches of a short list page by page, if the server can't select them. */
async function readAll<Row>(
  source: RowSource<Row>,
  subjectOf: (row: Row) => Subject,
  progress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Subject[]> {
  const all: Subject[] = []
  const perPage = source.chunk === 50 ? 500 : source.chunk
  for (let page = 1; ; page++) {
    const answer = (await api.read(source.call, source.input(page, perPage) as never, signal)) as never
    const rows = source.rows(answer)
    all.push(...rows.map(subjectOf))
    const count = source.count(answer) ?? all.length
    progress(all.length, count)
    if (!rows.length || all.length >= count) return all
  }
}

/** Returns all matches, selected by the server if possible; slow reads show progress with Cancel. */
export async function findAll<Row>(
  matching: Matching | null,
  source: RowSource<Row>,
  subjectOf: (row: Row) => Subject,
  stop: AbortController,
): Promise<Subject[]> {
  const key = nextKey()
  const progress = (done: number, total: number) => {
    // Two requests are too quick to show progress.
    if (done >= total) return
    const one = { key, title: 'Select all that match', done, total, note: '', cancel: () => stop.abort() }
    store.set(worksAtom, (all) => [...all.filter((other) => other.key !== key), one])
  }
  try {
    if (matching?.selects) return await askAll(matching, progress, stop.signal)
    return await readAll(source, subjectOf, progress, stop.signal)
  } finally {
    store.set(worksAtom, (all) => all.filter((other) => other.key !== key))
  }
}

/** Returns which records selected under `under` still match, in their current state, and which ones were checked. */
export async function stillMatching(
  matching: Matching,
  selection: Selection,
  under: string,
  signal: AbortSignal,
): Promise<{ checked: ReadonlySet<number>; there: ReadonlyMap<number, Subject> }> {
  const many = selection.size > FEW
  // For many, reads all matches. Children and records of another noun aren't among them and stay as they are.
  const ids = [...selection].flatMap(([id, { under: then, subject }]) =>
    then === under && id > 0 && !(many && idAbove(subject, 'parent') !== null) ? [id] : [],
  )
  const found = !many ? await askThese(matching, ids, signal) : ids.length ? await askAll(matching, () => {}, signal) : []
  return { checked: new Set(ids), there: new Map(found.map((subject) => [subject.id, subject])) }
}
