import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { randomOf } from '../random.ts'
import { openWorld, type World } from '../world.ts'
import { nextShot } from './request.ts'
import type { Shot } from './shot.ts'

/** The result of a run of generated requests. */
export interface Fired {
  seed: number
  requests: number
  /** Responses by status. */
  statuses: Record<number, number>
  /** Valid requests that a handler accepted: 2xx. */
  taken: number
  slowest: { ms: number; call: string; kind: string }[]
  faults: Fault[]
}

/** A forbidden response, with its request: the seed's `nth`. */
export interface Fault {
  nth: number
  why: string
  shot: Omit<Shot, 'payload' | 'headers'> & { payload?: string; headers: Record<string, string> }
  answer: string
}

/** A slower response counts as a hang. */
const HANG_MS = 10_000
/** Words that only internal errors contain. */
const INSIDE =
  /SqliteError|SQLITE_|syntax error at|invalid input syntax|invalid byte sequence|constraint failed|violates |node_modules|at async |\/server\/\w+\.ts|ECONN/

/** Sends generated requests to a server on a fresh database and checks every response against the general rules. */
export async function fire(
  env: Record<string, string>,
  given: { seed: number; requests: number; onProgress?: (done: number, fired: Fired) => void },
): Promise<Fired> {
  const world = await openWorld(env)
  const random = randomOf(given.seed)
  const fired: Fired = { seed: given.seed, requests: 0, statuses: {}, taken: 0, slowest: [], faults: [] }
  try {
    for (let nth = 1; nth <= given.requests; nth++) {
      await one(world, nextShot(random), nth, fired)
      if (nth % 1000 === 0) given.onProgress?.(nth, fired)
    }
  } finally {
    await world.close()
  }
  return fired
}

async function one(world: World, shot: Shot, nth: number, fired: Fired): Promise<void> {
  const loggedBefore = world.errors.length
  const began = performance.now()
  // Keeps the process alive: a call that waits for a timer without a socket would end it.
  const patience = new AbortController()
  const answer = await Promise.race([
    world.app.inject({
      method: shot.method as 'GET',
      url: shot.url,
      headers: { ...world.headersOf(shot.who), ...shot.headers },
      ...(shot.payload === undefined ? {} : { payload: shot.payload }),
    }),
    delay(HANG_MS, null, { signal: patience.signal }),
  ]).catch((problem: unknown) => ({ problem: String(problem) }))
  patience.abort()
  const ms = performance.now() - began
  fired.requests++
  const fault = (why: string, text: string) =>
    fired.faults.push({
      nth,
      why,
      shot: shown(shot),
      answer: `${text.slice(0, 400)} ${world.errors.slice(loggedBefore).join(' ').slice(0, 1500)}`,
    })
  if (answer === null) return void fault('no response within ten seconds', '')
  if ('problem' in answer) return void fault('the request could not be made', answer.problem)
  note(fired, shot, ms)
  fired.statuses[answer.statusCode] = (fired.statuses[answer.statusCode] ?? 0) + 1
  if (shot.kind === 'right' && answer.statusCode < 300) fired.taken++
  const why = faultOf(shot, answer)
  if (why) fault(why, `${answer.statusCode} ${answer.body}`)
  // The run signs users out, deletes them and changes their roles, so they are restored.
  if ((answer.statusCode === 401 && shot.who !== 'stranger') || answer.body.includes('"change_password"')) await world.revive()
}

function note(fired: Fired, shot: Shot, ms: number): void {
  if (fired.slowest.length >= 5 && ms <= fired.slowest.at(-1)!.ms) return
  fired.slowest = [...fired.slowest, { ms: Math.round(ms), call: shot.id, kind: shot.kind }]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 5)
}

interface Heard {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

/** What is wrong with a response, or null. */
function faultOf(shot: Shot, { statusCode, headers, body }: Heard): string | null {
  if (statusCode >= 500) return `answered ${statusCode}`
  if (INSIDE.test(body)) return 'tells of the inside'
  const type = String(headers['content-type'] ?? '')
  if (type.includes('html') && !/<title>Fieldwork/.test(body)) return 'answered with a page'
  if (headers['x-content-type-options'] !== 'nosniff') return 'without nosniff'
  if (headers['set-cookie'] !== undefined && /\ba=b\b/.test(String(headers['set-cookie']))) return 'a header was smuggled in'
  if (statusCode < 400 || shot.method === 'HEAD') return null
  return type.includes('json') ? refusalFault(statusCode, body) : `a refusal that is no JSON (${type})`
}

function refusalFault(status: number, body: string): string | null {
  const parsed = JSON.parse(body) as {
    message?: unknown
    errors?: unknown
    code?: unknown
    request_id?: unknown
    fields?: unknown
  }
  if (
    typeof parsed.message !== 'string' ||
    !parsed.message ||
    typeof parsed.code !== 'string' ||
    typeof parsed.request_id !== 'string'
  )
    return 'a refusal without its parts'
  if (!Array.isArray(parsed.errors) || !parsed.errors.every((one) => typeof one === 'string' && one))
    return 'a refusal without its errors'
  if (status === 422 && !Object.keys(parsed.fields ?? {}).length) return 'a 422 that names no field'
  return null
}

function shown({ payload, ...rest }: Shot): Fault['shot'] {
  return {
    ...rest,
    url: rest.url.slice(0, 500),
    ...(payload === undefined ? {} : { payload: payload.toString('utf8').slice(0, 500) }),
  }
}
