import { commandsIn } from '../commandsIn.ts'

/** Jobs, emails, the user's sessions and API keys. */
export const commands = commandsIn(import.meta.glob('../settings/*.ts', { eager: true }), 'job')
