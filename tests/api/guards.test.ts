import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { STATUSES } from '../../contract/status.ts'
import { type Random, randomOf } from '../torture/random.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

/* Two promises whichever way is taken (decisions.md 14): what goes live may, and a family is of one client. */

const STEPS = process.env.WHOLE === '1' ? 10_000 : 400
const SEED = Number(process.env.PROPERTY_SEED) || 1

let app: Fieldwork
let clients: number[]
beforeAll(async () => {
  app = await fieldwork()
  clients = [app.client.id, (await app.make.client()).id]
})

const projects = () => app.db.selectFrom('projects').selectAll().execute()
type Answer = { status: number; headers: Record<string, unknown> }
type Project = Awaited<ReturnType<typeof projects>>[number]

/** Projects as somebody may leave them: with and without cost, order and dates, in every status. */
async function world(random: Random): Promise<void> {
  const today = app.make.today()
  for (const status of STATUSES)
    for (const generation of ['project', 'campaign'] as const)
      for (let nth = 0; nth < 3; nth++)
        await app.make.project({
          client_id: random.pick(clients),
          generation,
          // Nothing is active at first, so that each one that is entered it.
          status: status === 'active' ? 'paused' : status,
          ordered: random.pick([0, 100, 100]),
          cost_cents: random.pick([null, 0, 50_000, 50_000]),
          start_dt: random.pick([null, addDays(today, -20), addDays(today, -20)]),
          end_dt: random.pick([null, addDays(today, -3), today, addDays(today, 9), addDays(today, 9)]),
        })
}

/** Takes one step of many kinds, most of which are refused; returns what it was. */
async function step(admin: Person, all: readonly Project[], random: Random, steps: number[]): Promise<string> {
  const project = random.pick(all)
  const other = random.pick(all)
  const { id } = project
  const today = app.make.today()
  const note = (answer: Answer) => {
    const undo = Number(answer.headers['x-undo'])
    if (undo) steps.push(undo)
    return String(answer.status)
  }
  const status = random.pick(['active', 'active', ...STATUSES] as const)
  const edits = [
    { goal: random.pick([100, 250]) },
    { end_dt: addDays(today, random.int(-4, 9)) },
    { client_id: random.pick(clients) },
    { parent_id: random.pick([null, other.id, other.id]) },
    { client_id: random.pick(clients), parent_id: other.id },
  ]
  let sent: object = {}
  const ways: Record<string, () => Promise<Answer>> = {
    forced: () => admin.call('project.setStatus', { id, status, force: true, reason: 'by phone' }),
    plain: () => admin.call('project.setStatus', { id, status, reason: 'by phone' }),
    live: () => admin.call('project.goLive', { id }),
    edit: () => {
      sent = random.pick(edits)
      return admin.call('project.edit', { id, ...sent } as never)
    },
    edited: () => admin.call('project.edit', { id, status: 'active', force: true, reason: 'by phone' } as never),
    older: () => admin.call('campaign.edit', { id, status: 'active', force: true, reason: 'by phone' } as never),
    olderClient: () => admin.call('campaign.edit', { id, client_id: random.pick(clients) } as never),
    cost: () => admin.call('project.setCost', { id, cost: random.pick([0.004, 5, '12,5']) } as never),
    child: () =>
      admin.call('project.createChild', { project_id: id, name: `Part ${random.int(1, 1e6)}`, start_dt: today, goal: 10 }),
    clone: () => admin.call('project.clone', { id }),
    remove: () => admin.call('project.remove', { id }),
    restore: () => admin.call('project.restore', { id }),
    undo: () => admin.call('undo.take', { id: random.pick(steps.length ? steps : [0]) }),
    redo: () => admin.call('undo.redo', { id: random.pick(steps.length ? steps : [0]) } as never),
  }
  const name = random.pick(Object.keys(ways))
  const answered = note(await ways[name]!())
  return `${name} of ${id}${name === 'edit' ? ` (${JSON.stringify(sent)})` : ''}: ${answered}`
}

/** What an active project lacks of what going live asks; a parent may go live on its children's orders. */
function lacks({ id, ordered, cost_cents, start_dt, end_dt }: Project, all: readonly Project[]): string[] {
  const children = all.filter((one) => one.parent_id === id && !one.deleted_at)
  return [
    ...(ordered > 0 || children.some((child) => child.ordered > 0) ? [] : ['an order']),
    ...((cost_cents ?? 0) > 0 ? [] : ['a cost']),
    ...(start_dt ? [] : ['a start']),
    ...(end_dt && end_dt >= app.make.today() ? [] : ['an end that is not past']),
  ]
}

describe(`${STEPS} random steps (PROPERTY_SEED=${SEED})`, () => {
  test('enter active only with all that going live asks, and never split a family', { timeout: 3_600_000 }, async () => {
    const random = randomOf(SEED)
    await world(random)
    const admin = app.as('admin')
    const steps: number[] = []
    let before = new Map((await projects()).map((project) => [project.id, project]))
    const seen = new Map<string, number>()
    for (let nth = 0; nth < STEPS; nth++) {
      const taken = await step(admin, [...before.values()], random, steps)
      const way = taken.replace(/ of \d+(?: \(.*\))?/, '')
      seen.set(way, (seen.get(way) ?? 0) + 1)
      const after = new Map((await projects()).map((project) => [project.id, project]))
      for (const project of after.values()) {
        if (project.status === 'active' && before.get(project.id)?.status !== 'active')
          expect(lacks(project, [...after.values()]), `${nth}: ${taken}`).toEqual([])
        const parent = project.parent_id === null ? undefined : after.get(project.parent_id)
        if (parent)
          expect([project.client_id, project.generation], `${nth}: ${taken}`).toEqual([parent.client_id, parent.generation])
      }
      before = after
    }
    // Each way was taken with and without success, or the walk shows nothing.
    for (const way of ['forced', 'edit', 'undo', 'child', 'clone']) expect([...seen.keys()].join()).toContain(`${way}: 200`)
    expect([...before.values()].some(({ status }) => status === 'active')).toBe(true)
    expect([...before.values()].some(({ parent_id }) => parent_id !== null)).toBe(true)
  })
})

