import { setTimeout as delay } from 'node:timers/promises'
import { type CallId, calls } from '../../../contract/calls.ts'
import { requestOf } from '../../api/calling.ts'
import { type Heard, heard } from '../heard.ts'
import type { Random } from '../random.ts'

/** What the server acknowledged (true), and what it may have done without acknowledging (false). */
export interface Promised {
  notes: Map<string, boolean>
  /** Respondents by survey. */
  respondents: Map<number, Map<string, boolean>>
  redeemed: Map<number, boolean>
  invited: Map<string, boolean>
  /** Each project's last acknowledged description, and those sent after it. */
  descriptions: Map<number, { acknowledged: string; later: string[] }>
  /** Refused with "Nothing was changed", so it must not exist. */
  denied: Set<string>
  /** The same for rewards, which must not have been paid. */
  unpaid: Set<number>
  answers: number
  /** Responses that reported database or disk trouble. */
  troubles: number
  /** The longest wait for a response, in ms. */
  slowest: number
  faults: string[]
}

export const nothingPromised = (): Promised => ({
  notes: new Map(),
  respondents: new Map(),
  redeemed: new Map(),
  invited: new Map(),
  descriptions: new Map(),
  denied: new Set(),
  unpaid: new Set(),
  answers: 0,
  troubles: 0,
  slowest: 0,
  faults: [],
})

/** A worker's server, world and record of promises. */
export interface Place {
  url: string
  headers: Record<string, string>
  client: number
  projects: number[]
  surveys: number[]
  entries: number[]
  random: Random
  promised: Promised
  /** Called for every successful response. */
  acknowledged?: (call: CallId) => void
  /** Set when the server survives while its dependencies break: false ends the work. */
  going?: () => boolean
  /** Called for every response. */
  heard?: (path: string, answer: Heard) => void
  /** The longest random pause (ms) after each request; none without it. */
  pause?: number
}

let serial = 0

/** TABLE  work on a server that is being killed; each returns false without a response. */
const WORKERS: ((place: Place) => Promise<boolean>)[] = [
  async (place) => {
    const note = `note ${++serial}`
    place.promised.notes.set(note, false)
    return await call(
      place,
      'note.create',
      { project_id: place.random.pick(place.projects), note },
      {
        yes: () => place.promised.notes.set(note, true),
        no: () => place.promised.denied.add(note),
      },
    )
  },
  async (place) => {
    const id = place.random.pick(place.projects)
    const promise = place.promised.descriptions.get(id) ?? { acknowledged: '', later: [] }
    place.promised.descriptions.set(id, promise)
    const description = `text ${++serial}`
    promise.later.push(description)
    return await call(
      place,
      'project.edit',
      { id, description },
      {
        yes: () => {
          // An earlier one can't arrive after this one any more, unless it is still in flight.
          promise.acknowledged = description
        },
      },
    )
  },
  async (place) => {
    const surveyId = place.random.pick(place.surveys)
    const known = place.promised.respondents.get(surveyId) ?? new Map<string, boolean>()
    place.promised.respondents.set(surveyId, known)
    // A third of the batch was sent before, like an importer's resend after a missing response.
    const again = [...known.keys()].slice(-7)
    const ids = [...again, ...Array.from({ length: 15 }, () => `r${++serial}`)]
    for (const id of ids) if (!known.has(id)) known.set(id, false)
    const rows = ids.map((respondent_id) => respondent(respondent_id))
    return await call(
      place,
      'runtime.ingest',
      { surveyId, rows },
      {
        yes: () => {
          for (const id of ids) known.set(id, true)
        },
      },
    )
  },
  async (place) => {
    const ids = Array.from({ length: place.random.int(1, 4) }, () => place.random.pick(place.entries))
    const fresh = ids.filter((id) => !place.promised.redeemed.has(id))
    // All were redeemed: makes a request anyway, or it would never notice that the server is gone.
    if (!fresh.length) return await call(place, 'project.list', {}, { yes: () => {} })
    for (const id of fresh) place.promised.redeemed.set(id, false)
    return await call(
      place,
      'entry.redeem',
      { ids: [...new Set(fresh)], confirm_repeats: true },
      {
        yes: () => {
          for (const id of fresh) place.promised.redeemed.set(id, true)
        },
        no: () => {
          for (const id of fresh) place.promised.unpaid.add(id)
        },
      },
    )
  },
  async (place) => {
    const email = `guest${++serial}@mail.test`
    place.promised.invited.set(email, false)
    return await call(
      place,
      'user.invite',
      { email, role_id: 3, client_id: place.client },
      {
        yes: () => place.promised.invited.set(email, true),
        no: () => place.promised.denied.add(email),
      },
    )
  },
]

/** The same respondent for the same id. */
function respondent(respondent_id: string) {
  const number = Number(respondent_id.slice(1))
  return {
    respondent_id,
    outcome: (['completes', 'completes', 'terminates', 'overquota', 'partials'] as const)[number % 5],
    at: new Date(Date.now() - 60_000).toISOString(),
    age: (number % 7) + 1,
    gender: number % 2 ? 'male' : 'female',
    latitude: 30 + (number % 15),
    longitude: -80 - (number % 30),
  }
}

/** Runs all workers until the server stops responding. */
export const workUntilKilled = (place: Place): Promise<void> => workWhile(place, (answered) => answered)

/** Runs all workers while `goesOn` returns true, which is passed whether each request got a response. */
export async function workWhile(place: Place, goesOn: (answered: boolean) => boolean): Promise<void> {
  await Promise.all(
    [...WORKERS, ...WORKERS].map(async (work) => {
      while (goesOn(await work(place))) if (place.pause) await delay(place.random.int(0, place.pause))
    }),
  )
}

interface Said {
  yes(): void
  /** Called when an error promises that nothing was changed. */
  no?(): void
}

async function call(place: Place, id: CallId, input: Record<string, unknown>, promise: Said): Promise<boolean> {
  const { method, url, body } = requestOf(id, input)
  const { promised, going } = place
  const began = performance.now()
  let status: number
  let text: string
  let retryAfter: string
  try {
    const answer = await fetch(place.url + url, {
      method,
      headers: { ...place.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    text = await answer.text()
    status = answer.status
    retryAfter = answer.headers.get('retry-after') ?? ''
  } catch {
    if (going?.()) promised.faults.push(`${calls[id].path} got no answer: the server is gone`)
    return false
  }
  // The proxy found no server: it may have been done or not, as with a broken connection.
  if (status === 502) return false
  promised.answers++
  const ms = performance.now() - began
  promised.slowest = Math.max(promised.slowest, ms)
  place.heard?.(calls[id].path, heard(status, ms, text, retryAfter))
  if (status === 200) {
    promise.yes()
    place.acknowledged?.(id)
  } else if (going && (status === 503 || status === 507)) {
    promised.troubles++
    if (text.includes('Nothing was changed')) promise.no?.()
    await delay(15)
  } else if (status !== 409) promised.faults.push(`${calls[id].path} answered ${status}: ${text.slice(0, 200)}`)
  return going?.() ?? true
}
