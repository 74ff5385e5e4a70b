import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { ListInput } from '../../contract/projectInput.ts'
import { ANONYMOUS } from '../../server/core/caller.ts'
import type { Caller } from '../../server/core/context.ts'
import { foldVersions } from '../../server/core/idCache.ts'
import { asSystem } from '../../server/core/unitOfWork.ts'
import { type Database, transact } from '../../server/db/connect.ts'
import { orderedIds } from '../../server/domain/project/list.ts'
import { anotherConnection, type Fieldwork, fieldwork } from './support.ts'

// Lists cache their ids until a project changes: whatever is written, by whomever, the next reader must see it.
let app: Fieldwork
let other: Database
const ids: number[] = []
let [parent, child, team, elsewhere] = [0, 0, 0, 0]

const LISTS: Record<string, unknown>[] = [
  ...['', 'name', 'status', 'client', 'ordered', 'cost', 'start_dt', 'end_dt', 'updated_at', 'delivered', 'pacing'].flatMap(
    (column) => [{ column, order: 'asc' as const }],
  ),
  { search: 'kept' },
  { status: 'active' },
  { pacing: 'red' },
  { client: 0 },
  { type: 'Survey' },
]
const filterOf = (list: Record<string, unknown>) =>
  ListInput.parse({ per_page: 500, ...list, ...(list.client === 0 ? { client: app.client.id } : {}) })

/** A list's rows without the cache, which transactions never use. */
function uncached(who: 'admin' | 'client', list: Record<string, unknown>): Promise<number[]> {
  const user = who === 'admin' ? app.admin : app.member
  const caller: Caller = { ...ANONYMOUS, user, actor: { id: user.id, role: user.role, admin_id: null } }
  return asSystem(app.services, 'test', caller, (ctx) => orderedIds(ctx, filterOf(list), { generation: 'project' }))
}

async function expectFresh(): Promise<void> {
  for (const who of ['admin', 'client'] as const)
    for (const list of who === 'admin' ? LISTS : LISTS.slice(0, 4)) {
      const { body } = await app.as(who).call('project.listAll', filterOf(list))
      expect(
        body.data.map(({ id }) => id),
        `${who} ${JSON.stringify(list)}`,
      ).toEqual(await uncached(who, list))
      expect(body.count).toBe(body.data.length)
    }
}

beforeAll(async () => {
  app = await fieldwork()
  other = anotherConnection(app)
  const today = app.make.today()
  elsewhere = (await app.make.client({ name: 'Zebra Foods' })).id
  for (let nth = 0; nth < 6; nth++) {
    const { id } = await app.make.project({
      client_id: nth % 2 ? elsewhere : app.client.id,
      name: `Kept ${'fbdace'[nth]}`,
      status: nth % 3 ? 'active' : 'paused',
      ordered: 100 * (nth + 1),
      delivered: 10 * nth,
      cost_cents: 1000 + nth,
      start_dt: today,
      end_dt: today,
    })
    ids.push(id)
  }
  parent = ids[0]!
  child = (await app.make.project({ client_id: app.client.id, parent_id: parent, name: 'Part', ordered: 5, delivered: 1 })).id
  team = (await app.make.team({ client_id: app.client.id, projects: [ids[2]!] })).id
})

