import { beforeAll, describe, expect, test } from 'vitest'
import type { CallId } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// A cursor stays right while others add and remove records.
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

/** A generator of numbers below 1, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

type Table = 'clients' | 'projects' | 'users' | 'partners' | 'places' | 'entries' | 'notes'
interface Subject {
  id: CallId
  table: Table
  /** What its records share, made once. */
  under?(): Promise<{ id: number }>
  input?(under: number): Record<string, unknown>
  add(name: string, nth: number, under: number): Promise<{ id: number }>
  /** Orders to try, besides the list's own. */
  columns: readonly string[]
}
const at = (nth: number) => new Date(Date.UTC(2026, 0, 1 + (nth % 5))).toISOString()
const project = () => app.make.project({ client_id: app.client.id, name: 'Under' })

/** TABLE  lists of every mechanism: sorted in SQL by text, figure or empty moment, by cached figures, by cached ids. */
const SUBJECTS: readonly Subject[] = [
  { id: 'client.list', table: 'clients', columns: ['name', 'projects_count'], add: (name) => app.make.client({ name }) },
  {
    id: 'user.list',
    table: 'users',
    columns: ['last_name', 'company_name', 'last_seen_at'],
    add: (name, nth) => app.make.user({ last_name: nth % 3 ? name : '', email: `${crypto.randomUUID()}@fieldwork.test` }),
  },
  {
    id: 'partner.list',
    table: 'partners',
    columns: ['name', 'answer_rate', 'open_count'],
    add: (name, nth) => app.make.partner({ name: `${name} ${nth % 4}`, email: `${nth}@partner.test` }),
  },
  {
    id: 'project.list',
    table: 'projects',
    columns: ['name', 'cost', 'pacing', 'status', 'delivered', 'client'],
    add: (name, nth) =>
      app.make.project({
        client_id: app.client.id,
        name,
        ordered: nth % 3,
        cost_cents: nth % 2 ? nth % 5 : null,
        delivered: nth % 4,
      }),
  },
  {
    id: 'campaign.requestList',
    table: 'projects',
    columns: ['cost', 'due', 'waiting_since', 'answers'],
    add: (name, nth) =>
      app.make.project({ client_id: app.client.id, name, status: 'pricing', cost_cents: nth % 2 ? nth % 5 : null }),
  },
  {
    id: 'location.list',
    table: 'places',
    columns: ['name', 'city'],
    add: (name, nth) => app.make.place({ name, city: `City ${nth % 3}` }),
  },
  {
    id: 'note.list',
    table: 'notes',
    under: project,
    columns: [],
    input: (id) => ({ id }),
    add: async (note, _nth, id) => (await admin().call('note.create', { project_id: id, note: `“${note}”` })).body.data,
  },
  ...(['entry.list', 'receiver.list'] as const).map(
    (id): Subject => ({
      id,
      table: 'entries',
      under: project,
      // Not by flags: a new entry flags older ones with its address, which moves them.
      columns: ['email', 'amount', 'sent_at', 'status'],
      input: (under) => (id === 'entry.list' ? { id: under } : { project_id: under }),
      add: (name, nth, project_id) =>
        app.make.entry({
          ...{ project_id, email: `${name}${nth % 3}@x.test`, amount_cents: nth % 4, status: nth % 2 ? 'sent' : 'pending' },
          ...{ created_at: at(nth), sent_at: nth % 2 ? at(nth) : null },
        }),
    }),
  ),
]
const NAMES = ['Ash', 'ash', 'Birch', 'Čedar', 'Elm 9', 'Elm 10', 'Ünder', 'Ω', '']

/** Removes a record as its list sees it. */
const remove = (table: Table, id: number) =>
  app.write(async (tx) => {
    if (table === 'entries' || table === 'notes') await tx.deleteFrom(table).where('id', '=', id).execute()
    else await tx.updateTable(table).set({ deleted_at: new Date().toISOString() }).where('id', '=', id).execute()
  })
const nextOf = (headers: Record<string, unknown>) => /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
const idsIn = (body: { data: { id: number }[] | Record<string, unknown> }): number[] =>
  ((Array.isArray(body.data) ? body.data : Object.values(body.data).find(Array.isArray)) as { id: number }[]).map(({ id }) => id)

