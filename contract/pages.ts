/** Page sizes, and the most page links of locations, other lists and rewards (section 9 of the specification). */
export const PAGE = {
  list: 10,
  small: 5,
  notes: 5,
  history: 5,
  rewards: 50,
  clientUsers: 100,
  links: 5,
  listLinks: 10,
  rewardLinks: 25,
} as const

/** Pages that accept a reset mail's token: the portal's and the settlers'. A `redirect_url` must be one of them. */
export const RESET_PAGES = ['/password_reset', '/settlers/reset-password'] as const

/** The form for one's own password in the account's settings. */
export const PASSWORD_FORM = '/dashboard/account-settings?section=password'

/** The page where a new email address is confirmed by the link sent to it. */
export const CONFIRM_PAGE = '/confirm-email'

/** The page where the mails of a kind of news are stopped by the link in one. */
export const STOP_MAIL_PAGE = '/stop-mail'

/** Partners' pages behind a signed link. The server sends a separate page for them, without the workspace. */
export const PARTNER_PAGES = {
  feasibility: '/survey-feasibility/feasibility/{id}/{partner_id}',
  answered: '/survey-feasibility/alreadySubmitted',
  unknown: '/survey-feasibility/noExist',
} as const
/** The prefix under which the same pages are redirected. */
export const UNDER_DASHBOARD = '/dashboard'

/** The header that carries a partner's signed link. */
export const PARTNER_HEADER = 'fieldwork-partner'

/** The page of a project, which partners' pages link for administrators. */
export const PROJECT_PAGE = '/dashboard/project-info/{id}'
/** The address of a project's page. */
export const projectPath = (id: number | string): string => PROJECT_PAGE.replace('{id}', String(id))

/** The address of a partner's feasibility page. */
export const feasibilityPath = (project: number | string, partner: number | string): string =>
  PARTNER_PAGES.feasibility.replace('{id}', String(project)).replace('{partner_id}', String(partner))
