import { commandsIn } from '../commandsIn.ts'

/** Quota plans of projects, and their cells. */
export const commands = commandsIn(import.meta.glob('../quotas/*.ts', { eager: true }), 'quota')
