import { accountCommands } from '../account.ts'
import { jobCommands } from '../job.ts'

/** Jobs and mails, one's own sessions, keys of importers. */
export const commands = { ...jobCommands, ...accountCommands } as const
