import { commandsIn } from '../commandsIn.ts'

/** Projects of both generations with their quotes, files, notes and comparison. */
export const commands = commandsIn(import.meta.glob('../projects/*.ts', { eager: true }), 'project')
