import { entryCommands } from '../entry.ts'

/** Commands on rewards. */
export const commands = entryCommands
