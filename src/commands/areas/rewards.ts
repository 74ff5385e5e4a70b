import { commandsIn } from '../commandsIn.ts'

/** Commands on rewards. */
export const commands = commandsIn(import.meta.glob('../rewards/*.ts', { eager: true }), 'entry')
