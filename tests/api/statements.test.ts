import { StatementSync } from 'node:sqlite'
import pg from 'pg'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { tagged } from '../../server/db/statementTag.ts'
import { engine } from '../support/engine.ts'
import { type Answer, type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'

/*
 * How many statements a call makes: each costs PostgreSQL and us about a tenth of a millisecond of processor time.
 * The numbers are exact, so that a new read shows; raise one only for what the call can't do without.
 * PostgreSQL also counts `begin` and `commit`, which SQLite doesn't run as statements.
 */

let app: Fieldwork
let texts: string[] = []
const admin = () => app.as('admin')

/** What a commit wakes in its name: live events, jobs that follow, and now and then the end of old undo steps. */
const AFTERWARDS = /"(jobs|mails|webhooks|webhook_deliveries)"|from "events"|delete from "change_sets"/

function noteTexts(owner: object, name: string, textOf: (self: unknown, first: unknown) => string): void {
  const method = Reflect.get(owner, name) as (...given: unknown[]) => unknown
  vi.spyOn(owner as Record<string, () => unknown>, name).mockImplementation(function (this: unknown, ...given: unknown[]) {
    const text = textOf(this, given[0])
    if (text.startsWith('/* request ') && !AFTERWARDS.test(text)) texts.push(text)
    return method.apply(this, given)
  } as () => unknown)
}

beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
  // The first request of a session notes that it was seen.
  await admin().call('project.dropdown')
})

beforeEach(() => {
  if (engine === 'postgres') noteTexts(pg.Client.prototype, 'query', (_, text) => String(text))
  else
    for (const name of ['all', 'run', 'get'] as const)
      noteTexts(StatementSync.prototype, name, (self) => tagged((self as StatementSync).sourceSQL))
  return () => vi.restoreAllMocks()
})

/** A project as most are: with an activity, its target and survey, and a team. */
async function usualProject(given: object = {}): Promise<number> {
  const { id } = await app.make.project({ client_id: app.client.id, requested_by: app.member.id, ...given })
  const activity = await app.make.activity({ project_id: id, activity_type: 'survey' })
  await app.make.target({ activity_id: activity.id })
  await app.make.survey({ project_id: id, activity_id: activity.id })
  await app.make.team({ client_id: app.client.id, projects: [id], users: [app.member.id] })
  return id
}

/** How many statements a call makes in its own name: what an earlier call woke may still be running. */
async function countOf(call: () => Promise<Answer>): Promise<number> {
  texts = []
  const { status, text, headers } = await call()
  expect(status, text).toBe(200)
  texts = texts.filter((each) => each.startsWith(`/* request ${headers['x-request-id']} `))
  return texts.length
}
const most = (sqlite: number, postgres: number) => (engine === 'sqlite' ? sqlite : postgres)

test('renaming a project makes more statements than it needs', async () => {
  const id = await usualProject()
  const count = await countOf(() => admin().call('project.edit', { id, name: 'Renamed' }))
  expect(count, texts.join('\n')).toBe(most(12, 14))
})

test('renaming a project under a key makes more than two statements more', async () => {
  const id = await usualProject()
  const key = { 'idempotency-key': 'rename-once-1' }
  const count = await countOf(() => admin().call('project.edit', { id, name: 'Renamed' }, key))
  expect(count, texts.join('\n')).toBe(most(14, 16))
})

test('a note makes more statements than it needs', async () => {
  const project_id = await usualProject()
  const count = await countOf(() => admin().call('note.create', { project_id, note: 'First' }))
  expect(count, texts.join('\n')).toBe(most(6, 8))
})

test('an edit of a note reads what it has read or written already', async () => {
  const project_id = await usualProject()
  const { id } = (await admin().call('note.create', { project_id, note: 'First' })).body.data
  const count = await countOf(() => admin().call('note.edit', { note_id: id, note: 'Second' }))
  expect(count, texts.join('\n')).toBe(most(8, 10))
})

test('a go-live reads what only rows of lists show before it decides', async () => {
  const start = app.services.now().toISOString().slice(0, 10)
  const ready = { status: 'approved', ordered: 100, cost_cents: 1000, start_dt: start, end_dt: '2099-01-01' } as const
  const id = await usualProject({ ...ready, survey_url: 'https://survey.example/1', campaign_type: 'Survey' })
  const count = await countOf(() => admin().call('project.goLive', { id }))
  expect(count, texts.join('\n')).toBe(most(17, 19))
})

test('one project reads what it has read already', async () => {
  const id = await usualProject()
  const count = await countOf(() => admin().call('project.get', { id }))
  expect(count, texts.join('\n')).toBe(6)
})

test('a filtered Overview counts the same cells more than once', async () => {
  const id = await usualProject()
  const count = await countOf(() => admin().call('runtime.overview', { id, ageRange: ['2'], gender: ['female'] }))
  expect(count, texts.join('\n')).toBe(4)
})
