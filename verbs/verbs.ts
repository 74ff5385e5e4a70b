import { z } from 'zod'
import { ruleOf } from '../contract/access.ts'
import type { Call, CallSchema } from '../contract/call.ts'
import { CALL_GROUPS, type CallGroup } from '../contract/callGroups.ts'
import { type CallId, calls } from '../contract/calls.ts'
import { takesDry } from '../contract/dry.ts'
import { programName } from '../contract/filterNames.ts'
import { Job } from '../contract/job.ts'
import { wordOf } from '../contract/nounOf.ts'
import { OLDER_CALLS } from '../contract/olderCalls.ts'
import { changesRights } from '../contract/rights.ts'
import { onlyReads } from '../contract/tokenScope.ts'

/** The part of JSON Schema that options need. */
interface Schema {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  default?: unknown
  maximum?: number
  examples?: readonly unknown[]
  description?: string
}

/** How an option's text is parsed: `json` is an object, or a list of objects. */
type FieldKind = 'text' | 'number' | 'flag' | 'list' | 'json'

/** One field of a call's input. */
export interface Field {
  /** The call's id. */
  call: CallId
  name: string
  /** Its older name, which is taken as well. */
  older?: string
  /** Its option without dashes: `client-id`. */
  option: string
  kind: FieldKind
  /** True if a list's items are numbers. */
  numbers: boolean
  nullable: boolean
  required: boolean
  /** The allowed words, if the field is an enumeration. */
  words: readonly string[]
  /** Words to choose from where others are taken, too: the statuses of a project in one of their spellings. */
  offered: readonly string[]
  schema: Schema
}

/** A call of the table, as the command line offers it. */
export interface Verb {
  id: CallId
  row: Call
  /** The two words that name it: `project go-live`. */
  noun: string
  verb: string
  fields: readonly Field[]
  /** Fields that are passed by position, in order. */
  positional: readonly Field[]
  /** True if it changes stored data. */
  writes: boolean
  /** True if it supports `dry=1`. */
  dry: boolean
  /** True if it changes something that the server can't undo. */
  final: boolean
  /** What it does beyond its records with this input, as a sentence: it changes rights, or reaches people outside. */
  lasting(input: Readonly<Record<string, unknown>>): string | null
  /** True for a paged list: it takes `page` and returns rows in `data`. */
  paged: boolean
  /** Whether it returns a job, or the id of a job it started. */
  job: 'itself' | 'number' | null
}

/** Converts `goLive` and `client_id` to `go-live` and `client-id`. */
export const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/_+/g, '-')
    .toLowerCase()

const branches = (schema: Schema): readonly Schema[] => (schema.anyOf ?? schema.oneOf)?.flatMap(branches) ?? [schema]

/** The types that a schema allows, including those of its alternatives. */
export const typesOf = (schema: Schema): Set<string> =>
  new Set(branches(schema).flatMap((one) => one.type ?? (one.const === undefined ? [] : [typeof one.const])))

function kindOf(schema: Schema): { kind: FieldKind; numbers: boolean } {
  const types = typesOf(schema)
  const list = branches(schema).find(({ items }) => items)?.items
  if (list) {
    const items = typesOf(list)
    const objects = items.has('object') || branches(list).some(({ items }) => items)
    return { kind: objects ? 'json' : 'list', numbers: items.has('integer') && !items.has('string') }
  }
  if (types.has('object')) return { kind: types.has('string') ? 'text' : 'json', numbers: false }
  if (types.has('boolean')) return { kind: 'flag', numbers: false }
  return { kind: !types.has('string') && (types.has('integer') || types.has('number')) ? 'number' : 'text', numbers: false }
}

/** The words of an enumeration; empty if other values are allowed too. */
function wordsOf(schema: Schema): string[] {
  const all = branches(schema).filter(({ type }) => type !== 'null')
  const closed = all.every((one) => one.enum || one.const !== undefined)
  return closed
    ? all
        .flatMap((one) => one.enum ?? [one.const])
        .map(String)
        .filter(Boolean)
    : []
}

function fieldsOf(call: CallId, row: Call): Field[] {
  const { properties = {}, required = [] } = z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' }) as Schema
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  // A body may repeat the path's id under another spelling, which is offered once.
  const repeats = (name: string) => inPath.some((other) => other !== name && kebab(other) === kebab(name))
  const inputFields = Object.entries(properties).filter(([name]) => !repeats(name))
  return inputFields.map(([own, schema]) => {
    const name = programName(row, own)
    return {
      call,
      name,
      ...(name === own ? {} : { older: own }),
      option: kebab(name),
      ...kindOf(schema),
      nullable: typesOf(schema).has('null'),
      required: required.includes(own),
      words: wordsOf(schema),
      offered: (schema.examples ?? []).map(String),
      schema,
    }
  })
}

