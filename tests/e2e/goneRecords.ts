import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import type { CommandId } from '../support/commands.ts'
import { today } from '../support/today.ts'
import { call, PASSWORD, PEOPLE } from './verbs.ts'

/**
 * Creates a record of each kind that can be restored and deletes it, a token, and a session: the demo has none of them.
 * Returns the screens where the commands that need them are available.
 */
export async function goneRecords(page: Page): Promise<Partial<Record<CommandId, string>>> {
  const serial = Date.now()
  const name = (noun: string) => `Gone ${noun} ${serial}`
  const { data: rows } = await call(page, 'project.list', { generation: 'project', per_page: 60, status: 'active' } as never)
  const { id: project_id, client_id } = rows[0]!
  const start = today()
  const asked = { project_id, name: name('task'), about: 'Answer.', activity_type: 'survey' as const }
  const { data: task } = await call(page, 'activity.create', asked)
  const made = {
    client: await call(page, 'client.create', { name: name('client') }),
    team: await call(page, 'team.create', { client_id, name: name('team') }),
    group: await call(page, 'group.create', { client_id, name: name('group') }),
    location: await call(page, 'location.create', { name: name('place'), address: '1 Main Street, Boston, MA 02101' }),
    notification: await call(page, 'notification.create', { name: name('note'), message: 'Hello' }),
    partner: await call(page, 'partner.create', { name: name('partner') }),
    reward: await call(page, 'reward.create', { project_id, name: name('card'), amount: 5 } as never),
    vip: await call(page, 'vip.create', { project_id, name: name('dinner') }),
    brand: await call(page, 'brand.create', { name: name('brand') }),
    survey: await call(page, 'survey.create', {
      ...{ activity_id: task.id, name: name('survey'), survey_link: 'https://survey.test/1', questions_count: 2 },
    } as never),
    project: await call(page, 'project.create', {
      ...{ client_id, name: name('project'), goal: 100, start_dt: start, end_dt: addDays(start, 20) },
    } as never),
  }
  const of = (noun: keyof typeof made): number => (made[noun].data as { id: number }).id
  const { data: kept } = await call(page, 'brand.create', { name: `Brand of ${name('service')}` })
  const category = (await call(page, 'category.list')).data[0]!.id
  const bought = { brand_id: kept.id, category, service_name: name('service'), start_date: '2026-11-01' }
  const { data: service } = await call(page, 'service.create', bought)
  await call(page, 'award.create', { id: project_id, experience_id: of('vip'), emails: ['vip@example.com'] } as never)
  await call(page, 'group.remove', { location_group_id: of('group') } as never)
  await call(page, 'service.remove', { id: service.id })
  for (const noun of [
    'client',
    'team',
    'location',
    'notification',
    'partner',
    'reward',
    'vip',
    'brand',
    'survey',
    'project',
  ] as const)
    await call(page, `${noun}.remove`, { id: of(noun) } as never)
  await call(page, 'token.create', { name: name('program'), scopes: ['project:read'] } as never)
  await fetch(new URL('/v3/portal/auth/sign_in', page.url()), {
    method: 'POST',
    headers: { 'x-fieldwork': 'workspace', 'content-type': 'application/json' },
    body: JSON.stringify({ email: PEOPLE.admin, password: PASSWORD, remember_cookie: true }),
  })
  const [item] = (await call(page, 'content.list', { per_page: 1 } as never)).data
  const content = href('project', { id: item!.project_id }, { tab: 'userContent' })
  return {
    'content.accept': content,
    'content.preview': content,
    'content.restore': content,
    'file.rotate': content,
    'client.restore': href('client', { id: of('client') }, { tab: 'details' }),
    'team.restore': href('team', { id: of('team') }, { tab: 'details' }),
    'group.restore': href('group', { id: of('group') }, { tab: 'details' }),
    'location.restore': href('locations', {}, { query: { location: of('location') } }),
    'notification.restore': href('notifications', {}, { query: { open: of('notification') } }),
    'partner.restore': href('approve', {}, { query: { partner: of('partner') } }),
    'reward.restore': href('project', { id: project_id }, { tab: 'catalogue', query: { edit: of('reward') } }),
    'vip.restore': href('project', { id: project_id }, { tab: 'vipRewarded' }),
    'survey.restore': href('survey', { id: of('survey') }, { tab: 'details' }),
    'project.restore': href('project', { id: of('project') }, { tab: 'specifications' }),
    'brand.restore': href('brandEditor', { id: of('brand') }, { tab: 'details' }),
    'service.restore': href('brand', { id: kept.id, filter: 'none' }, { query: { service: service.id } }),
    'token.revoke': href('tokens'),
  }
}
