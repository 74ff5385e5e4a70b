import fc from 'fast-check'
import { beforeAll, describe, expect } from 'vitest'
import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'
import { demoWorld, idsFor } from './demo-world.ts'
import { type ApiDocument, comparedWith } from './documented.ts'
import type { Answer } from './support.ts'
import { everywhere, testAll } from './wrong.ts'

/*
 * Every read as an administrator, a client user and nobody, with hostile ids and queries:
 * no answer is a 5xx, and each is one of the call's answers in the document, to its formats.
 */

let world: Awaited<ReturnType<typeof demoWorld>>
let untrue: (id: CallId, answer: Answer) => string[]
beforeAll(async () => {
  world = await demoWorld()
  const document = (await world.app.as('stranger').raw('GET', '/openapi.json')).body as unknown as ApiDocument
  untrue = comparedWith(document)
}, 120_000)

const reads = (Object.entries(calls) as [CallId, Call][]).filter(
  ([id, row]) => row.method === 'GET' && !row.unsafe && id !== 'live.stream',
)

/** TABLE  values that programs send by mistake or on purpose. */
const HOSTILE: readonly string[] = [
  ...['', ' ', '0', '-1', '1.5', '1e3', '0x10', 'NaN', 'null', 'undefined', 'true', '[object Object]'],
  ...['2147483648', '9007199254740993', '99999999999999999999', '٣', '１２', 'é', '\u202e1', '%', '%25', '\ud800'.toWellFormed()],
  ...["'", '"', "1' or '1'='1", '1;drop table users', '../..', '..', '.', '{}', '[]', '<script>', '*', '_', '\\'],
  ...['2026-02-30', '01/02/2027', '2026-11-30T23:00:00Z', '2026-11-29T10:00:00', 'tomorrow', 'a'.repeat(3000)],
  ...['any', 'all', 'yes', 'asc; --', 'name,id', '1,2,3', ',', '\t\r\n'],
]

interface Field {
  enum?: unknown[]
}

/** The inputs that are tried: of each field hostile values, the others being those of a record. */
function inputsOf(id: CallId, row: Call): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Field>
    required?: string[]
  }
  const needed = new Set([...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!), ...required])
  const known = (name: string): unknown[] => [
    ...idsFor(world.ids, row, name),
    ...(world.given[id] ?? []).flatMap((input) => (input[name] === undefined ? [] : [input[name]])),
    ...(properties[name]?.enum ?? []),
  ]
  const fields = Object.keys({ ...properties, unknown_name: {} }).map((name) => {
    const right = known(name)
    const wrong = fc.constantFrom(...HOSTILE)
    const value = right.length ? fc.oneof(fc.constantFrom(...right), wrong) : wrong
    return [name, needed.has(name) ? value : fc.option(value, { nil: undefined, freq: 3 })] as const
  })
  return fc.record(Object.fromEntries(fields))
}

const paths = new Map(reads.map(([id, { path }]) => [path, id]))
/** False for an address that belongs to another call, or to none, because of a value in its path. */
const leadsTo = (id: CallId, url: string, { body }: Answer): boolean =>
  (paths.get(url.split('?', 1)[0]!) ?? id) === id && body?.code !== 'unknown_call' && body?.code !== 'method'

/** How many inputs each read gets from each caller. */
const TRIES = everywhere && process.env.WHOLE === '1' ? 24 : 4

describe('every read with hostile input', () => {
  testAll('has an answer of the document, and none is a 5xx', reads, async ([id, row]) => {
    const inputs = fc.sample(inputsOf(id, row), { numRuns: TRIES, seed: 48 })
    const faults = new Set<string>()
    for (const input of inputs)
      for (const who of [world.people.admin, world.people.client, world.app.as('stranger')]) {
        const { method, url } = requestOf(id, input)
        const answer = await who.raw(method, url)
        if (!leadsTo(id, url, answer)) continue
        if (answer.status >= 500) faults.add(`${answer.status} for ${url.slice(0, 300)}: ${answer.text.slice(0, 200)}`)
        else if (answer.status !== 414) for (const fault of untrue(id, answer)) faults.add(`${fault} for ${url.slice(0, 300)}`)
      }
    expect([...faults]).toEqual([])
  })
})
