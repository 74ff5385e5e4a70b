import { setTimeout as pause } from 'node:timers/promises'
import { LONGEST_WAIT_MS } from '../../../server/db/connect.ts'
import { nothingPromised, type Promised, workWhile } from '../crash/work.ts'
import { type Heard, heard } from '../heard.ts'
import { type Ear, listen } from '../many/ear.ts'
import type { Fleet } from '../many/fleet.ts'
import { type Answer, send } from '../many/send.ts'
import type { Random } from '../random.ts'

/** Every call gets a response within this many ms; the second is for a machine that is busy with other work. */
const PROMISED_MS = LONGEST_WAIT_MS + 1000
const REWARDS = 6000
const EARS = 3

/** A few callers that write, pay, take in and read without a pause, with open live streams. */
export interface Load {
  promised: Promised
  ears: Ear[]
  /** Starts the callers; they run until `rest`. */
  begin(): void
  /** Stops the callers, and returns what they saw since `begin`. */
  rest(): Promise<Seen>
  /** Waits until writes are acknowledged repeatedly; the ms it took, or null after `ms`. */
  flowing(ms: number): Promise<number | null>
}

/** What callers saw during one disturbance. */
export interface Seen {
  answers: number
  /** Responses that weren't 200, by status and code. */
  refused: Map<string, number>
  /** The longest time without an acknowledged write, and without a read, by anybody (ms). */
  writeGap: number
  readGap: number
  /** The slowest response (ms), and what it answered. */
  slowest: number
  slowestOf: string
  faults: string[]
}

/** Fills the marketplace and opens the streams. */
export async function openLoad(fleet: Fleet, random: Random): Promise<Load> {
  const promised = nothingPromised()
  const { url } = fleet.proxy
  const { headers } = fleet
  const world = await fill(fleet)
  const ears = await Promise.all(Array.from({ length: EARS }, () => listen(url, headers)))
  let seen = nothingSeen()
  let going = false
  let last = { write: 0, read: 0 }
  let written = 0
  let running: Promise<unknown> = Promise.resolve()

  const saw = (what: 'write' | 'read', path: string, answer: Heard) => {
    seen.answers++
    if (answer.ms > seen.slowest) Object.assign(seen, { slowest: answer.ms, slowestOf: `${path}, ${answer.status}` })
    if (answer.ms > PROMISED_MS) seen.faults.push(`${path} took ${Math.round(answer.ms)} ms`)
    const now = performance.now()
    if (answer.status === 200 || answer.status === 409) {
      const gap = what === 'write' ? 'writeGap' : 'readGap'
      seen[gap] = Math.max(seen[gap], now - last[what])
      last[what] = now
      if (what === 'write') written++
      return
    }
    const kind = `${answer.status} ${answer.code}`
    seen.refused.set(kind, (seen.refused.get(kind) ?? 0) + 1)
    if (answer.status !== 503 && answer.status !== 507)
      seen.faults.push(`${path} was answered ${kind}: ${answer.text.slice(0, 200)}`)
    else if (!(answer.retry > 0) || !answer.shaped) seen.faults.push(`${path} got ${kind} without Retry-After or our shape`)
  }
  const place = {
    ...world,
    url,
    headers,
    random,
    promised,
    going: () => going,
    heard: (path: string, answer: Heard) => saw('write', path, answer),
  }
  const read = async (path: () => string) => {
    while (going) {
      const began = performance.now()
      const at = path()
      const answer = await send(url + at, { headers }).catch((error: Error) => error)
      if (answer instanceof Error) seen.faults.push(`${at} got no response: ${answer.message}`)
      else saw('read', at, heardOf(answer, performance.now() - began))
      await pause(answer instanceof Error || answer.status !== 200 ? 200 : random.int(50, 250))
    }
  }
  return {
    promised,
    ears,
    begin() {
      seen = nothingSeen()
      last = { write: performance.now(), read: performance.now() }
      going = true
      running = Promise.all([
        workWhile({ ...place, pause: 60 }, () => going),
        read(() => '/v3/portal/projects'),
        read(() => `/v3/portal/projects/${random.pick(world.projects)}/overview`),
      ])
    },
    async rest() {
      going = false
      await running
      return seen
    },
    async flowing(ms) {
      const began = performance.now()
      for (const from = written; performance.now() - began < ms; await pause(50))
        if (written > from + 10) return performance.now() - began
      return null
    },
  }
}

const nothingSeen = (): Seen => ({
  answers: 0,
  refused: new Map(),
  writeGap: 0,
  readGap: 0,
  slowest: 0,
  slowestOf: '',
  faults: [],
})

function heardOf(answer: Answer, ms: number): Heard {
  return heard(answer.status, ms, answer.content.toString(), String(answer.headers['retry-after'] ?? ''))
}

async function fill({ make, client, database }: Fleet) {
  const projects: number[] = []
  const surveys: number[] = []
  for (let nth = 0; nth < 4; nth++) {
    projects.push((await make.project({ client_id: client.id })).id)
    surveys.push((await make.survey({ project_id: projects[nth]! })).id)
  }
  await make.entries(
    Array.from({ length: REWARDS }, (_, nth) => ({
      project_id: projects[nth % 4]!,
      survey_id: surveys[nth % 4]!,
      email: `winner-${nth}@mail.test`,
      amount_cents: 500,
    })),
  )
  const entries = (await database.db.selectFrom('entries').select('id').execute()).map((row) => row.id)
  return { client: client.id, projects, surveys, entries }
}
