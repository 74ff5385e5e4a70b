import { commandsIn } from '../commandsIn.ts'

/** What participants answered and submitted, and the charts of responses. */
export const commands = commandsIn(import.meta.glob('../results/*.ts', { eager: true }), 'responses')
