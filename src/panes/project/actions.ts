import { commandOf, isCommandId } from '../../commands/table.ts'

/** What was done, as the history tells it after a name: "Sara Miller set the cost". */
const DONE: Readonly<Record<string, string>> = {
  'project.create': 'requested the project',
  'request.create': 'requested the project',
  'project.edit': 'edited the project',
  'campaign.edit': 'edited the project',
  'campaign.editProject': 'edited the project',
  'project.setStatus': 'changed the status',
  'project.pause': 'paused it',
  'project.resume': 'resumed it',
  'project.complete': 'completed it',
  'project.reopen': 'reopened it',
  'project.rejectQuote': 'rejected the quote',
  'project.goLive': 'launched it',
  'project.clone': 'cloned it',
  'project.assignPartner': 'invited a partner',
  'project.mailPartner': 'mailed a partner',
  'project.mailPartnerNow': 'mailed a partner',
  'project.setCost': 'set the cost',
  'project.remove': 'deleted the project',
  'project.restore': 'restored the project',
  'project.notifyCost': 'mailed the client about the cost',
  'project.notifyCostNow': 'mailed the client about the cost',
  'project.approve': 'approved the quote',
  'campaign.authorize': 'approved the quote',
  'project.reject': 'rejected the quote or project',
  'project.assign': 'asked for quotes',
  'project.quote': 'sent a quote',
  'project.removeTeam': 'removed the team',
  'proffer.create': 'answered about feasibility',
  'note.create': 'added a note',
  'note.edit': 'changed a note',
  'note.remove': 'deleted a note',
  'file.upload': 'added an asset',
  'file.remove': 'deleted an asset',
  'entry.redeem': 'paid rewards',
  'entry.reject': 'rejected rewards',
  'entry.secondChance': 'reinstated rewards',
  'entry.clear': 'cleared the pending rewards',
  'runtime.ingest': 'imported responses',
  'runtime.correct': 'corrected a response',
  'runtime.withdraw': 'withdrew a response',
  'runtime.clearFraud': 'cleared the fraud flags',
  'export.start': 'exported it',
}

/** A history row's action in words: as told above, else the title of the command or the name of the call it is; `undo note.edit` is "undid: changed a note". */
export const doneText = (action: string): string => {
  const [sign, call] = action.split(' ')
  if (call) return `${sign === 'undo' ? 'undid' : 'redid'}: ${doneText(call)}`
  return textOf(action)
}
const textOf = (action: string): string =>
  (Object.hasOwn(DONE, action) ? DONE[action] : undefined) ??
  (isCommandId(action)
    ? commandOf(action).title.replace('…', '').toLowerCase()
    : action
        .replace('.', ': ')
        .replace(/([A-Z])/g, ' $1')
        .toLowerCase())
