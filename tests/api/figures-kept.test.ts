import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Input } from '../../contract/calls.ts'
import { ANONYMOUS } from '../../server/core/caller.ts'
import type { Caller } from '../../server/core/context.ts'
import { asSystem } from '../../server/core/unitOfWork.ts'
import { type Database, transact } from '../../server/db/connect.ts'
import { clientList } from '../../server/domain/client/list.ts'
import { partnerList } from '../../server/domain/partner/list.ts'
import { anotherConnection, type Fieldwork, fieldwork } from './support.ts'

// Figures of clients and partners are cached until one of their sources changes in any process.
let app: Fieldwork
let other: Database
let [client, elsewhere, project, child, partner, rival, proffer, quote, team, user] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

const CLIENT_SORTS = ['', 'users_count', 'teams_count', 'projects_count', 'campaigns_count'] as const
const PARTNER_SORTS = [
  ...(['', 'projects_count', 'proffers_count', 'open_count', 'answer_rate', 'answer_hours'] as const),
  ...(['yes_rate', 'cpi_cents', 'chosen_count', 'answered_at'] as const),
]
const ORDERS = ['asc', 'desc'] as const

/** A list as read within a transaction, which caches nothing. */
function uncached<T>(read: (ctx: Parameters<Parameters<typeof asSystem>[3]>[0]) => Promise<T>): Promise<T> {
  const caller: Caller = { ...ANONYMOUS, user: app.admin, actor: { id: app.admin.id, role: 'admin', admin_id: null } }
  return asSystem(app.services, 'test', caller, read)
}

async function expectFresh(): Promise<void> {
  for (const order of ORDERS) {
    for (const column of CLIENT_SORTS) {
      const asked = { column, order, search: '', page: 1, per_page: 500 } as const
      const { body } = await app.as('admin').call('client.list', asked as Input<'client.list'>)
      expect(body, `clients by ${column} ${order}`).toMatchObject(await uncached((ctx) => clientList.page(ctx, asked)))
    }
    for (const column of PARTNER_SORTS) {
      const asked = { column, order, search: '', filter: '', page: 1, per_page: 500 } as const
      const { body } = await app.as('admin').call('partner.list', asked as Input<'partner.list'>)
      expect(body, `partners by ${column} ${order}`).toMatchObject(await uncached((ctx) => partnerList.page(ctx, asked)))
    }
  }
}

beforeAll(async () => {
  app = await fieldwork()
  other = anotherConnection(app)
  client = app.client.id
  elsewhere = (await app.make.client({ name: 'Zebra Foods' })).id
  project = (await app.make.project({ client_id: client, name: 'Kept', status: 'pricing' })).id
  child = (await app.make.project({ client_id: client, name: 'Part', parent_id: project })).id
  partner = (await app.make.partner({ name: 'Asked' })).id
  rival = (await app.make.partner({ name: 'Rival' })).id
  for (const id of [partner, rival]) await app.make.assign(project, id)
  const answer = { project_id: project, round: 1, state: 'sent', sent_at: new Date().toISOString() } as const
  proffer = (await app.make.proffer({ ...answer, partner_id: partner, fill_requirements: 'Yes', cpi_cents: 400 })).id
  await app.make.proffer({ ...answer, partner_id: rival, fill_requirements: 'No' })
  quote = (await app.make.quote({ project_id: project, state: 'sent' })).id
  team = (await app.make.team({ client_id: client })).id
  user = (await app.make.user({ clients: [client] })).id
})

const set = (table: string, id: () => number, what: string) => () => `update ${table} set ${what} where id = ${id()}`
const CHANGES: [what: string, statement: () => string][] = [
  ['a share of a quote', () => `insert into quote_shares values (${quote}, ${proffer}, 10, 400)`],
  ['an approval', set('quotes', () => quote, "state = 'approved'")],
  ['a price', set('proffers', () => proffer, 'cpi_cents = 900')],
  ['an answer that is a draft again', set('proffers', () => proffer, "state = 'draft'")],
  ['a revoked invitation', () => `update project_partners set revoked_at = '2026-01-01' where partner_id = ${partner}`],
  ['an invitation', () => `update project_partners set revoked_at = null where partner_id = ${partner}`],
  ['a round', set('projects', () => project, 'quote_round = 2')],
  ['the round before', set('projects', () => project, 'quote_round = 1')],
  ['a status', set('projects', () => project, "status = 'active'")],
  ['a partner’s note', set('partners', () => partner, "notes = 'Calls back'")],
  ['a partner’s name', set('partners', () => rival, "name = 'Aardvark'")],
  ['another client’s project', set('projects', () => project, `client_id = (select id from clients where name = 'Zebra Foods')`)],
  ['another generation', set('projects', () => project, "generation = 'campaign'")],
  ['a child on its own', set('projects', () => child, 'parent_id = null')],
  ['a deleted project', set('projects', () => project, "deleted_at = '2026-01-01'")],
  ['a deleted team', set('teams', () => team, "deleted_at = '2026-01-01'")],
  ['a deleted user', set('users', () => user, "deleted_at = '2026-01-01'")],
  ['that user again', set('users', () => user, 'deleted_at = null')],
  ['one more client', () => `insert into user_clients (user_id, client_id) values (${user}, ${elsewhere})`],
  ['no longer that client', () => `delete from user_clients where user_id = ${user} and client_id = ${elsewhere}`],
  ['a client’s name', set('clients', () => elsewhere, "name = 'Aardvark Foods'")],
  ['a deleted client', set('clients', () => elsewhere, "deleted_at = '2026-01-01'")],
  ['a deleted partner', set('partners', () => rival, "deleted_at = '2026-01-01'")],
]

describe('a cached figure is never stale', () => {
  // Each test leaves every figure cached, for the next one.
  beforeAll(expectFresh)

  test.each(CHANGES)('after another process wrote %s', async (_what, statement) => {
    await transact(other, (tx) => sql.raw(statement()).execute(tx))
    await expectFresh()
  })

  test('for the process that wrote, and after one more of each', async () => {
    await app.as('admin').call('client.create', { name: 'Newest Client' })
    await app.as('admin').call('partner.create', { name: 'Newest Partner' })
    await app.make.team({ client_id: client })
    await expectFresh()
  })
})
