import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { DELETED_NOUNS } from '../../contract/restored.ts'
import { ruleOf } from '../../server/core/undo/tables.ts'
import { migrate } from '../../server/db/migrate.ts'
import { signedIn } from './calling.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
let admin: Person
beforeAll(async () => {
  app = await fieldwork()
  admin = app.as('admin')
})

const stepOf = (answer: { headers: Record<string, unknown> }) => Number(answer.headers['x-undo'])
const project = () => app.make.project({ client_id: app.client.id })
const entryOf = (id: number) => app.db.selectFrom('entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const clientOf = (id: number) => app.db.selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const colleague = async () => app.signIn(await app.make.user({ role: 'admin', first_name: 'Bea', last_name: 'Boss' }))

describe('undo of a reward review', () => {
  test('restores the rejection’s reason and counters after a second chance', async () => {
    const entry = await app.make.entry({ project_id: (await project()).id })
    await admin.call('entry.reject', { ids: [entry.id], reason: 'Amount looks forged' })
    const before = await entryOf(entry.id)
    const chance = await admin.call('entry.secondChance', { ids: [entry.id] })
    expect(await entryOf(entry.id)).toMatchObject({ status: 'pending', second_chances: 1 })
    expect((await admin.call('undo.take', { id: stepOf(chance) })).status).toBe(200)
    const { updated_at, lock_version } = before
    expect({ ...(await entryOf(entry.id)), updated_at, lock_version }).toEqual(before)
  })

  test('leaves no second chance on a reward rejected by mistake', async () => {
    const entry = await app.make.entry({ project_id: (await project()).id })
    const rejected = await admin.call('entry.reject', { ids: [entry.id], reason: 'A slip' })
    await admin.call('undo.take', { id: stepOf(rejected) })
    expect(await entryOf(entry.id)).toMatchObject({ status: 'pending', reason: '', second_chances: 0 })
  })

  test('shows both lines in the project’s history, the second undoing the first', async () => {
    const { id } = await project()
    const entry = await app.make.entry({ project_id: id })
    const rejected = await admin.call('entry.reject', { ids: [entry.id], reason: 'A slip' })
    await admin.call('undo.take', { id: stepOf(rejected) })
    const lines = (await admin.call('project.history', { id })).body.data
    expect(lines.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'undo entry.reject', before: { rewards: 1, reward_status: 'rejected', amount_cents: 1000 }, after: {} },
      { action: 'entry.reject', before: {}, after: { rewards: 1, reward_status: 'rejected', amount_cents: 1000 } },
    ])
    expect(
      (
        await app.db
          .selectFrom('history')
          .select('action')
          .where('subject_id', '=', entry.id)
          .where('subject', '=', 'entry')
          .orderBy('id')
          .execute()
      ).map((line) => line.action),
    ).toEqual(['entry.reject', 'undo entry.reject'])
  })
})

describe('undo of a payment', () => {
  test('within its 8 seconds pays nobody: the job is gone, the rewards are pending', async () => {
    const entry = await app.make.entry({ project_id: (await project()).id })
    const paid = await admin.call('entry.redeem', { ids: [entry.id], delay_seconds: 8 })
    expect((await admin.call('undo.take', { id: stepOf(paid) })).status).toBe(200)
    expect(await entryOf(entry.id)).toMatchObject({ status: 'pending', claimed_at: null, payout_job: null })
    const job = paid.body.data.job_id ?? 0
    expect(await app.db.selectFrom('jobs').select('id').where('id', '=', job).execute()).toEqual([])
    expect(await app.db.selectFrom('payouts').select('entry_id').where('entry_id', '=', entry.id).execute()).toEqual([])
  })

  test('waits 8 seconds again after a redo', async () => {
    const entry = await app.make.entry({ project_id: (await project()).id })
    const paid = await admin.call('entry.redeem', { ids: [entry.id], delay_seconds: 8 })
    await admin.call('undo.take', { id: stepOf(paid) })
    const at = Date.now()
    await admin.call('undo.redo', { id: stepOf(paid) })
    const job = await app.db
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', paid.body.data.job_id ?? 0)
      .executeTakeFirstOrThrow()
    expect(job.status).toBe('queued')
    expect(Date.parse(job.not_before)).toBeGreaterThanOrEqual(at + 8000)
    await admin.call('undo.take', { id: stepOf(paid) })
  })

  test('is refused with a message once it has started', async () => {
    const entry = await app.make.entry({ project_id: (await project()).id })
    const paid = await admin.call('entry.redeem', { ids: [entry.id] })
    const refused = await admin.call('undo.take', { id: stepOf(paid) })
    expect([refused.status, refused.body.message]).toEqual([409, 'It has already started.'])
    expect((await entryOf(entry.id)).status).toBe('sent')
  })
})

