import assert from 'node:assert/strict'
import type { CallId } from '../../../../contract/calls.ts'
import type { Fleet } from '../fleet.ts'
import { call, type Headers } from '../send.ts'

/** One promise that holds whichever process answers; throws where it is broken. */
export interface Kept {
  name: string
  hold(fleet: Fleet): Promise<void>
}

let serial = 0
/** A number that was not given before, for names that nothing else has. */
export const next = () => ++serial
/** An address that nothing else comes from, as far as the servers know by the proxy's word. */
export const newLine = () => {
  const at = next()
  return `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`
}
export const statuses = (answers: readonly { status: number }[]) => answers.map((answer) => answer.status)
export const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((one) => one.status === status).length
/** Answered with 200, or what it said instead. */
export const isOk = (answer: { status: number; content: Buffer }) => assert.equal(answer.status, 200, answer.content.toString())
/** The same at every server. */
export const everywhere = <T>({ servers }: Fleet, work: (url: string) => Promise<T>) =>
  Promise.all(servers.map((server) => work(server.url)))
/** The address of a server, in turns. */
export const by = (fleet: Fleet, nth: number) => fleet.servers[nth % fleet.servers.length]!.url
/** What `look` finds within this many milliseconds; throws `what` when it finds nothing. */
export async function until<T>(ms: number, look: () => Promise<T | null | false>, what: string): Promise<T> {
  for (const end = Date.now() + ms; ; await new Promise((next) => setTimeout(next, 30))) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`)
  }
}
/** Calls by one caller, the `nth` at the `nth` server. */
export const ask =
  (fleet: Fleet, headers: Headers = fleet.headers) =>
  <Id extends CallId>(nth: number, id: Id, input: Record<string, unknown> = {}) =>
    call(by(fleet, nth), id, input as never, { headers })
/** The token headers of an answer, for the calls after it. */
export const tokensOf = (headers: Record<string, string | string[] | undefined>): Headers =>
  Object.fromEntries(['access-token', 'token-type', 'client', 'expiry', 'uid'].map((name) => [name, String(headers[name])]))
