import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { calls } from '../../contract/calls.ts'
import { unpack } from '../support/answers/recording.ts'

const routes = Object.entries(calls as Record<string, Call>)
  .map(([id, { method, path, output }]) => ({
    id,
    method,
    output,
    address: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    names: path.split('{').length,
  }))
  // Paths without parameters match first.
  .sort((a, b) => a.names - b.names)

/** What is wrong with an answer by its call's schema; empty if nothing. */
function wrongWith(request: string, body: unknown): string[] {
  const [, method, path] = /^(\w+) ([^ ?]+)/.exec(request)!
  const route = routes.find((one) => one.method === method && one.address.test(path!))
  if (!route) return [`${request}: there is no such call`]
  const { error } = route.output.safeParse(body)
  return error ? [`${route.id}: ${error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')}`] : []
}

test.each(['admin', 'client'])('the recorded answers of the %s keep to the contract; else `npm run record`', (who) => {
  const { reads, series } = unpack(JSON.parse(readFileSync(resolve('tests/support/answers', `${who}.json`), 'utf8')))
  const wrong = Object.entries(reads).flatMap(([request, body]) => wrongWith(request, body))
  for (const { request, answer, after } of Object.values(series).flat()) {
    if (answer.status < 300) wrong.push(...wrongWith(request, answer.body))
    for (const [read, body] of Object.entries(after)) wrong.push(...wrongWith(read, body))
  }
  expect(wrong).toEqual([])
})