describe('a later change', () => {
  test('by somebody else is refused by name, and nothing is undone partially', async () => {
    const { id } = await project()
    const [first, other] = [await app.make.entry({ project_id: id }), await app.make.entry({ project_id: id })]
    const rejected = await admin.call('entry.reject', { ids: [first.id, other.id], reason: 'A slip' })
    await (await colleague()).call('entry.secondChance', { ids: [other.id] })
    const refused = await admin.call('undo.take', { id: stepOf(rejected) })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_since'])
    expect(refused.body.message).toBe(`Bea Boss changed “${other.email}” since, so it can’t be undone.`)
    expect((await entryOf(first.id)).status).toBe('rejected')
  })

  test('in another field survives the undo', async () => {
    const made = await app.make.user()
    const edited = await admin.call('user.edit', { id: made.id, first_name: 'Other' })
    await (await colleague()).call('user.edit', { id: made.id, phone: '2125550999' })
    expect((await admin.call('undo.take', { id: stepOf(edited) })).status).toBe(200)
    expect((await admin.call('user.get', { id: made.id })).body.data).toMatchObject({ first_name: 'Pat', phone: '2125550999' })
  })

  test('by the user’s own later step is named: it must be undone first', async () => {
    const { id } = await app.make.client({ name: 'First name' })
    const [one, two] = [
      await admin.call('client.edit', { id, name: 'Second' }),
      await admin.call('client.edit', { id, name: 'Third' }),
    ]
    const refused = await admin.call('undo.take', { id: stepOf(one) })
    expect(refused.body).toMatchObject({
      code: 'changed_since',
      message: 'You changed “Third” again since then. Undo that first.',
      later: [stepOf(two)],
    })
    await admin.call('undo.take', { id: stepOf(two) })
    expect((await admin.call('undo.take', { id: stepOf(one) })).status).toBe(200)
    expect((await clientOf(id)).name).toBe('First name')
  })

  test('that adds a record below a deletion is refused', async () => {
    const made = await admin.call('client.create', { name: 'In use' })
    await app.make.project({ client_id: made.body.data.id })
    const refused = await admin.call('undo.take', { id: stepOf(made) })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_since'])
    expect((await clientOf(made.body.data.id)).name).toBe('In use')
  })

  test('that takes a deleted view’s name is refused', async () => {
    const view = { screen: 'clients', name: 'Twice' }
    const removed = await admin.call('view.remove', { id: (await admin.call('view.create', view)).body.data.id })
    await admin.call('view.create', view)
    expect((await admin.call('undo.take', { id: stepOf(removed) })).body.code).toBe('changed_since')
  })
})

