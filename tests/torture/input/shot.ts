import type { Call } from '../../../contract/call.ts'
import type { CallId } from '../../../contract/calls.ts'
import { requestOf } from '../../api/calling.ts'
import type { Random } from '../random.ts'

/** A request of the run, and its intended kind. */
export interface Shot {
  id: CallId
  who: 'admin' | 'client' | 'stranger'
  /** How a valid request was broken; `right` if it wasn't. */
  kind: string
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

/** A valid request before sending: its call, and matching input. */
export interface Draft {
  id: CallId
  row: Call
  input: Record<string, unknown>
  random: Random
}
/** The request, without its sender. */
export type Bullet = Pick<Shot, 'method' | 'url' | 'headers' | 'payload'>

export const JSON_TYPE = { 'content-type': 'application/json' }

/** The request as it should be. */
export function right({ id, row, input }: Draft): Bullet {
  // Paths and queries hold only text.
  const sent = mapped(input, (value, name) => (row.method === 'GET' || row.path.includes(`{${name}}`) ? textOf(value) : value))
  const { method, url, body } = requestOf(id, sent)
  return {
    method,
    url,
    headers: body === undefined ? {} : JSON_TYPE,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  }
}

/** The input with each value changed. */
export const mapped = (input: Record<string, unknown>, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(input).map(([key, value]) => [key, change(value, key)]))
/** A value as a URL can hold it; a lone surrogate can't even be sent there. */
export const textOf = (value: unknown): string =>
  (value && typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed().slice(0, 4000)
