/** Page sizes of the specification's section 9. */
export const PAGE = { list: 10, small: 5, notes: 5, history: 5, rewards: 50, clientUsers: 100, links: 5 } as const

/** Pages that accept a reset mail's token (the portal's and the settlers'); a `redirect_url` must be one of them. */
export const RESET_PAGES = ['/password_reset', '/settlers/reset-password'] as const

/** Partners' pages behind a signed link; the server sends a page of their own, without the workspace. */
export const PARTNER_PAGES = {
  feasibility: '/survey-feasibility/feasibility/{id}/{partner_id}',
  answered: '/survey-feasibility/alreadySubmitted',
  unknown: '/survey-feasibility/noExist',
} as const
/** The same pages under /dashboard lead to these. */
export const UNDER_DASHBOARD = '/dashboard'

/** The header that carries a partner's signed link. */
export const PARTNER_HEADER = 'fieldwork-partner'

/** The address of a partner's feasibility page. */
export const feasibilityPath = (project: number | string, partner: number | string): string =>
  PARTNER_PAGES.feasibility.replace('{id}', String(project)).replace('{partner_id}', String(partner))