/** Fields passed by position: those of the path, else the record's own id, else the only required record. */
function positionalOf(id: CallId, row: Call, fields: readonly Field[]): Field[] {
  const named = (name: string) => fields.find((field) => field.name === name)
  const path = [...row.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => named(name!) ?? [])
  if (path.length) return path
  const own = named('id') ?? named(`${id.split('.')[0]}_id`)
  if (own) return [own]
  const needed = fields.filter(({ name, required }) => required && name.endsWith('_id'))
  return needed.length === 1 ? needed : []
}

export const shapeOf = (schema: CallSchema): Readonly<Record<string, unknown>> =>
  (schema as unknown as { shape?: Record<string, unknown> }).shape ?? {}

/** Whether a response is a job or a list of jobs, or contains a job's id. */
function jobOf(output: CallSchema): Verb['job'] {
  const { data, job_id } = shapeOf(output)
  const rows = (data as { element?: unknown } | undefined)?.element ?? data
  if (rows === Job) return 'itself'
  return job_id !== undefined || (rows instanceof z.ZodType && 'job_id' in shapeOf(rows)) ? 'number' : null
}

/** TABLE  what reaches people outside, as the review says it. */
const SENT: Readonly<Record<NonNullable<Call['sends']>, string>> = {
  email: 'It may send email, which can’t be taken back.',
  payout: 'It pays people, which can’t be taken back.',
  notification: 'It notifies people, which can’t be taken back.',
}

function lastingOf(id: CallId, { sends, sendsIf }: Call, input: Readonly<Record<string, unknown>>): string | null {
  if (changesRights(id, input)) return 'It changes who may do what.'
  const isSent = sends && (!sendsIf || sendsIf.some((field) => input[field] !== undefined))
  return isSent ? SENT[sends] : null
}

function verbOf(id: CallId, row: Call): Verb {
  const [noun = '', verb = ''] = id.split('.')
  const writes = !onlyReads(row)
  let computed: Field[] | undefined
  // Computed on first use: the schemas of all calls at once would stop the server for a tenth of a second.
  const fieldsOnce = () => {
    computed ??= fieldsOf(id, row)
    return computed
  }
  return {
    id,
    row,
    noun: kebab(noun),
    verb: kebab(verb),
    get fields() {
      return fieldsOnce()
    },
    get positional() {
      return positionalOf(id, row, fieldsOnce())
    },
    writes,
    dry: writes && takesDry(id, row),
    final: writes && !row.undo && !row.passing && ruleOf(id).who !== 'public',
    lasting: (input) => lastingOf(id, row, input),
    paged: row.method === 'GET' && 'page' in shapeOf(row.input) && 'data' in shapeOf(row.output),
    job: jobOf(row.output),
  }
}

const known = new Map<string, Verb>()
/** A call by its id; its options are computed on first use. */
export function verbFor(id: CallId): Verb {
  const before = known.get(id)
  if (before) return before
  const verb = verbOf(id, calls[id] as Call)
  known.set(id, verb)
  return verb
}

/** What is offered: each thing once. A call in an older spelling still runs by its name. */
const offeredIds = (Object.keys(calls) as CallId[]).filter((id) => !OLDER_CALLS[id])
const idsByNoun = Map.groupBy(offeredIds, (id) => kebab(id.split('.')[0]!))
const groupOrder = Object.keys(CALL_GROUPS).map(kebab)

/** The nouns, in the order of the groups of calls. */
export const nounWords: readonly string[] = [...idsByNoun.keys()].sort((a, b) => groupOrder.indexOf(a) - groupOrder.indexOf(b))

/** The description of a noun's calls: its group's sentence, or else its words, as on the API page. */
export function aboutNoun(noun: string): string {
  const [group] = idsByNoun.get(noun)?.[0]?.split('.') ?? []
  return group ? (CALL_GROUPS[group as CallGroup] ?? `The ${wordOf(group, true)}.`) : ''
}

/** The ids of a noun's offered calls; empty for an unknown noun. */
export const idsOf = (noun: string): readonly CallId[] => idsByNoun.get(noun) ?? []

/** Every offered call, in the table's order. */
export const allVerbs = (): Verb[] => offeredIds.map(verbFor)

/** Says which command does the same as an older one, by its name there; nothing for others. */
export const newerOf = (id: CallId, named: (verb: Verb) => string): string | null => {
  const newer = OLDER_CALLS[id]
  return newer ? `${named(verbFor(newer))} does the same, in the common names.` : null
}

/** The call with this noun and verb, an older one, too. */
export function verbNamed(noun: string, verb: string): Verb | undefined {
  const id = (Object.keys(calls) as CallId[]).find((one) => one.split('.').map(kebab).join(' ') === `${noun} ${verb}`)
  return id && verbFor(id)
}

/** How a field is written on the command line: `<id>`, or `--client-id`. */
export const optionOf = (verb: Verb, name: string): string => {
  const field = verb.fields.find((one) => one.name === name)
  return field && verb.positional.includes(field) ? `<${field.option}>` : `--${kebab(name)}`
}
