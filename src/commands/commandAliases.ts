import type { CommandId } from './table.ts'

/** Ids that commands had in earlier releases; shared links and shortcuts of one's own still name them. */
const RELEASED: Readonly<Record<string, CommandId>> = {
  'project.assignPartner': 'project.invitePartners',
  'project.mailPartner': 'project.remind',
  'project.notifyCost': 'project.sendQuote',
  'location.rename': 'group.rename',
  'key.revoke': 'token.revoke',
}

/** The id that a command has now. */
export const currentId = (id: string): string => RELEASED[id] ?? id
