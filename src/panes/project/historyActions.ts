import { historyWords } from '../../../contract/history.ts'
import { commandOf, isCommandId } from '../../commands/table.ts'

/** Describes a history entry's action by its noun or command; `undo note.edit` is "undid: changed a note". */
export const doneText = (action: string): string => {
  const [sign, call] = action.split(' ')
  if (call) return `${sign === 'undo' ? 'undid' : 'redid'}: ${doneText(call)}`
  return textOf(action)
}
const textOf = (action: string): string =>
  historyWords(action) ??
  (isCommandId(action)
    ? commandOf(action).title.replace('…', '').toLowerCase()
    : action
        .replace('.', ': ')
        .replace(/([A-Z])/g, ' $1')
        .toLowerCase())
