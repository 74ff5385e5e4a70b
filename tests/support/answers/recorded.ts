import { sql } from 'kysely'
import type { CallId, Input } from '../../../contract/calls.ts'
import type { Tx } from '../../../server/db/connect.ts'

/** The day of the recorded demo. */
export const DAY = '2026-11-20T15:00:00.000Z'

/** A call to record, as one of the two people; without `as`, as both. */
export interface Question {
  id: CallId
  input: object
  as?: 'admin' | 'client'
  /** Not recorded again after writes. */
  once?: true
}
const ask = <Id extends CallId>(id: Id, input: Input<Id>, as?: Question['as']): Question => ({
  id,
  input: input as object,
  ...(as ? { as } : {}),
})

/** Leaves of the demo what tests need: its newest projects and what belongs to them. */
export async function shorten(tx: Tx): Promise<void> {
  const keep = async (table: string, which: string) =>
    await sql`update ${sql.table(table)} set deleted_at = '2026-01-01T00:00:00.000Z' where not (${sql.raw(which)})`.execute(tx)
  await keep('projects', `coalesce(parent_id, id) >= 4130 and generation = 'project'`)
  const remaining = '(select id from projects where deleted_at is null)'
  await keep('activities', `project_id in ${remaining}`)
  await keep('surveys', `project_id in ${remaining}`)
  for (const table of ['places', 'users', 'teams', 'location_groups', 'vip_experiences', 'notifications'])
    await keep(table, `id in (select id from ${table} order by id limit 12)`)
}

const PROJECTS = {
  search: '',
  status: 'all',
  pacing: '',
  column: '',
  order: 'asc',
  brief: true,
  texts: false,
  page: 1,
  per_page: 50,
} as const
/** Projects of the demo by their status. */
export const PROJECT = { requirements: 4180, pricing: 4179, approved: 4154, active: 4163, paused: 4160 } as const
/** TABLE  the reads that are recorded. */
export const READS: readonly Question[] = [
  ask('session.validate', {}),
  ask('organization.config', {}),
  ask('notice.unread', {}),
  ask('job.list', { mine: true, status: 'open' }),
  ask('view.list', { screen: 'allProjects' }),
  { ...ask('palette.index', {}), once: true },
  ask('client.dropdown', {}, 'admin'),
  ask('campaign.requestList', { step: 'ours', per_page: 1 }, 'admin'),
  ask('client.doubles', {}, 'admin'),
  ...[{}, { column: 'ordered', order: 'desc' as const }, { status: 'active' }, { search: 'trail' }, { search: 'zzz' }].map(
    (more) => ask('project.listAll', { ...PROJECTS, ...more }, 'admin'),
  ),
  ...Object.values(PROJECT).flatMap((id) => [
    ask('project.get', { id }, 'admin'),
    ask('project.attributes', { id }, 'admin'),
    ask('message.conversations', { id }, 'admin'),
    ask('project.teams', { id, page: 1 }, 'admin'),
  ]),
  ask('runtime.overview', { id: PROJECT.paused }, 'admin'),
  ...[PROJECT.requirements, PROJECT.active].map((id) => ask('runtime.questionsV1', { id }, 'admin')),
  ask('project.quote', { id: PROJECT.requirements }, 'admin'),
  ...[3, 5].map((per_page) => ask('note.list', { id: PROJECT.requirements, page: 1, per_page }, 'admin')),
  ...[PROJECT.requirements, PROJECT.pricing].map((id) =>
    ask('project.history', { id, filter: 'all', page: 1, per_page: 1 }, 'admin'),
  ),
  ask('project.ofClient', { client_id: 101, brief: true, texts: false, per_page: 500 }, 'admin'),
  { ...ask('dma.list', {}, 'admin'), once: true },
  ask('view.list', { screen: 'clients' }, 'admin'),
  ask('client.list', { column: 'name', order: 'asc', page: 1, per_page: 50, search: '' }, 'admin'),
  ask('project.listAll', PROJECTS, 'client'),
]

interface Series {
  as?: 'admin' | 'client'
  /** Writes of somebody else before the first step. */
  before?: readonly Question[]
  /** The writes; `undo` undoes the last that can be undone. */
  steps: readonly (Question | 'undo')[]
}

/** TABLE  writes in the order in which a test makes them. After each, all reads that differ are recorded again. */
export const SERIES: Readonly<Record<string, Series>> = {
  note: { steps: [ask('note.create', { project_id: PROJECT.requirements, note: 'Called them' }), 'undo'] },
  client: { steps: [ask('client.create', { name: 'Oat Company' }), 'undo'] },
  takenName: { steps: [ask('client.create', { name: 'Harvest & Pine Snacks' })] },
  pause: {
    steps: [ask('project.setStatus', { id: PROJECT.active, status: 'paused', reason: 'Stock is out' }), 'undo'],
  },
  inPlace: { steps: [ask('client.edit', { id: 110, name: 'Beacon', lock_version: 1 }), 'undo'] },
  inPlaceAfterAnother: {
    before: [ask('client.edit', { id: 114, name: 'Bluewater', lock_version: 1 })],
    steps: [ask('client.edit', { id: 114, name: 'Blue', lock_version: 1 })],
  },
  clone: { steps: [ask('project.clone', { id: PROJECT.requirements })] },
  edit: { steps: [ask('project.edit', { id: PROJECT.pricing, name: 'Renamed', lock_version: 2, force: false, reason: '' })] },
  editAfterAnother: {
    before: [ask('project.edit', { id: PROJECT.requirements, name: 'Theirs', lock_version: 1 })],
    steps: [1, 2].map((lock_version) =>
      ask('project.edit', { id: PROJECT.requirements, name: 'Mine', lock_version, force: false, reason: '' }),
    ),
  },
}
