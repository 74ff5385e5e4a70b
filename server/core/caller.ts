import type { Caller } from './context.ts'

/** Nobody signed in: a stranger's call, and the server's own work. */
export const ANONYMOUS: Caller = { user: null, actor: null, session: null, partner: null, apiKey: null }
