import type { Call } from '../../../contract/call.ts'
import type { CallId } from '../../../contract/calls.ts'
import { requestOf } from '../../api/calling.ts'
import type { Random } from '../random.ts'

/** One request of the run, with what it was meant to be. */
export interface Shot {
  id: CallId
  who: 'admin' | 'client' | 'stranger'
  /** What was done to a right request; `right` when nothing was. */
  kind: string
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

/** A right request before it is sent: its call, and an input that fits. */
export interface Draft {
  id: CallId
  row: Call
  input: Record<string, unknown>
  random: Random
}
/** The request, whoever sends it. */
export type Bullet = Pick<Shot, 'method' | 'url' | 'headers' | 'payload'>

export const JSON_TYPE = { 'content-type': 'application/json' }

/** The request as it should be. */
export function right({ id, row, input }: Draft): Bullet {
  // A path and a query hold text alone.
  const sent = mapped(input, (value, name) => (row.method === 'GET' || row.path.includes(`{${name}}`) ? textOf(value) : value))
  const { method, url, body } = requestOf(id, sent)
  return {
    method,
    url,
    headers: body === undefined ? {} : JSON_TYPE,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  }
}

/** The input with each of its values changed. */
export const mapped = (input: Record<string, unknown>, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(input).map(([key, value]) => [key, change(value, key)]))
/** A value as an address can hold it: half a character can't even be sent there. */
export const textOf = (value: unknown): string =>
  (value && typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed().slice(0, 4000)
