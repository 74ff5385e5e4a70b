import type { CommandId } from './table.ts'

/** Command ids of earlier releases, which shared links and custom shortcuts may still use. */
const RELEASED: Readonly<Record<string, CommandId>> = {
  'project.assignPartner': 'project.invitePartners',
  'project.mailPartner': 'project.remind',
  'project.notifyCost': 'project.sendQuote',
  'location.rename': 'group.rename',
  'key.revoke': 'token.revoke',
}

/** Returns the current id of a command. */
export const currentId = (id: string): string => RELEASED[id] ?? id
