import { basename } from 'node:path'
import type { Typed } from './args.ts'
import type { Verb } from './verbs.ts'

/** A request to send: its address and its body. */
export interface Request {
  method: string
  /** Path and query. */
  url: string
  /** A JSON body. */
  body?: Readonly<Record<string, unknown>>
  /** A form with files; all values are text. */
  form?: { values: Readonly<Record<string, string>>; name: string; files: readonly { path: string; name: string }[] }
  /** The path of a file of lines to send as the body. */
  lines?: string
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

/** Builds a call's request: path parameters, then query or body; `dry` requests a dry run. */
export function requestOf(
  { row }: Verb,
  { input, files, lines }: Pick<Typed, 'input' | 'files' | 'lines'>,
  dry = false,
): Request {
  const rest: Record<string, unknown> = { ...input }
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
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
