import { commandsIn } from '../commandsIn.ts'

/** Files that become locations or rewards. */
export const commands = commandsIn(import.meta.glob('../imports/*.ts', { eager: true }), 'import')
