/** Page sizes of the specification's section 9. */
export const PAGE = { list: 10, small: 5, notes: 5, history: 5, rewards: 50, clientUsers: 100, links: 5 } as const

/** Pages that accept a reset mail's token (the portal's and the settlers'); a `redirect_url` must be one of them. */
export const RESET_PAGES = ['/password_reset', '/settlers/reset-password'] as const