describe('an undo', () => {
  test('sent twice happens once', async () => {
    const { id } = await app.make.client({ name: 'Before 13' })
    const edited = await admin.call('client.edit', { id, name: 'After 13' })
    await admin.call('undo.take', { id: stepOf(edited) })
    const { lock_version } = await clientOf(id)
    expect((await admin.call('undo.take', { id: stepOf(edited) })).body.message).toBe('It was already undone.')
    expect((await clientOf(id)).lock_version).toBe(lock_version)
  })

  test('raises the lock, so an earlier reader overwrites nobody', async () => {
    const { id } = await app.make.client({ name: 'Before 14' })
    const edited = await admin.call('client.edit', { id, name: 'After 14' })
    await admin.call('undo.take', { id: stepOf(edited) })
    const late = await admin.call('client.edit', { id, name: 'Late', lock_version: edited.body.data.lock_version })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
  })

  test('and the write before it name the versions that they raised, so that neither is in its page’s way', async () => {
    const { id, lock_version } = await app.make.client({ name: 'Before 15' })
    const edited = await admin.call('client.edit', { id, name: 'After 15' })
    expect(edited.headers['fieldwork-raised']).toBe(`client/${id}=${lock_version}-${lock_version + 1}`)
    const undone = await admin.call('undo.take', { id: stepOf(edited) })
    expect(undone.headers['fieldwork-raised']).toBe(`client/${id}=${lock_version + 1}-${lock_version + 2}`)
    const redone = await admin.call('undo.redo', { id: stepOf(edited) })
    expect(redone.headers['fieldwork-raised']).toBe(`client/${id}=${lock_version + 2}-${lock_version + 3}`)
    const made = await admin.call('client.create', { name: 'Added 15' })
    expect(made.headers).not.toHaveProperty('fieldwork-raised')
    const dry = await admin.raw('POST', `/v3/portal/undo/${stepOf(edited)}?dry=1`)
    expect(dry.headers).not.toHaveProperty('fieldwork-raised')
  })

  test('tells open workspaces what was restored', async () => {
    const { id } = await project()
    const made = await admin.call('note.create', { project_id: id, note: 'New' })
    await admin.call('undo.take', { id: stepOf(made) })
    const events = await app.db.selectFrom('events').select(['noun', 'kind']).where('project_id', '=', id).orderBy('id').execute()
    expect(events).toEqual([
      { noun: 'note', kind: 'put' },
      { noun: 'note', kind: 'drop' },
    ])
  })

  test('is also named in the response to a resent write', async () => {
    const { id } = await app.make.client()
    const key = { 'idempotency-key': 'undo-of-one-write' }
    const [first, again] = [
      await admin.call('client.edit', { id, name: 'Once' }, key),
      await admin.call('client.edit', { id, name: 'Once' }, key),
    ]
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(stepOf(again)).toBe(stepOf(first))
  })

  test('is not offered for a write that changed nothing', async () => {
    const { id, name } = await app.make.client()
    expect((await admin.call('client.edit', { id, name })).headers['x-undo']).toBeUndefined()
  })

  test('keeps later preferences', async () => {
    const me = await app.signIn(await app.make.user())
    const theme = await me.call('account.edit', { preferences: { theme: 'dark' } })
    await me.call('account.edit', { preferences: { theme: 'dark', density: 'compact' } })
    await me.call('undo.take', { id: stepOf(theme) })
    expect((await me.call('account.get')).body.data.preferences).toEqual({ density: 'compact' })
  })
})

