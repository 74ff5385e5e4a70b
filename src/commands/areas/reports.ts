import { commandsIn } from '../commandsIn.ts'

/** Client reports, landing pages, audience channels and offers of a project. */
export const commands = commandsIn(import.meta.glob('../reports/*.ts', { eager: true }), 'report')
