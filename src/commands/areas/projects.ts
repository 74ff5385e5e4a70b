import { compareCommands } from '../compare.ts'
import { fileCommands } from '../file.ts'
import { noteCommands } from '../note.ts'
import { projectCommands } from '../project.ts'

/** Projects of both generations with their quotes, files, notes and comparison. */
export const commands = { ...projectCommands, ...compareCommands, ...fileCommands, ...noteCommands } as const
