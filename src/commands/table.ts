import { accountCommands } from './account.ts'
import { clientCommands } from './client.ts'
import type { Command } from './command.ts'
import { compareCommands } from './compare.ts'
import { entryCommands } from './entry.ts'
import { fileCommands } from './file.ts'
import { formCommands } from './form.ts'
import { jobCommands } from './job.ts'
import { listCommands } from './list.ts'
import { navigationCommands } from './navigation.ts'
import { noteCommands } from './note.ts'
import { projectCommands } from './project.ts'
import { userCommands } from './user.ts'
import { viewCommands } from './view.ts'
import { appearanceCommands, workspaceCommands } from './workspace.ts'

/** The commands table: every action there is. Palette, buttons, menus, keys and help are derived from it. */
export const commands = {
  ...projectCommands,
  ...compareCommands,
  ...entryCommands,
  ...fileCommands,
  ...noteCommands,
  ...clientCommands,
  ...userCommands,
  ...jobCommands,
  ...accountCommands,
  ...workspaceCommands,
  ...listCommands,
  ...viewCommands,
  ...formCommands,
  ...appearanceCommands,
  ...navigationCommands,
} as const

export type CommandId = keyof typeof commands

/** Every command's id, in the table's order. */
export const commandIds = Object.keys(commands) as CommandId[]

/** A row without the precision of its own questions. */
export const commandOf = (id: CommandId): Command => commands[id] as unknown as Command

/** True for an id of the table: links and preferences may hold others. */
export const isCommandId = (id: string): id is CommandId => Object.hasOwn(commands, id)
