import { commandsIn } from '../commandsIn.ts'

/** Activities of projects. */
export const commands = commandsIn(import.meta.glob('../activities/*.ts', { eager: true }), 'activity')
