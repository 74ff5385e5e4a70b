import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { CallId } from '../../../../contract/calls.ts'
import type { Fleet } from '../fleet.ts'
import { call, type Headers } from '../send.ts'

/** A promise that holds whichever process responds; throws when broken. */
export interface Kept {
  name: string
  hold(fleet: Fleet): Promise<void>
}

let serial = 0
/** A unique number, for unique names. */
export const next = () => ++serial
/** A unique caller address, by the proxy's header. */
export const newLine = () => {
  const at = next()
  return `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`
}
export const statuses = (answers: readonly { status: number }[]) => answers.map((answer) => answer.status)
export const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((one) => one.status === status).length
/** Asserts a 200, showing the response otherwise. */
export const isOk = (answer: { status: number; content: Buffer }) => assert.equal(answer.status, 200, answer.content.toString())
/** Runs the same at every server. */
export const everywhere = <T>({ servers }: Fleet, work: (url: string) => Promise<T>) =>
  Promise.all(servers.map((server) => work(server.url)))
/** A server's address, in turns. */
export const by = (fleet: Fleet, nth: number) => fleet.servers[nth % fleet.servers.length]!.url
/** Returns what `look` finds within this many ms; throws `what` otherwise. */
export async function until<T>(ms: number, look: () => Promise<T | null | false>, what: string): Promise<T> {
  for (const end = Date.now() + ms; ; await delay(30)) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`)
  }
}
/** Returns a function for one caller's calls, the `nth` at the `nth` server. */
export const ask =
  (fleet: Fleet, headers: Headers = fleet.headers) =>
  <Id extends CallId>(nth: number, id: Id, input: Record<string, unknown> = {}) =>
    call(by(fleet, nth), id, input as never, { headers })
/** A response's token headers, for the next calls. */
export const tokensOf = (headers: Record<string, string | string[] | undefined>): Headers =>
  Object.fromEntries(['access-token', 'token-type', 'client', 'expiry', 'uid'].map((name) => [name, String(headers[name])]))
