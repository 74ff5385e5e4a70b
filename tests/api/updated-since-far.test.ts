import { type CompiledQuery, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { engine } from '../support/engine.ts'
import { addCopies, statementsWith } from './filling.ts'
import { type Fieldwork, fieldwork } from './support.ts'

/*
 * A poll that reaches far back: more has changed since than a list may begin with (MANY_CHANGES in core/listSearch.ts).
 * The list is then read as without `updated_since`, and by an index of its own where it is one client's or group's.
 */
const MANY = 20_500
const OLD = '2020-05-01T00:00:00.000Z'
const SINCE = '2024-05-01T00:00:00.000Z'
const NEW = '2025-05-01T00:00:00.000Z'
const old = { created_at: OLD, updated_at: OLD }
const changed = { created_at: OLD, updated_at: NEW }

let app: Fieldwork
const admin = () => app.as('admin')
const fill = (table: string, id: number, own?: Record<string, string>) => addCopies(app, MANY, table, { id }, own)

beforeAll(async () => {
  app = await fieldwork()
  const elsewhere = await app.make.client({ name: 'Elsewhere', ...old })
  await fill('places', (await app.make.place({ position: 'exact', ...changed })).id, { name: `'Place ' || n` })
  const project = await app.make.project({ client_id: elsewhere.id, name: 'Theirs', ...changed })
  await fill('projects', project.id, { name: `'Project ' || n` })
  const user = await app.make.user({ email: 'copied@far.test', clients: [elsewhere.id], ...changed })
  await fill('users', user.id, { email: `'copy' || n || '@far.test'` })
  await fill('files', (await app.make.file({ project_id: project.id, ...changed })).id, { storage_key: `'made/' || n` })
  const vip = await app.make.vip({ project_id: project.id, ...changed })
  await fill('vip_experiences', vip.id, { name: `'Experience ' || n` })
  const moments = { created_at: OLD, not_before: OLD, sent_at: NEW }
  await fill('mails', (await app.make.mail({ status: 'sent', ...moments } as never)).id)
  if (engine === 'postgres') await sql`analyze`.execute(app.db)
}, 120_000)

interface Node {
  Alias?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Node[]
}
const stepsIn = (node: Node): string[] => [
  [node.Alias, node['Index Name'], node['Index Cond']].join(' '),
  ...(node.Plans ?? []).flatMap(stepsIn),
]

/** The steps of a statement's plan, with the aliases and indexes that they read. */
async function planOf(query: CompiledQuery): Promise<string[]> {
  const how = engine === 'postgres' ? 'explain (format json)' : 'explain query plan'
  const { rows } = await app.db.executeQuery({ ...query, sql: `${how} ${query.sql}` } as never)
  if (engine === 'sqlite') return (rows as { detail: string }[]).map(({ detail }) => detail)
  return stepsIn((rows as { 'QUERY PLAN': [{ Plan: Node }] }[])[0]!['QUERY PLAN'][0].Plan)
}

/** The statements of a call that compare with the moment: first the one that counts, then the list's own. */
async function pollOf(call: 'location.list' | 'project.ofClient' | 'outbox.list', input: object) {
  const sent = await statementsWith(app, SINCE, async () => {
    const { status, text } = await admin().call(call, { ...input, updated_since: SINCE } as never)
    expect(status, text).toBe(200)
  })
  const counting = sent.filter((query) => query.sql.includes('limit') && query.sql.includes('count(*)'))
  return { counting, list: sent.filter((query) => !counting.includes(query)) }
}

describe('updated_since that reaches far back', () => {
  test.each([
    ['places', 'location.list', () => ({})],
    ['emails', 'outbox.list', () => ({})],
    ['one client’s projects', 'project.ofClient', () => ({ id: app.client.id, client_id: app.client.id, generation: 'any' })],
  ] as const)('of %s begins with everything that has changed', async (_name, call, input) => {
    const { counting, list } = await pollOf(call, input())
    expect(counting).toHaveLength(1)
    expect(list).not.toEqual([])
    for (const query of list) {
      const plan = await planOf(query)
      // Children are looked up by their project, or all of them are hashed.
      const begins = plan.filter((step) => /\bchanged\b(?!.*(parent|parts))/.test(step))
      expect(begins, `${query.sql}\n${plan.join('\n')}`).toEqual([])
    }
  })

  test('of one group’s places reads all places', async () => {
    const group = await app.make.group({ client_id: app.client.id, name: 'Few', ...old })
    const place = await app.make.place({ position: 'exact', name: 'In the group', ...changed })
    const link = { group_id: group.id, place_id: place.id, added_at: OLD }
    await app.write((tx) =>
      tx
        .insertInto('location_group_places')
        .values(link as never)
        .execute(),
    )
    const { list } = await pollOf('location.list', { group_id: group.id })
    for (const query of list) {
      const plan = await planOf(query)
      if (engine === 'sqlite')
        expect(
          plan.filter((step) => /^(SCAN|SEARCH) (places|changed)\b(?!.*rowid=\?)/.test(step)),
          plan.join('\n'),
        ).toEqual([])
      else expect(plan.filter((step) => step.startsWith('changed'))).toEqual([])
    }
    const { body } = await admin().call('location.list', { group_id: group.id, updated_since: SINCE })
    expect(body.data.map(({ id }) => id)).toEqual([place.id])
  })

  test('finds what has changed and nothing older', async () => {
    const place = await app.make.place({ position: 'exact', name: 'Untouched', ...old })
    const { body } = await admin().call('location.list', { updated_since: SINCE })
    expect(body.count).toBeGreaterThan(MANY)
    const named = async (updated_since: string) =>
      (await admin().call('location.list', { search: 'Untouched', updated_since })).body.data.map(({ id }) => id)
    expect(await named(SINCE)).toEqual([])
    expect(await named(OLD)).toEqual([place.id])
  })

  /** The ids in a list since the moment. */
  const foundBy = async (call: string, input: object) => {
    const { body, status, text } = await admin().call(call as 'project.list', { ...input, updated_since: SINCE, per_page: 500 })
    expect(status, text).toBe(200)
    const { data } = body as unknown as { data: { id: number }[] | { campaigns: { id: number }[] } }
    return (Array.isArray(data) ? data : data.campaigns).map(({ id }) => id)
  }

  test('loses a project of which only a child has changed', async () => {
    const { make, client } = app
    const [parent, still] = [
      await make.project({ client_id: client.id, ...old }),
      await make.project({ client_id: client.id, ...old }),
    ]
    await make.project({ client_id: client.id, parent_id: parent.id, ...changed })
    await make.project({ client_id: client.id, parent_id: still.id, ...old })
    await make.project({ client_id: client.id, parent_id: still.id, ...changed, deleted_at: NEW })
    const ids = await foundBy('project.ofClient', { id: client.id, client_id: client.id })
    expect(ids).toContain(parent.id)
    expect(ids).not.toContain(still.id)
  })

  test('loses a request of which only a quote or an answer has changed', async () => {
    const client = await app.make.client({ name: 'Asks' })
    const partner = await app.make.partner({ ...old })
    const request = () => app.make.project({ client_id: client.id, generation: 'campaign', status: 'pricing', ...old })
    const [quoted, answered, still] = [await request(), await request(), await request()]
    await app.make.quote({ project_id: quoted.id, ...changed })
    await app.make.proffer({ project_id: answered.id, partner_id: partner.id, ...changed } as never)
    await app.make.quote({ project_id: still.id, ...old })
    const ids = await foundBy('campaign.requestList', { client: client.id })
    expect(ids.toSorted((a, b) => a - b)).toEqual([quoted.id, answered.id])
  })

  test('loses a photo of which only the review has changed', async () => {
    const { id: project_id } = await app.make.project({ client_id: app.client.id, ...old })
    const activity = await app.make.activity({ project_id, activity_type: 'photo', ...old } as never)
    const photo = () => app.make.file({ project_id, activity_id: activity.id, kind: 'media', mime: 'image/png', ...old } as never)
    const [reviewed, still] = [await photo(), await photo()]
    const item = { project_id, activity_id: activity.id, at: OLD }
    await app.make.content({ ...item, file_id: reviewed.id, ...changed } as never)
    await app.make.content({ ...item, file_id: still.id, ...old } as never)
    expect(await foundBy('file.media', { id: project_id, file_type: 'photos' })).toEqual([reviewed.id])
  })

  test('loses a VIP experience of which only an award has changed', async () => {
    const { id: project_id } = await app.make.project({ client_id: app.client.id, ...old })
    const [awarded, before] = [await app.make.vip({ project_id, ...old }), await app.make.vip({ project_id, ...old })]
    const award = { email: 'a@far.test', email_key: 'a@far.test', awarded_by: null, withdrawn_at: null }
    await app.db
      .insertInto('vip_awards')
      .values([
        { ...award, experience_id: awarded.id, created_at: NEW },
        { ...award, experience_id: before.id, created_at: OLD },
      ] as never)
      .execute()
    const ids = await foundBy('vip.list', { id: project_id, awarded: 1 })
    expect(ids).toContain(awarded.id)
    expect(ids).not.toContain(before.id)
  })

  test('loses who was added to a team, and its projects', async () => {
    const { make, client } = app
    const people = [await make.user({ clients: [client.id], ...old }), await make.user({ clients: [client.id], ...old })]
    const projects = [await make.project({ client_id: client.id, ...old }), await make.project({ client_id: client.id, ...old })]
    const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)
    const team = await make.team({ client_id: client.id, users: ids(people), projects: ids(projects), ...old })
    await app.write(async (tx) => {
      for (const [at, added_at] of [NEW, OLD].entries()) {
        await tx.updateTable('team_users').set({ added_at }).where('user_id', '=', people[at]!.id).execute()
        await tx.updateTable('team_projects').set({ added_at }).where('project_id', '=', projects[at]!.id).execute()
      }
    })
    expect(await foundBy('team.users', { id: team.id })).toEqual([people[0]!.id])
    expect(await foundBy('team.projects', { id: team.id })).toEqual([projects[0]!.id])
  })
})
