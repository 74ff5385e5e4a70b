import { commandsIn } from '../commandsIn.ts'

/** Webhooks and their messages. */
export const commands = commandsIn(import.meta.glob('../webhooks/*.ts', { eager: true }), 'webhook')