const set = (table: string, id: () => number, what: string) => () => `update ${table} set ${what} where id = ${id()}`
const CHANGES: [what: string, statement: () => string][] = [
  ['a name', set('projects', () => ids[1]!, "name = 'Zulu'")],
  ['a status', set('projects', () => ids[1]!, "status = 'completed'")],
  ['a child’s status', set('projects', () => child, "status = 'active'")],
  ['a child’s name', set('projects', () => child, "name = 'kept too'")],
  ['an order', set('projects', () => ids[5]!, 'ordered = 1')],
  ['a cost', set('projects', () => ids[5]!, 'cost_cents = null')],
  ['a start', set('projects', () => ids[4]!, "start_dt = '2020-01-01'")],
  ['an end', set('projects', () => ids[4]!, "end_dt = '2020-01-05'")],
  ['a moment of change', set('projects', () => ids[3]!, "updated_at = '2031-01-01T00:00:00.000Z'")],
  ['a moment of creation', set('projects', () => ids[3]!, "created_at = '2031-01-01T00:00:00.000Z'")],
  ['a kind', set('projects', () => ids[3]!, "campaign_type = 'Visitation'")],
  ['what was delivered', set('projects', () => ids[1]!, 'delivered = 99')],
  ['a requester', set('projects', () => ids[2]!, `requested_by = (select id from users where email = 'client@fieldwork.test')`)],
  ['the generation', set('projects', () => ids[5]!, "generation = 'campaign'")],
  ['another client’s', set('projects', () => ids[4]!, `client_id = (select id from clients where name = 'Zebra Foods')`)],
  ['a client’s name', set('clients', () => elsewhere, "name = 'Aardvark Foods'")],
  ['a membership', () => `insert into team_users (team_id, user_id) values (${team}, ${app.member.id})`],
  ['no membership', () => `delete from team_users where team_id = ${team}`],
  ['a deleted team', set('teams', () => team, "deleted_at = '2026-01-01'")],
  ['no team', () => `delete from team_projects where team_id = ${team}`],
  ['a team’s project', () => `insert into team_projects (team_id, project_id) values (${team}, ${ids[0]!})`],
  ['one more client', () => `insert into user_clients (user_id, client_id) values (${app.member.id}, ${elsewhere})`],
  ['no longer that client', () => `delete from user_clients where client_id = ${elsewhere}`],
  ['a deleted client', set('clients', () => app.client.id, "deleted_at = '2026-01-01'")],
  ['that client again', set('clients', () => app.client.id, 'deleted_at = null')],
  ['a deleted parent', set('projects', () => parent, "deleted_at = '2026-01-01'")],
  ['a child on its own', set('projects', () => child, 'parent_id = null')],
]

describe('a cached list is never stale', () => {
  // Each test leaves every list cached, for the next one.
  beforeAll(expectFresh)

  test.each(CHANGES)('after another process wrote %s', async (_what, statement) => {
    await transact(other, (tx) => sql.raw(statement()).execute(tx))
    await expectFresh()
  })

  test('for the process that wrote, and after one more project', async () => {
    await expectFresh()
    await app
      .as('admin')
      .call('project.create', { name: 'Kept newest', client_id: app.client.id, goal: 5, start_dt: app.make.today() })
    await expectFresh()
  })

  test('after a rolled back write that read the list', async () => {
    await expectFresh()
    const caller: Caller = { ...ANONYMOUS, user: app.admin, actor: { id: app.admin.id, role: 'admin', admin_id: null } }
    const undone = asSystem(app.services, 'test', caller, async (ctx) => {
      await sql`update projects set name = 'Aaa' where id = ${ids[3]!}`.execute(ctx.tx)
      const [first] = await orderedIds(ctx, filterOf({ column: 'name', order: 'asc' }), { generation: 'project' })
      expect(first).toBe(ids[3])
      throw new Error('taken back')
    })
    await expect(undone).rejects.toThrow('taken back')
    await expectFresh()
    await app.write((tx) => sql`update projects set name = 'Zzz' where id = ${ids[3]!}`.execute(tx))
    await expectFresh()
  })

  test('and isn’t shared with another token of the same person', async () => {
    const seen = async (projects: number[]) => {
      const { token } = (await app.as('client').call('token.create', { name: 'Few', scopes: ['project:read'], projects })).body
        .data
      const { body } = await app.person({ authorization: `Bearer ${token}` }).call('project.listAll', filterOf({}))
      return [body.count, body.data.map(({ id }) => id)]
    }
    const { data } = (await app.as('client').call('project.listAll', filterOf({}))).body
    const [first, second] = data.map(({ id }) => id) as [number, number]
    expect(await seen([first])).toEqual([1, [first]])
    expect(await seen([second])).toEqual([1, [second]])
  })

  test('after the version counters of closed connections were added up', async () => {
    const sums = async () =>
      (
        await sql<{ kind: string; n: number }>`select kind, sum(n) as n from list_versions group by kind order by kind`.execute(
          app.db,
        )
      ).rows
    await app.write((tx) => sql`insert into list_versions (kind, slot, n) values ('project', 2000000000, 7)`.execute(tx))
    const before = await sums()
    await foldVersions(app.services.database)
    expect(await sums()).toEqual(before)
    if (app.services.database.engine === 'postgres')
      expect(await app.db.selectFrom('list_versions').select('slot').where('slot', '=', 2_000_000_000).execute()).toEqual([])
    await expectFresh()
  })
})
