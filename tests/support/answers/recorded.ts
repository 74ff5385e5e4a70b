import { sql } from 'kysely'
import type { CallId, Input } from '../../../contract/calls.ts'
import type { Tx } from '../../../server/db/connect.ts'

/** The day of the recorded demo. */
export const DAY = '2026-11-20T15:00:00.000Z'

/** A call to record, as one of the two people; without `as`, as both. */
export interface Asked {
  id: CallId
  input: object
  as?: 'admin' | 'client'
}
const ask = <Id extends CallId>(id: Id, input: Input<Id>, as?: Asked['as']): Asked => ({
  id,
  input: input as object,
  ...(as ? { as } : {}),
})

/** Leaves of the demo what tests need: its newest projects and what belongs to them. */
export async function shorten(tx: Tx): Promise<void> {
  const keep = async (table: string, which: string) =>
    await sql`update ${sql.table(table)} set deleted_at = '2026-01-01T00:00:00.000Z' where not (${sql.raw(which)})`.execute(tx)
  await keep('projects', `coalesce(parent_id, id) >= 4115 and generation = 'project'`)
  const kept = '(select id from projects where deleted_at is null)'
  await keep('activities', `project_id in ${kept}`)
  await keep('surveys', `project_id in ${kept}`)
  for (const table of ['places', 'users', 'teams', 'location_groups', 'vip_experiences', 'notifications'])
    await keep(table, `id in (select id from ${table} order by id limit 20)`)
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
}
/** TABLE  the reads that are recorded. */
export const READS: readonly Asked[] = [
  ask('session.validate', {}),
  ask('organization.config', {}),
  ask('notice.unread', {}),
  ask('job.list', { mine: true, status: 'open' }),
  ask('view.list', { screen: 'allProjects' }),
  ask('client.dropdown', {}, 'admin'),
  ask('palette.index', {}),
  ask('campaign.requestList', { step: 'ours', per_page: 1 }, 'admin'),
  ...[
    {},
    { column: 'ordered', order: 'desc' },
    { column: 'ordered' },
    { status: 'Active' },
    { search: 'trail' },
    { search: 'zzz' },
  ].map((more) => ask('project.listAll', { ...PROJECTS, ...more } as never, 'admin')),
]

interface Series {
  as?: 'admin' | 'client'
  /** Writes of somebody else before the first step. */
  before?: readonly Asked[]
  /** The writes; `undo` undoes the last that can be undone. */
  steps: readonly (Asked | 'undo')[]
}

/** TABLE  writes in the order in which a test makes them. After each, all reads that differ are recorded again. */
export const SERIES: Readonly<Record<string, Series>> = {}
