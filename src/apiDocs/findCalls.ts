import { nearest } from '../../contract/nearest.ts'
import type { ApiDocument, Schema } from '../data/apiDocument.ts'
import { type CallGroup, type DescribedCall, fieldsOf } from './describedCalls.ts'

/** A page beside the calls, as the search shows it. */
interface ResultPage {
  id: string
  summary: string
  /** What it has, in place of an address. */
  path: string
}
export type SearchResult = DescribedCall | ResultPage

/** Words of a call or page by where they occur, the most telling first. */
interface Searchable {
  found: SearchResult
  names: readonly string[]
  summary: readonly string[]
  fields: readonly string[]
}

/** Splits a text into lower-case words; `goLive` and `go_live` are two each. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean)

/** The names of fields in a schema and in what it contains, two levels deep. */
function namesIn(document: ApiDocument, schema: Schema, depth = 0): string[] {
  return fieldsOf(document, schema).flatMap(({ name, schema: inner }) => [
    name,
    ...(depth < 2 ? namesIn(document, inner, depth + 1) : []),
  ])
}

/** The pages of headers, limits and error codes, which belong to no call. */
function searchablePages({ components: { headers, parameters, schemas } }: ApiDocument): Searchable[] {
  const shared = { ...headers, ...parameters }
  const codes = schemas.ErrorCode?.['x-codes'] ?? []
  return [
    {
      found: { id: 'start', summary: 'Getting started', path: 'Headers, limits and parameters that calls share' },
      names: [...wordsOf('getting started headers limits'), ...Object.keys(shared).flatMap(wordsOf)],
      summary: Object.values(shared).flatMap(({ description = '' }) => wordsOf(description)),
      fields: [],
    },
    {
      found: { id: 'codes', summary: 'Error codes', path: 'What each code means, and what to do' },
      names: [...wordsOf('error codes'), ...codes.flatMap(({ code }) => [code, ...wordsOf(code)])],
      summary: codes.flatMap(({ about, statuses }) => [...wordsOf(about), ...statuses.map(String)]),
      fields: [],
    },
  ]
}

/** Prepares all calls and pages for `findCalls`. */
export function searchableCalls(document: ApiDocument, groups: readonly CallGroup[]): Searchable[] {
  const actions = Map.groupBy(Object.entries(document['x-actions']), ([, { call }]) => call)
  const ofCalls = groups.flatMap(({ calls }) =>
    calls.map((call) => {
      const bodies = Object.values(call.bodies).flatMap(({ schema }) => (schema ? namesIn(document, schema) : []))
      const ok = call.responses.find(([status]) => status === '200')?.[1].content ?? {}
      const results = Object.values(ok).flatMap(({ schema }) => (schema ? namesIn(document, schema) : []))
      const fields = [...call.parameters.map(({ name }) => name), ...bodies, ...results]
      // What allowed_actions names, such as project.pause, leads to the call that does it.
      const does = (actions.get(call.id) ?? []).map(([name]) => name)
      return {
        found: call,
        names: [...new Set([...wordsOf(call.id), ...wordsOf(call.path), ...does.map((name) => name.toLowerCase())])],
        summary: [...wordsOf(call.summary), ...does.flatMap(wordsOf)],
        fields: [...new Set(fields)].flatMap((name) => [name.toLowerCase(), ...wordsOf(name)]),
      }
    }),
  )
  return [...ofCalls, ...searchablePages(document)]
}

const MOST = 50

/** How well a word fits: a whole name before a beginning, a name before the summary, the summary before fields. */
function scoreOf({ names, summary, fields }: Searchable, word: string): number {
  if (names.includes(word)) return 6
  if (names.some((name) => name.startsWith(word))) return 5
  if (summary.includes(word)) return 4
  if (summary.some((one) => one.startsWith(word))) return 3
  if (fields.includes(word)) return 2
  return fields.some((name) => name.startsWith(word)) ? 1 : 0
}

/** The query that is searched for: the same, or with the nearest known word for each that occurs nowhere. */
export function searchedFor(all: readonly Searchable[], query: string): string {
  const isKnown = (word: string) => all.some((one) => scoreOf(one, word) > 0)
  const words = wordsOf(query)
  if (words.every(isKnown) || matches(all, query).length) return query
  const known = [...new Set(all.flatMap(({ names, summary, fields }) => [...names, ...summary, ...fields]))]
  return words.map((word) => (isKnown(word) ? word : (nearest(word, known) ?? word))).join(' ')
}

/** The calls and pages that contain every word of a query by its beginning, the best first; a typo is corrected. */
export const findCalls = (all: readonly Searchable[], query: string): SearchResult[] => matches(all, searchedFor(all, query))

/** What contains every word of a query; an id or address comes before all. */
function matches(all: readonly Searchable[], query: string): SearchResult[] {
  const text = query.trim().toLowerCase()
  const words = wordsOf(query)
  if (!words.length) return []
  return all
    .flatMap((one, at) => {
      const { found, names, fields } = one
      const isExact = [found.id.toLowerCase(), found.path.toLowerCase()].includes(text)
      const exact = isExact ? 100 : names.includes(text) ? 10 * words.length : 0
      // A field is named as it is spelled: `updated_since` is one word there.
      const whole = fields.includes(text) ? 2 * words.length : 0
      const scores = words.map((word) => scoreOf(one, word))
      if (scores.includes(0) && !whole) return []
      return [
        {
          found,
          score:
            exact +
            Math.max(
              whole,
              scores.reduce((sum, score) => sum + score, 0),
            ),
          at,
        },
      ]
    })
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, MOST)
    .map(({ found }) => found)
}
