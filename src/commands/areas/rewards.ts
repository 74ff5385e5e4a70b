import { commandsIn } from '../commandsIn.ts'

/** Rewards, their receivers, and VIP experiences. */
export const commands = commandsIn(import.meta.glob('../rewards/*.ts', { eager: true }), 'entry')
