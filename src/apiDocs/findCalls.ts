import type { ApiDocument, Schema } from '../data/apiDocument.ts'
import { type CallGroup, type DescribedCall, fieldsOf } from './describedCalls.ts'

/** A call's words by where they occur, the most telling first. */
interface Searchable {
  call: DescribedCall
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

/** Prepares all calls for `findCalls`. */
export function searchableCalls(document: ApiDocument, groups: readonly CallGroup[]): Searchable[] {
  return groups.flatMap(({ calls }) =>
    calls.map((call) => {
      const bodies = Object.values(call.bodies).flatMap(({ schema }) => (schema ? namesIn(document, schema) : []))
      const ok = call.responses.find(([status]) => status === '200')?.[1].content ?? {}
      const results = Object.values(ok).flatMap(({ schema }) => (schema ? namesIn(document, schema) : []))
      const fields = [...call.parameters.map(({ name }) => name), ...bodies, ...results]
      return {
        call,
        names: [...new Set([...wordsOf(call.id), ...wordsOf(call.path)])],
        summary: wordsOf(call.summary),
        fields: [...new Set(fields)].flatMap((name) => [name.toLowerCase(), ...wordsOf(name)]),
      }
    }),
  )
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

/** The calls that contain every word of a query by its beginning, the best first; an id or address comes before all. */
export function findCalls(calls: readonly Searchable[], query: string): DescribedCall[] {
  const text = query.trim().toLowerCase()
  const words = wordsOf(query)
  if (!words.length) return []
  return calls
    .flatMap((one, at) => {
      const exact = one.call.id.toLowerCase() === text || one.call.path.toLowerCase() === text ? 100 : 0
      // A field is named as it is spelled: `updated_since` is one word there.
      const whole = one.fields.includes(text) ? 2 * words.length : 0
      const scores = words.map((word) => scoreOf(one, word))
      if (scores.includes(0) && !whole) return []
      return [
        {
          call: one.call,
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
    .map(({ call }) => call)
}
