import { commandsIn } from '../commandsIn.ts'

/** Notifications: what administrators send, and the user's own inbox. */
export const commands = commandsIn(import.meta.glob('../notifications/*.ts', { eager: true }), 'notification')
