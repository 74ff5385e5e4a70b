// A separate process, so that its work doesn't count as the server's. Prints a line of JSON at the end.

import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomOf } from '../random.ts'

interface Given {
  url: string
  headers: Record<string, string>[]
  projects: number[]
  surveys: number[]
  callers: number
  ms: number
  seed: number
}
const given = JSON.parse(process.env.GIVEN!) as Given
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const times = new Map<string, number[]>()
const errors = new Map<string, number>()
let serial = 0

interface Sent {
  method?: string
  path: string
  body?: object
}
/** The state of a caller's workspace: the last event whose changes it has read. */
interface Known {
  cursor: number
}

/** TABLE  a typical morning: percentage and request. */
const MORNING: [share: number, name: string, of: (random: Random, known: Known) => Sent][] = [
  [
    24,
    'a list of projects',
    (random) => ({ path: `/v3/portal/projects?page=${random.int(1, 4)}&status=${random.pick(['all', 'active', 'pending'])}` }),
  ],
  [8, 'a search', (random) => ({ path: `/v3/portal/projects?search=${random.pick(['a', 'snack', 'new', 'p-1'])}` })],
  [18, 'an Overview', (random) => ({ path: `/v3/portal/projects/${random.pick(given.projects)}/overview` })],
  [
    6,
    'an Overview, filtered',
    (random) => ({ path: `/v3/portal/projects/${random.pick(given.projects)}/overview?gender=female&age=${random.int(1, 7)}` }),
  ],
  [14, 'a project', (random) => ({ path: `/v3/portal/projects/${random.pick(given.projects)}` })],
  [8, 'its history', (random) => ({ path: `/v3/portal/projects/${random.pick(given.projects)}/history` })],
  [6, 'the palette’s changes', (_random, known) => ({ path: `/v3/portal/palette/index?since=${known.cursor}` })],
  [4, 'clients', () => ({ path: '/v3/portal/clients' })],
  [
    5,
    'a note',
    (random) => ({
      method: 'POST',
      path: '/v3/portal/projects/note',
      body: { project_id: random.pick(given.projects), note: `Note ${++serial}` },
    }),
  ],
  [
    4,
    'an edit',
    (random) => ({
      method: 'PUT',
      path: '/v3/portal/projects',
      body: { id: random.pick(given.projects), description: `Text ${++serial}` },
    }),
  ],
  [
    3,
    'a batch of respondents',
    (random) => ({
      method: 'POST',
      path: `/v3/portal/surveys/runtime/${random.pick(given.surveys)}/responses`,
      body: {
        rows: Array.from({ length: 20 }, () => ({
          respondent_id: `load-${++serial}`,
          outcome: 'completes',
          gender: 'female',
          age: 3,
        })),
      },
    }),
  ],
]
const DECK = MORNING.flatMap(([share, ...card]) => Array.from({ length: share }, () => card))

function send(headers: Record<string, string>, what: Sent, known: Known): Promise<number> {
  const body = what.body ? JSON.stringify(what.body) : undefined
  return new Promise((resolve, reject) => {
    const sent = request(
      given.url + what.path,
      {
        agent,
        method: what.method ?? 'GET',
        headers: {
          ...headers,
          ...(body ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) } : {}),
        },
      },
      (answer) => {
        // Advances past the changes it has read, because a workspace requests nothing twice.
        const last = answer.headers['x-live-last']
        if (last) known.cursor = Number(last)
        if (what.path.includes('since=')) {
          let text = ''
          answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
          answer.on('end', () => (known.cursor = cursorOf(text, known.cursor)))
        } else answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
        answer.on('error', reject)
      },
    )
    sent.setTimeout(30_000, () => sent.destroy(new Error('no response within 30 s')))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The cursor of an index response, or `otherwise` if there is none. */
function cursorOf(text: string, otherwise: number): number {
  try {
    return (JSON.parse(text) as Known).cursor ?? otherwise
  } catch {
    return otherwise
  }
}

async function caller(nth: number, until: number): Promise<void> {
  const random = randomOf(given.seed + nth)
  const headers = given.headers[nth % given.headers.length]!
  const known: Known = { cursor: 0 }
  await pause(random.int(0, 1000))
  await send(headers, { path: '/v3/portal/auth/validate_token' }, known).catch(() => 0)
  while (Date.now() < until) {
    const [name, of] = random.pick(DECK)
    const began = performance.now()
    const status = await send(headers, of(random, known), known).catch((error: Error) => error.message)
    const list = times.get(name) ?? []
    times.set(name, list)
    list.push(performance.now() - began)
    if (status !== 200) errors.set(`${name}: ${status}`, (errors.get(`${name}: ${status}`) ?? 0) + 1)
    // Pauses like a person who reads before continuing.
    await pause(random.int(500, 2500))
  }
}

/** Messages to an open workspace, which listens to the end, and counts as broken when disconnected. */
let heard = 0
function listen(nth: number, until: number): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(`${given.url}/v3/portal/live`, { headers: given.headers[nth % given.headers.length]! }, (answer) => {
      if (answer.statusCode !== 200)
        errors.set(`a live stream: ${answer.statusCode}`, (errors.get(`a live stream: ${answer.statusCode}`) ?? 0) + 1)
      answer.on('data', () => heard++)
      answer.on('close', () => {
        if (Date.now() < until) errors.set('a live stream was cut off', (errors.get('a live stream was cut off') ?? 0) + 1)
        resolve()
      })
    })
    sent.on('error', () => resolve())
    sent.end()
    setTimeout(() => sent.destroy(), until - Date.now())
  })
}

const until = Date.now() + given.ms
await Promise.all(
  Array.from({ length: given.callers }, (_, nth) =>
    nth % 4 === 3 ? Promise.all([caller(nth, until), listen(nth, until)]) : caller(nth, until),
  ),
)
const share = (list: number[], of: number) => Math.round(list[Math.min(list.length - 1, Math.floor(list.length * of))]! * 10) / 10
const calls = [...times].map(([name, list]) => {
  list.sort((a, b) => a - b)
  return {
    name,
    count: list.length,
    p50: share(list, 0.5),
    p95: share(list, 0.95),
    p99: share(list, 0.99),
    worst: share(list, 1),
  }
})
console.log(JSON.stringify({ calls, errors: [...errors], heard }))
process.exit(0)
