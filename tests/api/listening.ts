import { setTimeout as delay } from 'node:timers/promises'
import type { Person } from './support.ts'

interface Heard {
  id: number
  noun: string
  subject_id: number
  kind: string
  own: boolean
}

/** Listens to a server's live stream; `until` waits for an event, `stop` disconnects. */
export async function listenTo(base: string, person: Person, after?: number) {
  const stop = new AbortController()
  const headers = { ...person.headers, ...(after === undefined ? {} : { 'last-event-id': String(after) }) }
  const answer = await fetch(`${base}/v3/portal/live`, { headers, signal: stop.signal })
  const heard: Heard[] = []
  const lines: string[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        lines.push(text.slice(0, end))
        const data = /^data: (\{"id".*)$/m.exec(text.slice(0, end))?.[1]
        if (data) heard.push(JSON.parse(data) as Heard)
        text = text.slice(end + 2)
      }
    }
  })().catch(() => {})
  const until = async (fits: (event: Heard) => boolean, ms = 20_000) => {
    for (const end = Date.now() + ms; Date.now() < end; await delay(10)) {
      const found = heard.find(fits)
      if (found) return found
    }
    return null
  }
  const hangUp = () => {
    stop.abort()
    return reading
  }
  return { heard, said: lines, until, stop: hangUp, ended: reading }
}
