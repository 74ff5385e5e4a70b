import { beforeAll, describe, expect, test } from 'vitest'
import { type CallId, calls } from '../../contract/calls.ts'
import { RESTORED } from '../../contract/restored.ts'
import { sweepChanges } from '../../server/core/undo/changeSets.ts'
import { sendExample, WRITE_EXAMPLES } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { wholeOf } from './undoing.ts'

let app: Fieldwork
let admin: Person
let other: Person
beforeAll(async () => {
  app = await fieldwork()
  admin = app.as('admin')
  other = await app.signIn(await app.make.user({ role: 'admin', first_name: 'Bea', last_name: 'Boss' }))
})

const stepOf = (answer: { headers: Record<string, unknown> }) => Number(answer.headers['x-undo'])
/** The server's time goes on by two days for the sweep of what can be undone. */
const sweepLater = () => {
  const now = () => new Date(Date.now() + 48 * 3_600_000)
  return sweepChanges({ ...app.services, now }, true)
}

describe('a restore', () => {
  test.each(RESTORED)('of a %s restores the row and its links exactly, after days and by a colleague', async (noun) => {
    const remove = `${noun}.remove` as CallId
    const restore = `${noun}.restore` as 'team.restore'
    const example = await WRITE_EXAMPLES[`${noun}.remove`](app)
    const id = Number(example.input.id ?? example.input.location_group_id)
    expect((await other.call(restore, { id })).status).toBe(404)
    const before = await wholeOf(app)
    const removed = await sendExample(remove, example)
    expect(removed.status).toBe(200)
    const between = await wholeOf(app)
    expect(between).not.toEqual(before)
    await sweepLater()
    expect((await app.as('client').call(restore, { id })).status).toBe(403)
    const tried = await other.call(restore, { id, dry: 1 })
    expect([tried.status, tried.body.message]).toEqual([200, expect.stringMatching(/ would be restored(, with |; ).+\.$/)])
    const answer = await other.call(restore, { id })
    expect([answer.status, answer.body.message]).toEqual([200, tried.body.message!.replace('would be', 'was')])
    expect(await wholeOf(app)).toEqual(before)
    expect((await other.call(restore, { id })).status).toBe(404)
    const lines = await app.db.selectFrom('history').selectAll().where('action', '=', restore).execute()
    expect(lines.map(({ subject, subject_id, actor_id }) => [subject, Number(subject_id), actor_id])).toContainEqual([
      noun,
      id,
      expect.any(Number),
    ])
    await other.call('undo.take', { id: stepOf(answer) })
    expect(await wholeOf(app)).toEqual(between)
    expect((await admin.call(restore, { id })).status).toBe(200)
  })

  test('also restores what the older spelling of a deletion took', async () => {
    const older = RESTORED.map((noun) => [noun, `${noun}.removeOlder` as CallId] as const).filter(([, call]) => call in calls)
    expect(older.length).toBeGreaterThan(0)
    for (const [noun, call] of older) {
      const example = await WRITE_EXAMPLES[call]!(app)
      const before = await wholeOf(app)
      expect((await sendExample(call, example)).status, call).toBe(200)
      await sweepLater()
      expect((await other.call(`${noun}.restore` as 'team.restore', { id: Number(example.input.id) })).status, call).toBe(200)
      expect(await wholeOf(app), call).toEqual(before)
    }
  })

  test('doesn’t extend the undo of one’s own deletion beyond its day', async () => {
    const { id } = await app.make.team({ client_id: app.client.id })
    const removed = await admin.call('team.remove', { id })
    const set = app.db.updateTable('change_sets').set({ at: '2026-01-01T00:00:00.000Z' }).where('id', '=', stepOf(removed))
    await set.execute()
    expect((await admin.call('undo.take', { id: stepOf(removed) })).status).toBe(404)
  })
})

describe('a restore is refused', () => {
  const deletedTeam = async (client_id: number, name: string) => {
    const { id } = await app.make.team({ client_id, name })
    await admin.call('team.remove', { id })
    return id
  }

  test('while its client is deleted', async () => {
    const client = await app.make.client()
    const id = await deletedTeam(client.id, 'Left')
    await admin.call('client.remove', { id: client.id })
    const answer = await admin.call('team.restore', { id })
    expect([answer.status, answer.body.message]).toEqual([409, 'Its client is deleted: restore the client first.'])
  })

  test('with a name that another one has taken', async () => {
    const id = await deletedTeam(app.client.id, 'Night shift')
    await app.make.team({ client_id: app.client.id, name: 'Night shift' })
    const answer = await admin.call('team.restore', { id })
    expect([answer.status, answer.body.fields]).toEqual([422, { name: expect.any(String) }])
  })

  test('for what was deleted with something else, or before deletions were recorded', async () => {
    const client = await app.make.client()
    const { id } = await app.make.team({ client_id: client.id })
    await app.db.updateTable('teams').set({ deleted_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
    const answer = await admin.call('team.restore', { id })
    expect([answer.status, answer.body.code]).toEqual([409, 'not_now'])
  })
})
