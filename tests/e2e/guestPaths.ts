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
  const { id, partner_id } = await openInvitation(
    admin,
    data.filter(({ status }) => status === 'OnQuote').map(({ id }) => id),
  )
  const { url } = (await call(admin, 'invitation.link', { id, partner_id, renew: true })).data
  const email = `guest-${Date.now()}@fieldwork.test`
  const { link } = await call(admin, 'user.invite', { email, role_id: 'admin', skip_invitation: true } as never)
  const links = [link!, url].map((one) => new URL(one, 'http://any'))
  return [
    ...pages.map((id) => rowOf(id).path),
    '/password_reset?reset_password_token=ab',
    ...links.map(({ pathname, search, hash }) => pathname + search + hash),
  ]
}

/** An invitation that nobody has answered; a worker's other tests answer some. */
async function openInvitation(admin: Page, projects: readonly number[]): Promise<{ id: number; partner_id: number }> {
  for (const id of projects) {
    const { rounds } = (await call(admin, 'project.quote', { id })).data
    const open = rounds[0]?.invitations.find(({ state }) => !/^(yes|no|revoked)$/.test(state))
    if (open) return { id, partner_id: open.partner_id }
  }
  throw new Error('Every invitation has been answered')
}
