import { nounOf } from '../../contract/nouns.ts'
import { linkable, linkedSubjects, ON } from '../commands/linked.ts'
import type { Subject } from '../commands/subject.ts'
import { commandOf } from '../commands/table.ts'
import { commandLink, linkOfRef } from '../routing/codec.ts'
import { href, type RouteId } from '../routing/routes.ts'
import { focusedPane } from '../workspace/navigation.ts'
import { doneSoFar } from './run.ts'

/** The link to the last command, prefilled and never run by opening it; to the focused pane if there is none. */
export function commandLinkOf(): string {
  const { ref } = focusedPane()
  const last = doneSoFar().at(-1)
  if (!last) return linkOfRef(ref)
  const { id, subjects, answers } = last
  const given = linkable(commandOf(id), answers)
  const [subject] = subjects
  // A record with a screen of its own is said by the page itself.
  const screen = subjects.length === 1 && subject ? screenOf(subject) : null
  const on = screen ? null : linkedSubjects(subjects)
  return commandLink(screen ?? ref, id, { ...(on ? { [ON]: on } : {}), ...given })
}

/** For a record whose screen sets its subject once it has loaded. */
function screenOf({ kind, id }: Subject): string | null {
  const { screen, reads } = nounOf(kind) ?? {}
  return screen && reads ? (href as unknown as (route: RouteId, params: object) => string)(screen as RouteId, { id }) : null
}
