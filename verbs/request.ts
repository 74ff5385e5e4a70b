import { basename } from 'node:path'
import { FORESEEN_HEADER, REVIEWED_HEADER } from '../contract/headers.ts'
import { UsageError } from './errors.ts'
import type { Verb } from './verbs.ts'

/** Lines of JSON, in a file or as a text. */
type Lines = { path: string } | { text: string }

/** What a call is made with. */
export interface Typed {
  input: Record<string, unknown>
  /** Paths of the files to send with a form. */
  files: string[]
  /** A body of lines: a file's, or a text. */
  lines?: Lines
}

/**
 * The versions of the records that a review read, and of those that its dry run would have changed.
 * Sent along with the write, they let the server refuse it if one of them has changed meanwhile.
 */
export interface Reviewed {
  /** Such as `project/4812=7,client/31=2`. */
  read?: string
  /** As the dry run answered it. */
  foreseen?: string
}

/** How a request is sent. */
export interface SendOptions {
  signal?: AbortSignal | undefined
  /** The idempotency key, which makes it safe to send a write again after a lost response. */
  key?: string | undefined
  /** A read, which is always safe to send again. */
  reads?: boolean
  /** What the person reviewed before this write. */
  reviewed?: Reviewed | undefined
  /** A dry run that answers the versions of what it would change. */
  foresees?: boolean
  /** Called before a pause that precedes a retry. */
  waits?(seconds: number, why: string): void
}

/** The headers that say how a request is meant. */
export const headersFor = ({ key, reads, reviewed, foresees }: SendOptions): Record<string, string> => ({
  ...(key && !reads ? { 'idempotency-key': key } : {}),
  ...(reviewed?.read ? { [REVIEWED_HEADER]: reviewed.read } : {}),
  ...(foresees ? { [FORESEEN_HEADER]: '?' } : reviewed?.foreseen ? { [FORESEEN_HEADER]: reviewed.foreseen } : {}),
})

/** What sends requests as somebody: over the network, or inside the server itself. */
export interface Sender {
  /** The server's address. */
  readonly url: string
  /** Sends a request and parses its JSON; throws an ApiError for a refusal. */
  json(request: Request, options?: SendOptions): Promise<{ value: unknown; headers: Headers }>
}

/** A request to send: its address and its body. */
export interface Request {
  method: string
  /** Path and query. */
  url: string
  /** A JSON body. */
  body?: Readonly<Record<string, unknown>>
  /** A form with files; all values are text. */
  form?: { values: Readonly<Record<string, string>>; name: string; files: readonly { path: string; name: string }[] }
  /** Lines to send as the body. */
  lines?: Lines
}

const textOf = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? '1' : '0') : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Builds a query: a list as `name[]`; null is left out, because a query has no null. */
function query(values: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) for (const one of value) search.append(`${name}[]`, textOf(one))
    else if (value !== undefined && value !== null) search.append(name, textOf(value))
  }
  const text = search.toString()
  return text ? `?${text}` : ''
}

/** TABLE  defaults of programs that differ from the API's own, which are for its older clients. */
export const PROGRAM_DEFAULTS: Readonly<Record<string, string>> = { generation: 'any' }

const usualFor = (fields: Verb['fields']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(PROGRAM_DEFAULTS).filter(([name]) => fields.some((field) => field.name === name)))

/** Builds a call's request: path parameters, then query or body; `dry` requests a dry run. */
export function requestOf({ row, fields }: Verb, { input, files, lines }: Typed, dry = false): Request {
  const rest: Record<string, unknown> = { ...usualFor(fields), ...input }
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    const text = String(value)
    // An address drops such parts, and would then be another call's.
    if (/^\.{1,2}$/.test(text)) throw new UsageError(`${name} can’t be “${text}”.`)
    return encodeURIComponent(text)
  })
  const tried = dry ? { dry: 1 } : {}
  const { method } = row
  if (method === 'GET') return { method, url: `${path}${query({ ...rest, ...tried })}` }
  if (lines !== undefined) return { method, url: `${path}${query(rest)}`, lines }
  if (row.as === 'multipart' && files.length) {
    const values = Object.fromEntries(
      Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value === null ? '' : textOf(value)]])),
    )
    const parts = files.map((one) => ({ path: one, name: basename(one) }))
    return { method, url: path, form: { values, name: row.files!.name, files: parts } }
  }
  return { method, url: `${path}${query(tried)}`, ...(row.bodiless ? {} : { body: rest }) }
}
