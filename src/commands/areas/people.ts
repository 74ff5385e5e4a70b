import { clientCommands } from '../client.ts'
import { userCommands } from '../user.ts'

/** Clients with their location lists, and users. */
export const commands = { ...clientCommands, ...userCommands } as const