describe('a family', () => {
  const family = async (generation: 'project' | 'campaign' = 'project') => {
    const parent = await app.make.project({ client_id: clients[0]!, generation })
    const child = await app.make.project({ client_id: clients[0]!, generation, parent_id: parent.id })
    await app.make.team({ client_id: clients[0]!, projects: [child.id] })
    return { parent, child }
  }
  const clientOf = async (id: number) => (await projects()).find((one) => one.id === id)!.client_id

  test.each(['project', 'campaign'] as const)('moves to another client as a whole, without its teams: %s', async (generation) => {
    const { parent, child } = await family(generation)
    const call = generation === 'project' ? 'project.edit' : 'campaign.edit'
    const moved = await app.as('admin').call(call, { id: parent.id, client_id: clients[1]! } as never)
    expect(moved.status).toBe(200)
    expect(await clientOf(child.id)).toBe(clients[1])
    expect(await app.db.selectFrom('team_projects').select('team_id').where('project_id', '=', child.id).execute()).toEqual([])
    expect((await app.as('client').call('project.get', { id: child.id })).status).toBe(404)
    await app.as('admin').call('undo.take', { id: Number(moved.headers['x-undo']) })
    expect([await clientOf(parent.id), await clientOf(child.id)]).toEqual([clients[0], clients[0]])
  })
  test('refuses a child’s own client, and a parent of another client or generation', async () => {
    const { child } = await family()
    const stranger = await app.make.project({ client_id: clients[1]! })
    const older = await app.make.project({ client_id: clients[0]!, generation: 'campaign' })
    const lone = await app.make.project({ client_id: clients[0]! })
    const edit = async (id: number, change: object) =>
      (await app.as('admin').call('project.edit', { id, ...change } as never)).body.fields
    expect(await edit(child.id, { client_id: clients[1] })).toEqual({ client_id: 'client_id is its parent’s: change it there' })
    expect(await edit(lone.id, { parent_id: stranger.id })).toEqual({
      parent_id: 'parent_id must be a project of the same client',
    })
    expect(await edit(lone.id, { parent_id: older.id })).toEqual({ parent_id: 'parent_id must be a project like this one' })
    expect(await edit(older.id, { parent_id: lone.id })).toEqual({
      parent_id: 'parent_id must be a survey project like this one',
    })
  })

  test('takes deleted projects along, also those below a child', async () => {
    const { parent, child } = await family()
    const top = await app.make.project({ client_id: clients[0]! })
    await app.write((tx) => tx.updateTable('projects').set({ status: 'rejected' }).where('id', '=', child.id).execute())
    expect((await app.as('admin').call('project.remove', { id: child.id })).status).toBe(200)
    expect((await app.as('admin').call('project.edit', { id: parent.id, parent_id: top.id } as never)).status).toBe(200)
    const moved = await app.as('admin').call('project.edit', { id: top.id, client_id: clients[1]! } as never)
    expect(await Promise.all([top, parent, child].map(({ id }) => clientOf(id)))).toEqual([clients[1], clients[1], clients[1]])
    await app.as('admin').call('undo.take', { id: Number(moved.headers['x-undo']) })
    expect(await Promise.all([top, parent, child].map(({ id }) => clientOf(id)))).toEqual([clients[0], clients[0], clients[0]])
  })

  test('has two levels, even where a child is restored or its move undone once its parent is a child', async () => {
    const { parent, child } = await family()
    const grandparent = await app.make.project({ client_id: clients[0]! })
    const admin = app.as('admin')
    const edit = (id: number, change: object) => admin.call('project.edit', { id, ...change } as never)
    const sentence = `The parent of “${child.name}” is a child itself now.`
    const out = await edit(child.id, { parent_id: null })
    const under = await edit(parent.id, { parent_id: grandparent.id })
    const undone = await admin.call('undo.take', { id: Number(out.headers['x-undo']) })
    expect([undone.status, undone.body]).toMatchObject([409, { message: sentence }])

    await admin.call('undo.take', { id: Number(under.headers['x-undo']) })
    await edit(child.id, { parent_id: parent.id })
    await app.write((tx) => tx.updateTable('projects').set({ status: 'rejected' }).where('id', '=', child.id).execute())
    const removed = await admin.call('project.remove', { id: child.id })
    expect((await edit(parent.id, { parent_id: grandparent.id })).status).toBe(200)
    for (const back of [
      await admin.call('project.restore', { id: child.id }),
      await admin.call('undo.take', { id: Number(removed.headers['x-undo']) }),
    ])
      expect([back.status, back.body]).toMatchObject([409, { message: sentence }])
    await edit(parent.id, { parent_id: null })
    expect((await admin.call('project.restore', { id: child.id })).status).toBe(200)
  })
})
