import { linkable } from '../../commands/can.ts'
import { commandOf } from '../../commands/table.ts'
import { commandLink, linkOfRef } from '../codec.ts'
import { focusedPane } from '../navigation.ts'
import { doneSoFar } from './run.ts'

/** The address of the last command, to be filled in and never run by who opens it; of the focused pane when there was none. */
export function commandLinkOf(): string {
  const { ref } = focusedPane()
  const last = doneSoFar().at(-1)
  return last ? commandLink(ref, last.id, linkable(commandOf(last.id), last.answers)) : linkOfRef(ref)
}
