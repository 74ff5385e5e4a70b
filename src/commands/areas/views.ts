import { viewCommands } from '../view.ts'

/** Saved list views. */
export const commands = viewCommands
