/** Page sizes of the specification's section 9. */
export const PAGE = { list: 10, small: 5, notes: 5, history: 5, rewards: 50, clientUsers: 100, links: 5 } as const

/** The pages that take a reset mail's token: the portal's, and the settlers group's. A `redirect_url` is one of them. */
export const RESET_PAGES = ['/password_reset', '/settlers/reset-password'] as const
