import type { Page } from '@playwright/test'
import { routeIds, rowOf } from '../../src/routing/routes.ts'
import { call } from './verbs.ts'

/**
 * The address of every page that needs no session, with the pages of a reset, an invitation and a partner's link.
 * An administrator's page makes the links: it invites a user and renews a partner's link.
 */
export async function guestPaths(admin: Page): Promise<string[]> {
  const pages = routeIds.filter((id) => rowOf(id).outside && !rowOf(id).leads && id !== 'feasibility')
  const { data } = await call(admin, 'project.list', { generation: 'project', per_page: 60, status: 'all' } as never)
  const onQuote = data.find(({ status }) => status === 'OnQuote')!
  const { rounds } = (await call(admin, 'project.quote', { id: onQuote.id })).data
  const { partner_id } = rounds[0]!.invitations.find(({ state }) => state !== 'revoked')!
  const { url } = (await call(admin, 'invitation.link', { id: onQuote.id, partner_id, renew: true })).data
  const email = `guest-${Date.now()}@fieldwork.test`
  const { link } = await call(admin, 'user.invite', { email, role_id: 'admin', skip_invitation: true } as never)
  const links = [link!, url].map((one) => new URL(one, 'http://any'))
  return [
    ...pages.map((id) => rowOf(id).path),
    '/password_reset?reset_password_token=ab',
    ...links.map(({ pathname, search, hash }) => pathname + search + hash),
  ]
}
