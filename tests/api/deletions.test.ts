import { beforeAll, describe, expect, test } from 'vitest'
import { type CallId, calls } from '../../contract/calls.ts'
import { deletionsListed } from '../../contract/deletions.ts'
import { RESTORED } from '../../contract/restored.ts'
import { webhookNouns } from '../../contract/webhookNouns.ts'
import { noteDeletions, sweepTombstones, TOMBSTONE_DAYS } from '../../server/core/tombstones.ts'
import { type Maker, sendExample, WRITE_EXAMPLES } from '../support/writeExamples.ts'
import { requestOf } from './calling.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { testAll } from './wrong.ts'

interface Listed {
  data: { id: number }[]
  deletions?: { id: number; deleted_at: string }[]
  deletions_from?: string
  deletions_next?: string | null
}
let app: Fieldwork
const admin = () => app.as('admin')
beforeAll(async () => {
  app = await fieldwork()
})
const longAgo = () => new Date(Date.now() - 3_600_000).toISOString()
async function listed(id: CallId, input: object, as: Person = admin()): Promise<Listed> {
  const answer = await as.raw('GET', requestOf(id, { per_page: 500, ...input } as never).url)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as Listed
}
const idsIn = ({ deletions = [] }: Listed) => deletions.map(({ id }) => id)

/** Deletions by a call of their noun, in the list of it; a project's entry links are always read whole. */
const REMOVED = webhookNouns.filter((noun) => `${noun}.remove` in calls && noun !== 'entryLink')
async function removeOne(noun: string) {
  const id = `${noun}.remove` as CallId
  const example = await (WRITE_EXAMPLES[id] as Maker)(app)
  const answer = await sendExample(id, example)
  expect(answer.status, answer.text).toBe(200)
  const subject = Number(example.input.id ?? example.input.note_id ?? example.input.location_group_id ?? example.input.file_id)
  return { subject, undo: Number(answer.headers['x-undo']) }
}
/** A list of a noun, with a project or survey where its address has one. */
async function listOf(noun: string): Promise<[CallId, Record<string, unknown>]> {
  if (noun === 'file') return ['file.media', { id: (await app.make.project({ client_id: app.client.id })).id }]
  const id = `${noun}.list` as CallId
  if (!calls[id].path.includes('{id}')) return [id, {}]
  const project = await app.make.project({ client_id: app.client.id })
  return [id, { id: noun === 'question' ? (await app.make.survey({ project_id: project.id })).id : project.id }]
}

