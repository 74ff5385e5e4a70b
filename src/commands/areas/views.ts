import { viewCommands } from '../view.ts'

/** Saved views of lists. */
export const commands = viewCommands
