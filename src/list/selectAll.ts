import type { Input, Output } from '../../contract/calls.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Subject } from '../commands/subject.ts'
import { api } from '../data/apiClient.ts'
import type { Matching } from './selectableLists.ts'
import type { Source } from './source.ts'

type List = Input<'list.selection'>['list']
/** Subjects of an answer; those with the same rules share them. */
function subjectsOf({ kind, fields, rules, rows }: Output<'list.selection'>): Subject[] {
  return rows.map(([id, name, rule, ...values]) => {
    const [allowed_actions, refused_actions] = rules[rule]!
    const record = Object.fromEntries([['id', id], ['name', name], ...fields.map((field, at) => [field, values[at]])])
    return { kind: kind as SubjectKind, id, name, allowed_actions, refused_actions, record }
  })
}

/** Everything that matches, named by the server in pieces of thousands; says how far it is, and stops when told to. */
export async function askAll(
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

/** So many ids fit into an address. */
const IDS = 500
/** Those of some records that still match, as they are now. */
export async function askThese({ source, filter }: Matching, ids: readonly number[], signal: AbortSignal): Promise<Subject[]> {
  const there: Subject[] = []
  for (let at = 0; at < ids.length; at += IDS) {
    const some = ids.slice(at, at + IDS).join(',')
    const input = { list: source as List, filter: JSON.stringify(filter), ids: some }
    there.push(...subjectsOf(await api.read('list.selection', input, signal)))
  }
  return there
}

/** Everything that matches of a short list whose selection the server does not name, page by page. */
export async function readAll<Row>(
  source: Source<Row>,
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
