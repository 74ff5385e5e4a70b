import { commandsIn } from '../commandsIn.ts'

/** Clients with their location lists, and users. */
export const commands = commandsIn(import.meta.glob('../people/*.ts', { eager: true }), 'client')
