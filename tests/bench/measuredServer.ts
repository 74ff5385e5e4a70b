// The real server, which also tells a bench how many statements it ran, and how long nobody got a turn.
import { createServer } from 'node:http'
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

createServer((request, response) => {
  response.end(JSON.stringify(measures))
  Object.assign(measures, NOTHING)
  const asked = request.url === '/watch'
  if (asked && !watching) setImmediate(watch, used())
  watching = asked
}).listen(Number(process.env.MEASURE_PORT), '127.0.0.1')

await import('../../server/main.ts')
