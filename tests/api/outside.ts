import type { CallId } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'

/** A response over the network, with its duration in ms. */
export interface Came {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer or a refusal of any call, as a test reads it
  body: any
  headers: Headers
  ms: number
}

/** Returns a function that calls a server in another process; status 0 without a response. */
export function callsTo(url: string, headers: Record<string, string>) {
  const ask = async (path: string, init: RequestInit = {}): Promise<Came> => {
    const began = performance.now()
    try {
      const answer = await fetch(url + path, { ...init, headers: { ...headers, ...(init.headers as object) } })
      const text = await answer.text()
      const body = text.startsWith('{') ? JSON.parse(text) : text
      return { status: answer.status, body, headers: answer.headers, ms: performance.now() - began }
    } catch {
      return { status: 0, body: {}, headers: new Headers(), ms: performance.now() - began }
    }
  }
  const call = (id: CallId, input: Record<string, unknown> = {}): Promise<Came> => {
    const { method, url: path, body } = requestOf(id, input)
    return ask(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  }
  return { ask, call }
}

/** Listens to a live stream; returns its messages in order, and whether it is still open. */
export async function listenTo(url: string, headers: Record<string, string>, after?: number) {
  const stop = new AbortController()
  const ear = {
    said: [] as string[],
    events: [] as { id: number; noun: string; subject_id: number }[],
    open: true,
    stop: () => stop.abort(),
  }
  const answer = await fetch(`${url}/v3/portal/live`, {
    headers: { ...headers, ...(after === undefined ? {} : { 'last-event-id': String(after) }) },
    signal: stop.signal,
  })
  void (async () => {
    let text = ''
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + piece).split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        ear.said.push(/^event: (\w+)/m.exec(block)?.[1] ?? 'message')
        const data = /^data: (\{"id".*)$/m.exec(block)?.[1]
        if (data) ear.events.push(JSON.parse(data))
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      ear.open = false
    })
  return ear
}