describe('a list of what has changed', () => {
  test('tells of deletions for every noun that has a call to delete', () => {
    const nouns = (Object.keys(calls) as CallId[]).map(deletionsListed)
    expect(REMOVED.filter((noun) => !nouns.includes(noun))).toEqual([])
    for (const noun of RESTORED) expect(nouns, noun).toContain(noun)
  })

  testAll('names what was deleted since, and no longer what an undo brought back', REMOVED, async (noun) => {
    const since = longAgo()
    const { subject, undo } = await removeOne(noun)
    const [id, input] = await listOf(noun)
    const after = await listed(id, { ...input, updated_since: since })
    expect(idsIn(after)).toContain(subject)
    expect(after).toMatchObject({ deletions_from: since, deletions_next: null })
    expect(idsIn(await listed(id, { ...input, updated_since: new Date(Date.now() + 1000).toISOString() }))).toEqual([])
    expect(await listed(id, input)).not.toHaveProperty('deletions')
    expect((await admin().call('undo.take', { id: undo })).status).toBe(200)
    expect(idsIn(await listed(id, { ...input, updated_since: since }))).not.toContain(subject)
    expect((await admin().call('undo.redo', { id: undo })).status).toBe(200)
    expect(idsIn(await listed(id, { ...input, updated_since: since }))).toContain(subject)
  })

  testAll('no longer names what was restored', RESTORED, async (noun) => {
    const since = longAgo()
    const { subject } = await removeOne(noun)
    const restored = await admin().call(`${noun}.restore` as CallId, { id: subject } as never)
    expect(restored.status, restored.text).toBe(200)
    const [id, input] = await listOf(noun)
    expect(idsIn(await listed(id, { ...input, updated_since: since }))).not.toContain(subject)
  })

  test('names a record that an undo took away', async () => {
    const since = longAgo()
    const made = await admin().call('client.create', { name: 'Never mind' })
    await admin().call('undo.take', { id: Number(made.headers['x-undo']) })
    expect(idsIn(await listed('client.list', { updated_since: since }))).toContain(made.body.data.id)
  })

  test('names what went with another: a client’s teams, a file’s and an activity’s content', async () => {
    const since = longAgo()
    const client = await app.make.client()
    const team = await app.make.team({ client_id: client.id })
    await admin().call('client.remove', { id: client.id })
    expect(idsIn(await listed('team.list', { updated_since: since }))).toContain(team.id)
    const { id: project_id } = await app.make.project({ client_id: app.client.id })
    const activity = await app.make.activity({ project_id, activity_type: 'photo' })
    const file = await app.make.file({ project_id, activity_id: activity.id, kind: 'media', uploaded_by: app.admin.id })
    const item = await app.make.content({ project_id, activity_id: activity.id, file_id: file.id })
    expect((await admin().call('file.remove', { id: file.id })).status).toBe(200)
    expect(idsIn(await listed('content.list', { updated_since: since }))).toContain(item.id)
    const other = await app.make.content({ project_id, activity_id: activity.id })
    expect((await admin().call('activity.remove', { id: activity.id })).status).toBe(200)
    expect(idsIn(await listed('content.list', { updated_since: since }))).toEqual([item.id, other.id])
  })

  test('tells client users of what they could see alone', async () => {
    const since = longAgo()
    const rejected = { status: 'rejected' as const }
    const other = await app.make.client()
    const theirs = await app.make.project({ client_id: app.client.id, ...rejected })
    const foreign = await app.make.project({ client_id: other.id, ...rejected })
    for (const { id } of [theirs, foreign]) expect((await admin().call('project.remove', { id })).status).toBe(200)
    const seen = idsIn(await listed('project.list', { updated_since: since }, app.as('client')))
    expect(seen).toContain(theirs.id)
    expect(seen).not.toContain(foreign.id)
    const { token } = (await admin().call('token.create', { name: 'One', scopes: ['*:read'], clients: [other.id] })).body.data
    const limited = idsIn(
      await listed('project.list', { updated_since: since }, app.person({ authorization: `Bearer ${token}` })),
    )
    expect(limited).toContain(foreign.id)
    expect(limited).not.toContain(theirs.id)
  })

  test('tells of 90 days, says since when, and where more follows', async () => {
    const answer = await listed('reward.list', { updated_since: '2020-01-01' })
    expect(Date.parse(answer.deletions_from!)).toBeGreaterThan(Date.now() - (TOMBSTONE_DAYS + 1) * 86_400_000)
    const many = Array.from({ length: 10_050 }, (_, at) => ({ noun: 'vip' as const, id: 1_000_000 + at, kind: 'drop' as const }))
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    await app.write(async (tx) => {
      await noteDeletions(tx, many.slice(0, 10_000), at(20), false)
      await noteDeletions(tx, many.slice(10_000), at(10), false)
    })
    const { id } = await app.make.project({ client_id: app.client.id })
    const first = await listed('vip.list', { id, updated_since: longAgo() })
    expect(first.deletions).toHaveLength(10_000)
    const rest = await listed('vip.list', { id, updated_since: first.deletions_next! })
    expect(rest.deletions!.length).toBeGreaterThanOrEqual(50)
    expect(rest.deletions_next).toBeNull()
    await sweepTombstones(app.services.database, new Date(Date.now() + (TOMBSTONE_DAYS + 2) * 86_400_000))
    const left = await app.db.selectFrom('tombstones').select('noun').execute()
    expect(left).toEqual([])
  })
})
