import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { calls } from 'virtual:calls'
import type { CallId } from '../../../contract/calls.ts'
import { type Recorded, type Recording, requestKey, type Step, unpack } from './recording.ts'

export type Who = 'admin' | 'client'
const recordings = new Map<Who, Recording>()
function recordingOf(who: Who): Recording {
  const known = recordings.get(who) ?? unpack(JSON.parse(readFileSync(resolve('tests/support/answers', `${who}.json`), 'utf8')))
  recordings.set(who, known)
  return known
}

const routes = Object.entries(calls)
  .map(([id, [method, path]]) => ({
    id: id as CallId,
    method,
    names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    address: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  // Paths without parameters match first.
  .sort((a, b) => a.names.length - b.names.length)

/** Returns what the server responded when it was recorded. */
export class RecordedApi {
  /** The writes so far, without dry runs. */
  readonly writes: { id: CallId; input: object }[] = []
  /** The calls that were read. */
  readonly reads: CallId[] = []
  /** Writes and dry runs that aren't recorded, which fail the test. */
  readonly missing: string[] = []
  /** Reads that aren't recorded, for the message of a test that fails: a screen may read ahead what no test needs. */
  readonly unread: string[] = []
  private made: string[] = []
  private reading: Record<string, unknown>
  private readonly refusals = new Map<CallId, Recorded>()
  private readonly held = new Map<CallId, PromiseWithResolvers<void>>()
  private readonly recording: Recording

  constructor(who: Who) {
    this.recording = recordingOf(who)
    this.reading = { ...this.recording.reads }
  }

  /** Holds a call's answers until the function that it returns is called. */
  hold(id: CallId): () => void {
    const held = Promise.withResolvers<void>()
    this.held.set(id, held)
    return () => {
      this.held.delete(id)
      held.resolve()
    }
  }

  /** Refuses a call, until `allow`. */
  refuse(id: CallId, status: number, body: { message: string; code: string; fields?: Record<string, string> }): void {
    this.refusals.set(id, { status, body })
  }

  /** Ends the refusal of a call. */
  allow(id: CallId): void {
    this.refusals.delete(id)
  }

  /** Replaces `fetch`. */
  readonly fetch = async (url: string, { method = 'GET', body, signal }: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url, location.href)
    const row = routes.find((one) => one.method === method && one.address.test(pathname))
    if (!row) throw new Error(`There is no call ${method} ${url}`)
    const sent = body ? JSON.parse(body as string) : undefined
    await this.held.get(row.id)?.promise
    signal?.throwIfAborted()
    const answer = this.refusals.get(row.id) ?? this.answer(row, method, url, sent)
    return new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: { 'content-type': 'application/json', ...(answer.undo ? { 'x-undo': String(answer.undo) } : {}) },
    })
  }

  private answer(
    { id, names, address }: (typeof routes)[number],
    method: string,
    url: string,
    sent?: { dry?: unknown },
  ): Recorded {
    const key = requestKey(method, url, sent)
    if (method === 'GET' || sent?.dry) {
      this.reads.push(id)
      const body = this.reading[key]
      return body === undefined ? this.miss(key) : { status: 200, body }
    }
    const step = this.nextStep(key)
    const found = address.exec(new URL(url, location.href).pathname)!
    this.writes.push({ id, input: { ...Object.fromEntries(names.map((name, at) => [name, found[at + 1]])), ...sent } })
    if (!step) return this.miss(key)
    this.made.push(key)
    Object.assign(this.reading, step.after)
    return step.answer
  }

  private nextStep(key: string): Step | undefined {
    const at = this.made.length
    return Object.values(this.recording.series).find(
      (steps) => steps[at]?.request === key && this.made.every((made, before) => steps[before]!.request === made),
    )?.[at]
  }

  private miss(key: string): Recorded {
    ;(key.startsWith('GET ') ? this.unread : this.missing).push(key)
    return { status: 501, body: { message: 'This isn’t recorded.', code: 'not_recorded', fields: {} } }
  }
}
