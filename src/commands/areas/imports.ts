import { commandsIn } from '../commandsIn.ts'

/** Imports of locations and rewards from files. */
export const commands = commandsIn(import.meta.glob('../imports/*.ts', { eager: true }), 'import')
