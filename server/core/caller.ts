import type { Caller } from './context.ts'

/** The caller of anonymous calls and of the server's own work. */
export const ANONYMOUS: Caller = { user: null, actor: null, session: null, partner: null, apiKey: null, token: null }
