import { type ClientRequest, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../server/db/connect.ts'
import type { Headers } from './send.ts'

/** A live stream that reconnects by Last-Event-ID whenever it is cut off, like a workspace. */
export interface Ear {
  /** The id it started after, and the ids of its events, in order. */
  began: number
  heard: number[]
  /** Its cursor: everything up to it was received, or wasn't meant for it. */
  cursor(): number
  /** How often it reconnected, was told to read everything again, and got a `retry` at the end. */
  came: number
  missed: number
  hinted: number
  /** The servers it listened to, in order. */
  by: string[]
  /** Responses that weren't streams. */
  refused: string[]
  stop(): void
}

/** Opens a stream at a server or the proxy; returns once it has said hello. `after` resumes after an event. */
export async function listen(base: string, headers: Headers, after?: number): Promise<Ear> {
  let stopped = false
  let last = after
  let sent: ClientRequest | undefined
  const ear: Ear = {
    began: -1,
    heard: [],
    cursor: () => last ?? 0,
    came: -1,
    missed: 0,
    hinted: 0,
    by: [],
    refused: [],
    stop() {
      stopped = true
      sent?.destroy()
    },
  }
  let ready = () => {}
  const hello = new Promise<void>((resolve) => (ready = resolve))

  const block = (text: string) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]
    const [id, event, data] = [field('id'), field('event'), field('data')]
    if (event === 'hello') {
      const { cursor, missed } = JSON.parse(data!) as { cursor: number; missed: boolean }
      if (missed) {
        // It reads everything again, so what it heard before no longer counts.
        ear.missed++
        ear.heard.length = 0
      }
      if (ear.began < 0 || missed) ear.began = cursor
      ready()
    } else if (field('retry') && !data) ear.hinted++
    else if (data?.startsWith('{"id"')) ear.heard.push((JSON.parse(data) as { id: number }).id)
    if (id !== undefined) last = Number(id)
  }
  const open = () => {
    if (stopped) return
    ear.came++
    const again = () => void setTimeout(open, 100 + Math.random() * 200)
    sent = request(
      `${base}/v3/portal/live`,
      { agent: false, headers: { ...headers, ...(last === undefined ? {} : { 'last-event-id': String(last) }) } },
      (answer) => {
        if (answer.statusCode !== 200) {
          ear.refused.push(String(answer.statusCode))
          answer.resume()
          return answer.once('close', again)
        }
        ear.by.push(String(answer.headers['x-served-by'] ?? ''))
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          const blocks = text.split('\n\n')
          text = blocks.pop()!
          blocks.forEach(block)
        })
        answer.on('error', () => {})
        return answer.once('close', again)
      },
    )
    sent.once('error', again)
    sent.end()
  }
  open()
  await hello
  return ear
}

/** Waits until streams have caught up; returns events that an administrator's missed, got twice or out of order. */
export async function reckonEars(database: Database, user: number, ears: readonly Ear[], within = 10_000): Promise<string[]> {
  const events = await database.db.selectFrom('events').select(['id', 'audience', 'user_id']).orderBy('id').execute()
  const end = events.at(-1)?.id ?? 0
  for (const until = Date.now() + within; Date.now() < until && ears.some((ear) => ear.cursor() < end); ) await delay(50)
  const mine = events.filter((event) => event.audience !== 'user' || event.user_id === user).map((event) => event.id)
  return ears.flatMap((ear, nth) => {
    const heard = ear.heard.filter((id) => id <= end)
    const wanted = mine.filter((id) => id > ear.began)
    const known = new Set(heard)
    const lost = wanted.filter((id) => !known.has(id))
    return [
      ...(lost.length ? [`stream ${nth} missed ${lost.length} of ${wanted.length} events: ${lost.slice(0, 5)}`] : []),
      ...(known.size < heard.length ? [`stream ${nth} heard ${heard.length - known.size} events twice`] : []),
      ...(heard.some((id, at) => at > 0 && id < heard[at - 1]!) ? [`stream ${nth} heard events out of their order`] : []),
      ...(known.size > wanted.length ? [`stream ${nth} heard ${known.size - wanted.length} events that are not there`] : []),
      ...(ear.missed ? [`stream ${nth} was told ${ear.missed} times to read everything anew`] : []),
    ]
  })
}
