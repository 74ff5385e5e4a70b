import { withStop } from '../../contract/textEnds.ts'
import type { Command } from '../commands/command.ts'
import { loadAreas } from '../commands/commandAreas.ts'
import { idAbove, type Subject } from '../commands/subject.ts'
import { areasWith, commandOf, isCommandId } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import type { RecordsToRead } from '../commands/workspaceApi.ts'
import { refuseWithNotice } from '../runner/keys/keyNotices.ts'
import { start } from '../runner/startCommand.ts'
import { subjectOf } from '../runner/subjectOf.ts'
import { discardWithNotice, flush } from '../workspace/keys/typeahead.ts'
import { focusedPane } from '../workspace/navigation.ts'

/** True for a command that only opens something, which needs no review. */
const onlyOpens = ({ undo, asks, confirm, each, opens }: Command): boolean =>
  opens !== undefined || (undo === 'needless' && !asks && !confirm && !each)

/** Reads records with what may be done with them now. */
async function subjectsOf(records: RecordsToRead, signal: AbortSignal): Promise<Subject[]> {
  if ('kind' in records) return [await subjectOf(records.kind, records.id, records.name, signal)]
  const { readSelection } = await import('../list/selectAll.ts')
  const subjects = await readSelection(records.list, records.filter, signal)
  // A list of a project has those of its children, too.
  return subjects.filter((subject) => idAbove(subject, 'project') === records.project)
}

/** Starts a command on records that it reads first; `kept` is aborted when the user cancels the keys typed for it. */
export async function startOn(id: string, records: RecordsToRead, reviewed: boolean, kept: AbortSignal): Promise<void> {
  const pane = focusedPane().id
  try {
    await loadAreas(areasWith(id))
    if (!isCommandId(id)) throw new Error('This command doesn’t exist.')
    const subjects = await subjectsOf(records, kept)
    if (kept.aborted) return
    // The user has clicked elsewhere, so nothing opens over that.
    if (focusedPane().id !== pane) return discardWithNotice()
    const command = commandOf(id)
    if (!subjects.length) return refuseWithNotice(`“${plain(command)}” can’t run now: none of its records is left.`)
    if (start(id, subjects, { via: reviewed && !onlyOpens(command) ? 'link' : 'key' }) === 'runs') flush()
  } catch (error) {
    if (!kept.aborted) refuseWithNotice(withStop((error as Error).message))
  }
}
