import { nounOf } from '../../contract/nounOf.ts'
import { linkable, linkedSubjects, ON } from '../commands/commandLink.ts'
import type { Subject } from '../commands/subject.ts'
import { commandOf } from '../commands/table.ts'
import { commandLink, linkOfRef } from '../routing/codec.ts'
import { href, type RouteId } from '../routing/routes.ts'
import { focusedPane } from '../workspace/navigation.ts'
import { doneSoFar } from './runCommand.ts'

/** Returns a link to the last command, filled in but never run by opening it; or else to the focused pane. */
export function commandLinkOf(): string {
  const { ref } = focusedPane()
  const last = doneSoFar().at(-1)
  if (!last) return linkOfRef(ref)
  const { id, subjects, answers } = last
  const linkedAnswers = linkable(commandOf(id), answers)
  const [subject] = subjects
  // If the record has its own screen, the page names it already.
  const screen = subjects.length === 1 && subject ? screenOf(subject) : null
  const on = screen ? null : linkedSubjects(subjects)
  return commandLink(screen ?? ref, id, { ...(on ? { [ON]: on } : {}), ...linkedAnswers })
}

/** Returns the screen of a record, if that screen sets it as its subject once loaded. */
function screenOf({ kind, id }: Subject): string | null {
  const { screen, reads } = nounOf(kind) ?? {}
  return screen && reads ? (href as unknown as (route: RouteId, params: object) => string)(screen as RouteId, { id }) : null
}
