import { commandsIn } from '../commandsIn.ts'

/** Saved list views. */
export const commands = commandsIn(import.meta.glob('../views/*.ts', { eager: true }), 'view')
