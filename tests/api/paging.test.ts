import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'
import { demoWorld, idsFor } from './demo-world.ts'
import { withoutDeliveries } from './support.ts'
import { everywhere, testAll } from './wrong.ts'

// Every list of the calls table, by page number, by cursor and by time.
type World = Awaited<ReturnType<typeof demoWorld>>
type Input = Record<string, unknown>
let world: World
beforeAll(async () => {
  world = await demoWorld()
  withoutDeliveries(world.app)
  await fillEmptyLists()
}, 120_000)

/** Rows for the lists that have none in the demo. */
async function fillEmptyLists(): Promise<void> {
  const { app, people, ids } = world
  const { admin } = people
  for (const name of ['One', 'Two', 'Three']) {
    expect((await admin.call('token.create', { name, scopes: ['project:read'] })).status).toBe(200)
    for (const id of ids.teams!) expect((await admin.call('team.edit', { id, name: `${name} ${id}` })).status).toBe(200)
    for (const id of ids.brands!) expect((await admin.call('brand.edit', { id, name: `${name} ${id}` })).status).toBe(200)
    const { id } = await app.make.notification({ name, message: name, sent_at: new Date().toISOString() })
    const notice = { notification_id: id, user_id: app.admin.id, read_at: null, created_at: new Date().toISOString() }
    await app.write((tx) => tx.insertInto('notices').values(notice).execute())
  }
}

interface Field {
  enum?: string[]
}
const propertiesOf = (row: Call) =>
  z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Field>
    required?: string[]
  }
const lists = (Object.entries(calls) as [CallId, Call][]).flatMap(([id, row]) => {
  const { properties = {} } = propertiesOf(row)
  return row.method === 'GET' && 'cursor' in properties ? [{ id, row, properties }] : []
})
/** Columns of lists whose schema takes any text, as the older spelling does. */
const COLUMNS = ['name', 'status', 'goal', 'cost', 'pacing', 'percentage', 'delivered', 'start_dt', 'client', 'updated_at']

const rowsOf = (body: { data: unknown }): unknown[] =>
  (Array.isArray(body.data) ? body.data : Object.values(body.data as object).find((value) => Array.isArray(value))) as unknown[]
/** What identifies a row: a running job's figures change from one read to the next. */
const plain = (row: unknown): string => {
  const { id } = row as { id?: unknown }
  return JSON.stringify(id ?? row)
}
const nextOf = (headers: Record<string, unknown>): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]

const ENOUGH = 12
const inputs = new Map<CallId, Promise<Input>>()
/** An input with which the list has a dozen rows or little more, out of the demo's records; found once. */
function inputOf(id: CallId, row: Call): Promise<Input> {
  const known = inputs.get(id) ?? findInput(id, row)
  inputs.set(id, known)
  return known
}

async function findInput(id: CallId, row: Call): Promise<Input> {
  const needed = [
    ...new Set([...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!), ...(propertiesOf(row).required ?? [])]),
    // All projects' are more than one page has.
    ...(id === 'fieldSession.list' ? ['project_id'] : []),
  ]
  if (!needed.length) return {}
  let best: { input: Input; count: number } = { input: {}, count: -1 }
  const [first] = needed as [string]
  for (const value of idsFor(world.ids, row, first)) {
    const input = Object.fromEntries(needed.map((name) => [name, name === first ? value : idsFor(world.ids, row, name)[0]]))
    const { status, body } = await world.people.admin.call(id, { ...input, per_page: 500 } as never)
    const count = status === 200 ? rowsOf(body as never).length : -1
    if (best.count < ENOUGH ? count > best.count : count >= ENOUGH && count < best.count) best = { input, count }
  }
  return best.input
}

/** All rows of a list by following `next`. */
async function walk(id: CallId, input: Input, per_page: number): Promise<unknown[]> {
  const rows: unknown[] = []
  let url: string | undefined = requestOf(id, { ...input, per_page }).url
  while (url) {
    const { status, body, headers, text } = await world.people.admin.raw('GET', url)
    expect(status, `${id} ${url} ${text}`).toBe(200)
    rows.push(...rowsOf(body as never))
    url = nextOf(headers)
    if (rows.length > 5000) throw new Error(`${id} never ends`)
  }
  return rows
}

/** The columns that a list can be sorted by; of several lists with the same ones, all are tried in the first only. */
function columnsOf({ id, properties }: (typeof lists)[number]): string[] {
  if (!properties.column) return ['']
  const all = [...new Set(['', ...(properties.column.enum ?? COLUMNS)])]
  const first = lists.find((one) => String(one.properties.column?.enum) === String(properties.column?.enum))
  return first?.id === id || !properties.column.enum ? all : all.slice(0, 2)
}

/** Both orders of a column; where only what depends on the engine is tried, one of them in turn. */
function ordersOf(column: string, at: number): string[] {
  if (!column) return ['asc']
  return everywhere ? ['asc', 'desc'] : [at % 2 ? 'asc' : 'desc']
}

const named = lists.map((list) => [list.id, list] as const)

testAll('following `next` gives what one big page has, in every order', named, async ([id, list]) => {
  const { row, properties } = list
  const input = await inputOf(id, row)
  let seen = 0
  for (const [at, column] of columnsOf(list).entries())
    for (const order of ordersOf(column, at)) {
      const sorted = column ? { ...input, column, order } : input
      const whole = await world.people.admin.raw('GET', requestOf(id, { ...sorted, per_page: 500 }).url)
      if (whole.status !== 200 && !properties.column?.enum) continue
      expect(whole.status, `${id} ${column} ${whole.text}`).toBe(200)
      const all = rowsOf(whole.body as never)
      if (all.length >= 500) continue
      const size = Math.max(1, Math.ceil(all.length / 3))
      expect((await walk(id, sorted, size)).map(plain), `${column} ${order}`).toEqual(all.map(plain))
      seen += all.length
    }
  expect(seen).toBeGreaterThan(0)
})

describe('updated_since', () => {
  testAll('has everything of a day before all, and nothing of a day to come', named, async ([id, { row }]) => {
    const input = await inputOf(id, row)
    const many = async (updated_since?: string) => {
      const { status, body, text } = await world.people.admin.call(id, { ...input, per_page: 500, updated_since } as never)
      expect(status, text).toBe(200)
      return rowsOf(body as never).length
    }
    expect([await many('1990-01-01'), await many('2190-01-01')]).toEqual([await many(), 0])
  })

  test('refuses what is no moment, and names the field', async () => {
    for (const wrong of ['yesterday', '2026-02-30', '2026-11-27T25:00:00Z', '2026-11-27T07:00:00', '27/11/2026']) {
      const { status, body } = await world.people.admin.call('client.list', { updated_since: wrong })
      expect([status, Object.keys(body.fields)], wrong).toEqual([422, ['updated_since']])
    }
  })
})
