import { entryCommands } from '../entry.ts'

/** Rewards. */
export const commands = entryCommands
