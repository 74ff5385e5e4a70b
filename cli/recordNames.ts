import { type CallId, calls } from '../contract/calls.ts'
import { foldText } from '../contract/foldText.ts'
import { nounOf } from '../contract/nounOf.ts'
import { UsageError } from '../verbs/errors.ts'
import { meant } from '../verbs/meant.ts'
import { requestOf } from '../verbs/request.ts'
import { plain } from '../verbs/values.ts'
import { type Field, type Verb, verbFor } from '../verbs/verbs.ts'
import type { Remote } from './remote.ts'

/** A record's name in place of its id, which is looked up before anything is sent. */
export class RecordName {
  readonly name: string
  readonly option: string
  constructor(name: string, option: string) {
    this.name = name
    this.option = option
  }
}

/** Rows among which a name is sought, and names that an error lists. */
const READ = 500
const LISTED = 10

/** The noun of the record that a field names by its id, if its list finds names; null for other fields. */
export function nounOfId({ call, name }: Pick<Field, 'call' | 'name'>): string | null {
  const noun = name === 'id' ? call.split('.')[0]! : (/^(\w+)_id$/.exec(name)?.[1] ?? '')
  const own = nounOf(noun)?.of ?? noun
  return nounOf(own) && listOf(own) ? own : null
}

/** The list that finds a noun's records by name; null without one, or if it lists those of another record. */
function listOf(noun: string): Verb | null {
  const id = nounOf(noun)?.list?.call ?? `${noun}.list`
  if (!Object.hasOwn(calls, id)) return null
  const verb = verbFor(id as CallId)
  return !verb.row.path.includes('{') && verb.fields.some((field) => field.name === 'search') ? verb : null
}

interface Row {
  id: number
  name?: unknown
  first_name?: unknown
  last_name?: unknown
  email?: unknown
  title?: unknown
}
/** The names that a row goes by. */
const namesOf = ({ name, first_name, last_name, email, title }: Row): string[] =>
  [name, title, email, [first_name, last_name].filter(Boolean).join(' ')].filter(
    (one): one is string => typeof one === 'string' && one !== '',
  )

/** The id of the one record with a name, or a code such as P-4812; a usage error says which there are. */
async function idOf(remote: Remote, noun: string, { name, option }: RecordName, signal: AbortSignal): Promise<number> {
  const { code } = nounOf(noun)!
  const coded = code && name.toUpperCase().startsWith(code) ? /^\d{1,15}$/.exec(name.slice(code.length))?.[0] : undefined
  if (coded) return Number(coded)
  const request = requestOf(listOf(noun)!, { input: { search: name, per_page: READ }, files: [] })
  const { value } = await remote.json(request, { reads: true, signal })
  const rows = (value as { data: Row[] }).data
  const same = rows.filter((row) => namesOf(row).some((one) => foldText(one) === foldText(name)))
  const [only] = same
  if (only && same.length === 1) return only.id
  const shown = (found: readonly Row[]) =>
    found
      .slice(0, LISTED)
      .map((row) => `${row.id} “${plain(namesOf(row)[0] ?? '')}”`)
      .join(', ') + (found.length > LISTED ? ' …' : '')
  if (same.length) throw new UsageError(`${option} “${plain(name)}” is ambiguous: ${shown(same)}. Name one by its ID.`)
  const near = rows.length ? ` There are ${shown(rows)}.` : meant(name, rows.flatMap(namesOf))
  throw new UsageError(`${option} “${plain(name)}” is no ${noun}’s ID or name.${near}`)
}

/** Puts ids in place of the names of an input. */
export async function resolveNames(
  remote: Remote,
  verb: Verb,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, value] of Object.entries(input)) {
    const field = verb.fields.find((one) => one.name === name)
    if (value instanceof RecordName && field) input[name] = await idOf(remote, nounOfId(field)!, value, signal)
  }
}
