// The real server, which also tells a bench how many statements it ran, how long nobody got a turn, and its profile.
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'

/** What a measured server tells, since it was last asked. */
export interface Measures {
  statements: number
  /** Processor time (ms) of the longest turn of the event loop, and how many turns took more than 25 ms. */
  longest: number
  long: number
  /** The longest commit by the clock (ms), in which SQLite waits for the disk and nobody gets a turn. */
  commit: number
}

const NOTHING: Measures = { statements: 0, longest: 0, long: 0, commit: 0 }
const measures: Measures = { ...NOTHING }
function count(owner: object, name: string): void {
  const method = Reflect.get(owner, name) as (...given: unknown[]) => unknown
  Reflect.set(owner, name, function (this: unknown, ...given: unknown[]) {
    measures.statements++
    return method.apply(this, given)
  })
}
for (const name of ['all', 'run', 'get']) count(StatementSync.prototype, name)
count(pg.Client.prototype, 'query')
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (text) {
  const began = performance.now()
  exec.call(this, text)
  if (text === 'commit') measures.commit = Math.max(measures.commit, performance.now() - began)
}

const used = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let watching = false
/** Turns follow one another without a pause while they are watched, which costs a core; so only when asked for. */
function watch(since: number): void {
  const now = used()
  measures.longest = Math.max(measures.longest, now - since)
  if (now - since > 25) measures.long++
  if (watching) setImmediate(watch, used())
}

let session: Session | null = null
/** Starts a sampling profile of the server's thread. */
async function startProfile(): Promise<void> {
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
}

/** Stops it; returns the time (ms) by script, `sqlite` for what the wrapped statements took. */
async function profiled(): Promise<Record<string, number>> {
  const { profile } = await session!.post('Profiler.stop')
  session!.disconnect()
  session = null
  const scripts: Record<string, number> = {}
  const byId = new Map(profile.nodes.map((node) => [node.id, node]))
  profile.samples?.forEach((id, at) => {
    const { functionName, url } = byId.get(id)!.callFrame
    const isStatement = url === import.meta.url || (!url && /^(all|run|get|exec)$/.test(functionName))
    const script = isStatement ? 'sqlite' : url || functionName
    scripts[script] = (scripts[script] ?? 0) + (profile.timeDeltas?.[at] ?? 0) / 1000
  })
  return scripts
}

createServer(async (request, response) => {
  if (request.url === '/profile') await startProfile()
  if (request.url === '/profiled') return response.end(JSON.stringify(await profiled()))
  response.end(JSON.stringify(measures))
  Object.assign(measures, NOTHING)
  const asked = request.url === '/watch'
  if (asked && !watching) setImmediate(watch, used())
  watching = asked
}).listen(Number(process.env.MEASURE_PORT), '127.0.0.1')

await import('../../server/main.ts')
