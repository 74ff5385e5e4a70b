import { commandsIn } from '../commandsIn.ts'

/** Surveys and their questions. */
export const commands = commandsIn(import.meta.glob('../surveys/*.ts', { eager: true }), 'survey')
