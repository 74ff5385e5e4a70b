import type { Call } from '../contract/call.ts'
import { type CallId, calls, type Input, type Output } from '../contract/calls.ts'

/*
 * The calls as the client knows them. The package has a copy of this file that a build makes of the contract,
 * as it is installed without it (scripts/build-packages.ts).
 */

/** The input and the response of each call. */
export type Calls = { [Id in CallId]: { input: Input<Id>; output: Output<Id> } }

/** How a call is sent. */
export interface CallRow {
  method: string
  path: string
  /** The form part that carries its files. */
  files?: string
  /** It takes a batch as lines of JSON. */
  lines?: true
  bodiless?: true
  /** It changes stored data. */
  writes: boolean
  /** It lists one generation of projects unless it is asked for any. */
  generations?: true
}

const rowOf = ({ method, path, files, lines, bodiless, unsafe, input }: Call): CallRow => ({
  ...{ method, path, writes: method !== 'GET' || unsafe === true },
  ...(files ? { files: files.name } : {}),
  ...(lines ? { lines } : {}),
  ...(bodiless ? { bodiless } : {}),
  ...('generation' in ((input as { shape?: object }).shape ?? {}) ? { generations: true as const } : {}),
})

export const CALLS: Readonly<Record<string, CallRow>> = Object.fromEntries(
  (Object.entries(calls) as [string, Call][]).map(([id, row]) => [id, rowOf(row)]),
)
