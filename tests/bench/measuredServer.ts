// The real server, which also tells a bench how many statements it ran since it was last asked.
import { createServer } from 'node:http'
import { StatementSync } from 'node:sqlite'
import pg from 'pg'

let statements = 0
function count(owner: object, name: string): void {
  const method = Reflect.get(owner, name) as (...given: unknown[]) => unknown
  Reflect.set(owner, name, function (this: unknown, ...given: unknown[]) {
    statements++
    return method.apply(this, given)
  })
}
for (const name of ['all', 'run', 'get']) count(StatementSync.prototype, name)
count(pg.Client.prototype, 'query')

createServer((_, response) => {
  response.end(String(statements))
  statements = 0
}).listen(Number(process.env.MEASURE_PORT), '127.0.0.1')

await import('../../server/main.ts')
