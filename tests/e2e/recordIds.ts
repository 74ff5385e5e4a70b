import type { Page } from '@playwright/test'
import { type RouteId, rowOf } from '../../src/routing/routes.ts'
import { call } from './verbs.ts'

/** Demo ids by the record that a screen's path refers to. */
export interface RecordIds {
  project: readonly number[]
  campaign: readonly number[]
  client: readonly number[]
  activity: readonly number[]
  survey: readonly number[]
  team: readonly number[]
  group: readonly number[]
  import: readonly number[]
  brand: readonly number[]
  webhook: readonly number[]
}

/** Screens about an activity whose route has no subject. */
const OF_AN_ACTIVITY: ReadonlySet<RouteId> = new Set(['activityUsers', 'event', 'post', 'promo'])

const idsOf = ({ data }: { data: readonly { id: number }[] }) => data.map((row) => row.id)

/** Records that a client user's paths may refer to, newest first; of administrators' kinds, 1. */
export async function clientRecordIds(page: Page): Promise<RecordIds> {
  const { data } = await call(page, 'project.list', { generation: 'any', per_page: 60, status: 'all' } as never)
  const of = (generation: string) => data.filter((row) => row.generation === generation).map((row) => row.id)
  const brand = idsOf(await call(page, 'brand.list'))
  const none = [1]
  return {
    project: of('project'),
    campaign: of('campaign'),
    brand,
    webhook: idsOf(await call(page, 'webhook.list')),
    client: none,
    activity: none,
    survey: none,
    team: none,
    group: none,
    import: none,
  }
}

/** Records of every kind that a path may refer to, each kind's newest first. */
export async function recordIds(page: Page): Promise<RecordIds> {
  const { data } = await call(page, 'project.list', { generation: 'any', per_page: 60, status: 'all' } as never)
  const of = (generation: string) => data.filter((row) => row.generation === generation).map((row) => row.id)
  return {
    project: of('project'),
    campaign: of('campaign'),
    client: idsOf(await call(page, 'client.list')),
    activity: idsOf(await call(page, 'activity.listAll', { per_page: 60 })),
    survey: idsOf(await call(page, 'survey.list', { per_page: 60 })),
    team: idsOf(await call(page, 'team.list')),
    group: idsOf(await call(page, 'group.list')),
    import: idsOf(await call(page, 'import.list')),
    brand: idsOf(await call(page, 'brand.list')),
    webhook: idsOf(await call(page, 'webhook.list')),
  }
}

/** A screen's path with its parameters: the `nth` record of its own kind, wrapping around. */
export function pathWith(ids: RecordIds, { id, path }: { id: RouteId; path: string }, nth = 0): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'questionType') return 'survey'
    if (name === 'filter') return 'none'
    const subject = OF_AN_ACTIVITY.has(id) ? 'activity' : rowOf(id).subject
    if (name === 'activity_id') return String(ids.activity[nth % ids.activity.length])
    const own = name !== 'project_id' && subject !== undefined && subject in ids ? (subject as keyof RecordIds) : 'project'
    return String(ids[own][nth % ids[own].length])
  })
}