describe('walking by cursor while others add and remove gives each remaining record once', () => {
  const cases = SUBJECTS.flatMap((subject) => ['', ...subject.columns].map((column) => ({ ...subject, column })))
  test.each(cases.map((one, seed) => ({ ...one, seed })))('$id by “$column”', async ({ id, table, column, seed, ...subject }) => {
    const random = numbers(seed + 1)
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
    const under = (await subject.under?.())?.id ?? 0
    let nth = 0
    const own = new Set<number>()
    const add = async () => own.add((await subject.add(pick(NAMES), nth++, under)).id)
    for (let many = 0; many < 14; many++) await add()
    const order = pick(['asc', 'desc'])
    const input = { ...subject.input?.(under), ...(column ? { column, order } : {}), per_page: 500 }
    const before = idsIn((await admin().raw('GET', requestOf(id, input).url)).body as never)
    const gone = new Set<number>()
    const seen: number[] = []
    let url: string | undefined = requestOf(id, { ...input, per_page: 4 }).url
    while (url) {
      const { status, body, headers, text } = await admin().raw('GET', url)
      expect(status, text).toBe(200)
      const ids = idsIn(body as never)
      seen.push(...ids)
      url = nextOf(headers)
      // The last record before the cursor, one that is still to come, and one that was shown.
      for (const victim of [...(random() < 0.7 ? [ids.at(-1)!] : []), pick(before), pick(seen)]) {
        if (!victim || !own.has(victim) || gone.has(victim)) continue
        gone.add(victim)
        await remove(table, victim)
      }
      if (seen.length < 40) for (let many = 0; many < 2; many++) await add()
    }
    expect(new Set(seen).size, 'none twice').toBe(seen.length)
    expect(
      before.filter((one) => !gone.has(one) && !seen.includes(one)),
      'none left out',
    ).toEqual([])
  })
})

describe('a cursor', () => {
  const cursorOf = (headers: Record<string, unknown>) => new URL(nextOf(headers)!, 'http://x').searchParams.get('cursor')!
  const first = async (input: Record<string, unknown> = {}, id: CallId = 'client.list') =>
    cursorOf((await admin().raw('GET', requestOf(id, { ...input, per_page: 1 }).url)).headers)
  const refused = async (input: Record<string, unknown>, id: CallId = 'client.list', who = admin()) => {
    const { status, body } = await who.raw('GET', requestOf(id, input).url)
    return [status, body.fields?.cursor] as const
  }
  beforeAll(async () => {
    for (const name of ['Oak', 'Oak tree', 'Oakland']) await app.make.client({ name })
  })

  test('that nobody made is a 422 that names the field', async () => {
    const cursor = await first()
    for (const wrong of ['1', 'x'.repeat(60), `${cursor.slice(0, -2)}xx`, '%00'])
      expect(await refused({ cursor: wrong })).toEqual([422, 'cursor is not one that this server made; begin again without it'])
  })

  test('of another list, other filters, another order or another person is refused', async () => {
    const cursor = await first({ search: 'Oak' })
    const foreign = 'cursor belongs to another list, other filters or another order; begin again without it'
    expect((await admin().call('client.list', { search: 'Oak', cursor })).status).toBe(200)
    expect(await refused({ cursor })).toEqual([422, foreign])
    expect(await refused({ search: 'Oak', column: 'name', cursor })).toEqual([422, foreign])
    expect(await refused({ search: 'Oak', updated_since: '2020-01-01', cursor })).toEqual([422, foreign])
    expect(await refused({ search: 'Oak', cursor }, 'partner.list')).toEqual([422, foreign])
    const other = await app.signIn(await app.make.user({ role: 'admin', email: 'other@fieldwork.test' }))
    expect(await refused({ search: 'Oak', cursor }, 'client.list', other)).toEqual([422, foreign])
  })

  test('goes with another page size, but not with a page number', async () => {
    const cursor = await first({ search: 'Oak' })
    const { body } = await admin().call('client.list', { search: 'Oak', cursor, per_page: 2 })
    expect([body.data.length, body.count, body.page]).toEqual([2, 3, 1])
    expect(await refused({ search: 'Oak', cursor, page: 2 })).toEqual([
      422,
      'cursor can’t be sent with a page; send one of the two',
    ])
  })

  test('hides what the list is sorted by', async () => {
    const cursor = await first({ search: 'Oak', column: 'name', order: 'asc' })
    expect(Buffer.from(cursor, 'base64url').toString('latin1').toLowerCase()).not.toContain('oak')
  })

  test('stays within what its caller sees now', async () => {
    const mine = await app.make.project({ client_id: app.client.id, name: 'Pine 1' })
    for (const name of ['Pine 2', 'Pine 3']) await app.make.project({ client_id: app.client.id, name })
    const query = { search: 'Pine', per_page: 1, column: 'name', order: 'asc' }
    const page = await app.as('client').raw('GET', requestOf('project.list', query).url)
    expect(idsIn(page.body as never)).toEqual([mine.id])
    await app.write((tx) => tx.deleteFrom('user_clients').where('user_id', '=', app.member.id).execute())
    const after = await app.as('client').raw('GET', nextOf(page.headers)!)
    expect([after.status, idsIn(after.body as never)]).toEqual([200, []])
  })
})
