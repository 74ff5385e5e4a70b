import { accountCommands } from '../account.ts'
import { jobCommands } from '../job.ts'

/** Jobs, emails, the user's sessions and API keys. */
export const commands = { ...jobCommands, ...accountCommands } as const
