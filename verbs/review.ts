import { readdirSync } from 'node:fs'
import { type Call, EffectSentence } from '../contract/call.ts'
import { type CallId, calls } from '../contract/calls.ts'
import { FORESEEN_HEADER } from '../contract/headers.ts'
import { codeOf, nounOf } from '../contract/nounOf.ts'
import type { NounId, SubjectKind } from '../contract/nouns.ts'
import type { Command, Confirmation } from '../src/commands/command.ts'
import type { Subject } from '../src/commands/subject.ts'
import type { Api } from '../src/data/api.ts'
import { ApiError } from './errors.ts'
import { type Reviewed, requestOf, type Sender, type Typed } from './request.ts'
import { headingOf, plain, shown } from './values.ts'
import { shapeOf, type Verb, verbFor } from './verbs.ts'

type Values = Readonly<Record<string, unknown>>

/** The effects of a write, before it runs. */
export interface Review {
  title: string
  /** The lines below the title. */
  lines: readonly string[]
  /** True if it can't be undone. */
  final: boolean
  /** True if a dry run succeeded. */
  tried: boolean
  /** The versions of what it says, to be sent along with the write. */
  reviewed: Reviewed
}

/** Records whose versions a review notes by reading them, and by dry runs; the server compares no more. */
const MOST_READ = 20
const MOST_FORESEEN = 300