describe('who may undo', () => {
  test('only the user who did it', async () => {
    const { id } = await app.make.client({ name: 'Before 19' })
    const edited = await admin.call('client.edit', { id, name: 'After 19' })
    expect((await (await colleague()).call('undo.take', { id: stepOf(edited) })).status).toBe(404)
    expect((await app.as('client').call('undo.take', { id: stepOf(edited) })).status).toBe(404)
    expect((await clientOf(id)).name).toBe('After 19')
  })

  test('neither an administrator acting as them, nor the user what an administrator did in their name', async () => {
    const made = await app.as('client').call('view.create', { screen: 'allProjects', name: 'Own' })
    const acting = app.person(await signedIn(app.services, app.member, { admin_id: app.admin.id }))
    const theirs = await acting.call('view.create', { screen: 'allProjects', name: 'In their name' })
    expect((await acting.call('undo.take', { id: stepOf(made) })).status).toBe(404)
    expect((await app.as('client').call('undo.take', { id: stepOf(theirs) })).status).toBe(404)
    expect((await acting.call('undo.take', { id: stepOf(theirs) })).status).toBe(200)
  })

  test('not a former administrator', async () => {
    const boss = await app.make.user({ role: 'admin' })
    const person = await app.signIn(boss)
    const { id } = await app.make.client({ name: 'Before 21' })
    const edited = await person.call('client.edit', { id, name: 'After 21' })
    await app.write((tx) => tx.updateTable('users').set({ role: 'client' }).where('id', '=', boss.id).execute())
    expect((await person.call('undo.take', { id: stepOf(edited) })).status).toBe(403)
  })

  test('not a client user who no longer sees the project', async () => {
    const user = await app.make.user({ clients: [app.client.id] })
    const person = await app.signIn(user)
    const { id } = await app.make.project({ client_id: app.client.id, status: 'pricing', requested_by: user.id })
    const rejected = await person.call('project.reject', { project_id: id, status: 'Rejected', reason: 'Too dear' })
    await app.write((tx) => tx.deleteFrom('user_clients').where('user_id', '=', user.id).execute())
    await app.write((tx) => tx.updateTable('projects').set({ requested_by: null }).where('id', '=', id).execute())
    expect((await person.call('undo.take', { id: stepOf(rejected) })).status).toBe(404)
    expect((await app.db.selectFrom('projects').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status).toBe(
      'rejected',
    )
  })

  test('demotion by undo ends what they started as an administrator', async () => {
    const own = await fieldwork()
    const user = await own.make.user({ role: 'client', clients: [own.client.id] })
    const promoted = await own.as('admin').call('user.edit', { id: user.id, role: 'admin' })
    const acting = own.person(await signedIn(own.services, own.member, { admin_id: user.id }))
    await own.as('admin').call('undo.take', { id: stepOf(promoted) })
    expect((await acting.call('session.validate')).status).toBe(401)
  })
})

test('the rules have the primary key of every table', async () => {
  await migrate(app.services.database)
  const sqlite = sql<{ name: string; column: string }>`select m.name as name, p.name as "column" from sqlite_master m
    join pragma_table_info(m.name) p where m.type = 'table' and p.pk > 0 order by m.name, p.pk`
  const postgres = sql<{
    name: string
    column: string
  }>`select tc.table_name as name, kc.column_name as "column" from information_schema.table_constraints tc
    join information_schema.key_column_usage kc on kc.constraint_name = tc.constraint_name and kc.table_schema = tc.table_schema and kc.table_name = tc.table_name
    where tc.constraint_type = 'PRIMARY KEY' and tc.table_schema = current_schema() order by tc.table_name, kc.ordinal_position`
  const { rows } = await (app.services.database.engine === 'sqlite' ? sqlite : postgres).execute(app.db)
  const wrong = [...Map.groupBy(rows, (row) => row.name)].flatMap(([table, columns]) => {
    if (/^(sqlite|kysely)_/.test(table)) return []
    const rule = ruleOf(table)
    const key = columns.map(({ column }) => column).sort()
    return rule && String([...rule.key].sort()) !== String(key) ? [`${table}: ${key.join()}`] : []
  })
  expect(wrong).toEqual([])
})

describe('a deleted record', () => {
  test.each(DELETED_NOUNS)('of every kind can be looked up: %s', async (noun) => {
    expect((await admin.call('undo.deletion', { noun, id: 999_999 })).status).toBe(404)
  })

  test('says who deleted it and when, and tells them the id that undoes it', async () => {
    const bea = await colleague()
    const make = { team: 'team.remove', group: 'group.remove' } as const
    for (const noun of ['team', 'group'] as const) {
      const { id } = await app.make[noun]({ client_id: app.client.id } as never)
      const asked = { noun, id }
      expect((await bea.call('undo.deletion', asked)).status, noun).toBe(404)
      const removed = await bea.call(make[noun], { id } as never)
      const by = { by: 'Bea Boss', at: expect.stringMatching(/^\d{4}-/), name: expect.any(String) }
      expect((await bea.call('undo.deletion', asked)).body.data).toEqual({ ...by, own: true, undo_id: stepOf(removed) })
      expect((await admin.call('undo.deletion', asked)).body.data).toEqual({ ...by, own: false, undo_id: null })
      expect((await app.as('client').call('undo.deletion', asked)).status).toBe(403)
      expect((await bea.call('undo.take', { id: stepOf(removed) })).status).toBe(200)
      expect((await bea.call('undo.deletion', asked)).status).toBe(404)
    }
  })
})
