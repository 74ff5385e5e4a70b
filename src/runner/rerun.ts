import { commandOf, isCommandId } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { commandHistory } from '../workspace/commandHistory.ts'
import { bufferKeys, flush } from '../workspace/keys/typeahead.ts'
import { refuseWithNotice } from './keys/keyNotices.ts'
import { start } from './startCommand.ts'
import { subjectOf } from './subjectOf.ts'

/** Runs a command of the history again, on the current state of its records; asks what its answers leave open. */
export async function rerun(at: string): Promise<void> {
  const past = commandHistory().find((one) => String(one.at) === at)
  if (!past || !isCommandId(past.id)) return
  const kept = bufferKeys()
  const read = await Promise.allSettled(past.subjects.map(({ kind, id, name }) => subjectOf(kind, id, name, kept)))
  if (kept.aborted) return
  const subjects = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const title = plain(commandOf(past.id))
  if (past.subjects.length && !subjects.length) return refuseWithNotice(`“${title}” can’t run again: what it ran on is gone.`)
  if (start(past.id, subjects, { answers: past.answers, via: 'palette' }) === 'runs') flush()
}