/** The versions of the records that a review reads, and of those that its dry runs change; of two, the first. */
class Versions {
  readonly #read = new Map<string, string>()
  readonly #foreseen = new Map<string, string>()
  /** True if there are more than are compared. */
  cut = false
  /** Notes the records of a read, or of its noun's list. */
  note(id: CallId, value: unknown): void {
    const noun = id.split('.')[0]!
    const row = nounOf(noun)
    const { data } = (value ?? {}) as { data?: unknown }
    const records = row?.reads === id ? [data] : row?.reads && row.list?.call === id && Array.isArray(data) ? data : []
    for (const record of records as (Values | null | undefined)[]) {
      const { id, lock_version: version } = record ?? {}
      if (typeof id === 'number' && typeof version === 'number') this.#add(this.#read, `${noun}/${id}`, `${version}`, MOST_READ)
    }
  }
  /** Notes what a dry run would change, as its header says. */
  foresee(headers: Headers | null): void {
    for (const one of headers?.get(FORESEEN_HEADER)?.split(',').filter(Boolean) ?? []) {
      const [name = '', version] = one.trim().split('=')
      if (version) this.#add(this.#foreseen, name, version, MOST_FORESEEN)
      else this.cut = true
    }
  }
  #add(to: Map<string, string>, name: string, version: string, most: number): void {
    if (to.has(name)) return
    if (to.size < most) to.set(name, version)
    else this.cut = true
  }
  has(noun: string, id: number): boolean {
    return this.#read.has(`${noun}/${id}`)
  }
  get text(): Reviewed {
    const textOf = (from: Map<string, string>) => [...from].map((one) => one.join('=')).join(',')
    return { read: textOf(this.#read), foreseen: textOf(this.#foreseen) }
  }
}

/** A record's name or title; empty if it has none. */
const nameOf = (noun: string, record: Values): string => {
  const { name, title, id } = record
  const named = [name, title].find((one) => typeof one === 'string' && one)
  const code = typeof id === 'number' && nounOf(noun)?.code ? codeOf(noun as NounId, id) : ''
  return [code, named ? `“${plain(String(named))}”` : ''].filter(Boolean).join(' ')
}

/** What a review reads with. */
interface Reading {
  sender: Sender
  versions: Versions
  signal: AbortSignal | undefined
}

/** A record by its noun's read; null if it has none, or can't be read. */
async function recordOf({ sender, versions, signal }: Reading, noun: string, id: unknown): Promise<Values | null> {
  const reads = nounOf(noun)?.reads
  if (!reads || !/^\d+$/.test(String(id)) || (calls[reads as CallId] as Call).path.match(/\{/g)?.length !== 1) return null
  const read = verbFor(reads as CallId)
  const request = requestOf(read, { input: { [read.positional[0]!.name]: id }, files: [] })
  try {
    const { value } = await sender.json(request, { reads: true, signal })
    versions.note(read.id, value)
    return ((value as { data?: Values } | null)?.data ?? null) as Values | null
  } catch (error) {
    // A token may allow a write but not the read; the dry run below reports anything else that is wrong.
    if (error instanceof ApiError && [403, 404, 422].includes(error.status)) return null
    throw error
  }
}

/** The record that a write changes, from its noun's read; null if there is none, or it can't be read. */
async function subjectOf(reading: Reading, verb: Verb, input: Values): Promise<Values | null> {
  const noun = verb.id.split('.')[0]!
  const [own] = verb.positional
  return own && (own.name === 'id' || own.name === `${noun}_id`) ? recordOf(reading, noun, input[own.name]) : null
}

/** Notes the versions of the other records that an input names: `partner_id`, `surveyId`, `user_ids`. */
async function noteNamed(reading: Reading, verb: Verb, input: Values): Promise<void> {
  for (const [field, value] of Object.entries(input)) {
    const [, named] = /^(.*?)_?ids?$/i.exec(field) ?? []
    const noun = named === '' ? verb.id.split('.')[0]! : (named ?? '')
    if (!nounOf(noun)?.reads) continue
    const ids = (Array.isArray(value) ? value : String(value).split(',')).map(Number).filter(Number.isSafeInteger)
    for (const id of ids.slice(0, MOST_READ)) if (!reading.versions.has(noun, id)) await recordOf(reading, noun, id)
  }
}

/** Fields whose change means nothing to people. */
const UNSAID = /^(lock_version|updated_at|allowed_actions|refused_actions|history)$|_actions$/
const MOST_CHANGES = 12

/** The simple fields that would change, as lines. */
export function changesOf(before: Values, after: Values): string[] {
  const differing = Object.keys(after).filter((name) => {
    const [was, is] = [before[name], after[name]]
    if (UNSAID.test(name) || typeof is === 'object' || typeof was === 'object') return false
    return was !== undefined && was !== is
  })
  const lines = differing
    .slice(0, MOST_CHANGES)
    .map((name) => `${headingOf(name)}: ${shown(name, before[name])} → ${shown(name, after[name])}`)
  return [...lines, ...(differing.length > MOST_CHANGES ? [`and ${differing.length - MOST_CHANGES} more`] : [])]
}

/** Values longer than this are cut in a review. */
const LONGEST_VALUE = 300

/** The fields that would be sent, besides those that name the record, as lines. */
const sentOf = (input: Values, named: Verb['positional']): string[] =>
  Object.entries(input)
    .filter(([name, value]) => value !== undefined && !named.some((field) => field.name === name))
    .slice(0, MOST_CHANGES)
    .map(([name, value]) => {
      const text = typeof value === 'object' && value !== null ? plain(JSON.stringify(value)) : shown(name, value)
      return `${headingOf(name)}: ${text.slice(0, LONGEST_VALUE)}`
    })

let rows: Promise<ReadonlyMap<string, Command>> | undefined
/** The rows of the commands table, for their texts; empty where the workspace's packages aren't installed. */
export function commandRows(): Promise<ReadonlyMap<string, Command>> {
  rows ??= (async () => {
    const root = new URL('../src/commands/', import.meta.url)
    const files = readdirSync(root, { withFileTypes: true }).flatMap((folder) =>
      folder.isDirectory() && folder.name !== 'areas'
        ? readdirSync(new URL(`${folder.name}/`, root))
            .filter((name) => /\.[jt]s$/.test(name))
            .map((name) => new URL(`${folder.name}/${name}`, root).href)
        : [],
    )
    try {
      const tables = await Promise.all(files.map((file) => import(file) as Promise<Record<string, object>>))
      const named = tables.flatMap((table) => Object.entries(table).filter(([name]) => name.endsWith('Commands')))
      return new Map(named.flatMap(([, table]) => Object.entries(table) as [string, Command][]))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return new Map()
      throw error
    }
  })()
  return rows
}

/** True if every question of a command is a field of its call, so that the input suffices for its review. */
const isWorded = (command: Command, verb: Verb): boolean => {
  const { asks = {} } = command
  return Object.keys(asks).every((name) => verb.fields.some((field) => field.name === name))
}

/** The calls that a command's preview may make: reads, and dry runs of writes. */
const apiOf = ({ sender, versions }: Reading): Api => {
  const ask = async (id: string, input: unknown, dry: boolean, signal?: AbortSignal) => {
    const request = requestOf(verbFor(id as CallId), { input: input as Record<string, unknown>, files: [] }, dry)
    const { value, headers } = await sender.json(request, { reads: true, foresees: dry, signal })
    if (dry) versions.foresee(headers)
    else versions.note(id as CallId, value)
    return value as never
  }
  const never = () => Promise.reject(new Error('A review writes nothing'))
  return {
    read: (id, input, signal) => ask(id, input, false, signal),
    dryRun: (id, input, signal) => ask(id, input, true, signal),
    write: never,
    upload: never,
  }
}

/** The palette's review of the same command, if the input suffices for it. */
async function wordsOf(reading: Reading, verb: Verb, subject: Subject | null, input: Values): Promise<Partial<Confirmation>> {
  const command = (await commandRows()).get(verb.id)
  if (!command) return {}
  const title = command.title.replace(/…$/, '')
  const kinds = [command.on].flat()
  const subjects = subject && kinds.includes(subject.kind as never) ? [subject] : []
  const about = (command.on === 'nothing' || subjects.length) && isWorded(command, verb)
  const says = command.confirm ?? command.review
  if (!about || !says) return { title }
  const answers = input as never
  try {
    const words = says(subjects, answers)
    const foreseen = await command.foresees?.({ api: apiOf(reading), subjects, answers, signal: new AbortController().signal })
    return { ...words, ...foreseen }
  } catch (error) {
    if (error instanceof ApiError) throw error
    // The command's text needs a list's row, which has more fields than the record.
    return { title }
  }
}

/** Tries a write and describes its effects; throws the server's error before asking for confirmation. */
export async function reviewOf(sender: Sender, verb: Verb, typed: Typed, signal?: AbortSignal): Promise<Review> {
  const noun = verb.id.split('.')[0]!
  const reading: Reading = { sender, versions: new Versions(), signal }
  const before = await subjectOf(reading, verb, typed.input)
  const refused = (before?.refused_actions as Record<string, string> | undefined)?.[verb.id]
  if (!verb.dry && refused)
    throw new ApiError(409, { message: `${refused.charAt(0).toUpperCase()}${refused.slice(1)}.`, code: 'not_now' })
  // Before the dry run, so that a change in between is found at the latest by the write.
  await noteNamed(reading, verb, typed.input)
  const dryRun = { reads: true, foresees: true, signal }
  const { value, headers } = verb.dry ? await sender.json(requestOf(verb, typed, true), dryRun) : { value: null, headers: null }
  reading.versions.foresee(headers)
  const subject: Subject | null =
    before && typeof before.id === 'number'
      ? { kind: noun as SubjectKind, id: before.id, name: String(before.name ?? ''), record: before }
      : null
  const words = await wordsOf(reading, verb, subject, typed.input)
  const { data, message, warnings } = (value ?? {}) as { data?: Values; message?: string; warnings?: string[] }
  const lasting = verb.lasting(typed.input)
  const sameRecord = before && data && !Array.isArray(data) && data.id === before.id
  const changes = sameRecord ? changesOf(before, data) : []
  const named = before ? nameOf(noun, before) : ''
  return {
    title: words.title?.endsWith('?')
      ? words.title
      : [words.title ?? verb.row.about.replace(/\.$/, ''), named].filter(Boolean).join(': '),
    lines: [
      ...(words.body ? [words.body] : []),
      ...(words.lines ?? []).map(({ label, value }) => `${label}: ${value}`),
      ...(changes.length || !lasting ? changes : sentOf(typed.input, before ? verb.positional : [])),
      ...(warnings ?? []),
      // A sentence of the effects table says by itself that nothing has happened yet.
      ...(message
        ? [`${shapeOf(verb.row.output).message === EffectSentence ? '' : 'The server would respond: '}${plain(message)}`]
        : []),
      ...(reading.versions.cut ? ['Not all of these records are compared again when it is confirmed: there are too many.'] : []),
      ...(verb.dry ? [] : ['It can’t be checked beforehand.']),
      ...(lasting ? [lasting] : []),
      ...(verb.final ? ['It can’t be undone.'] : []),
    ],
    final: verb.final,
    tried: verb.dry,
    reviewed: reading.versions.text,
  }
}
