import { commandsIn } from '../commandsIn.ts'

/** Locations and their groups. */
export const commands = commandsIn(import.meta.glob('../places/*.ts', { eager: true }), 'group')
