import type { NewsKindId } from '../../../contract/news.ts'
import type { HistoryLine } from '../../core/context.ts'

/** Something that happened to a project, of which people are told. */
export interface NewsEvent {
  kind: NewsKindId
  project_id: number
  /** The one person whom it concerns, if not the followers. */
  user_id?: number
  /** The partner who did it. */
  partner?: string
}

/** TABLE  a status that a project moves to → what it is as news. */
const MOVES: Readonly<Record<string, NewsKindId>> = {
  approved: 'approved',
  rejected: 'rejected',
  active: 'live',
  paused: 'paused',
  completed: 'ended',
}

/** What a history line of a project says as news; null if it is none. */
function eventOf(line: HistoryLine, byClient: boolean): NewsEvent | null {
  const { before, after = {}, subject_id: project_id } = line
  const values: Readonly<Record<string, unknown>> = after as Record<string, unknown>
  const was: Readonly<Record<string, unknown>> = (before ?? {}) as Record<string, unknown>
  if (typeof values.owner_id === 'number' && 'owner_id' in was) return { kind: 'assigned', project_id, user_id: values.owner_id }
  if (typeof values.status === 'string' && 'status' in was) {
    if (values.status === 'pricing' && was.status === 'submit_approval') return { kind: 'rejected', project_id }
    const kind = MOVES[values.status]
    return kind ? { kind, project_id } : null
  }
  if ('cost_notification' in values) return { kind: 'quote', project_id }
  if ('fill_requirements' in values && typeof values.partner === 'string')
    return { kind: 'answer', project_id, partner: values.partner }
  if (!before && byClient && 'client_id' in values) return { kind: 'request', project_id }
  return null
}

/** What a new message says as news; an answer to a partner is none, as clients hear nothing of partners. */
function messageEvent({ project_id, before, after = {} }: HistoryLine): NewsEvent | null {
  const { side, partner } = after as { side?: unknown; partner?: unknown }
  if (!project_id || before || typeof side !== 'string') return null
  if (side === 'partner') return { kind: 'partnerMessage', project_id, partner: String(partner) }
  return partner === undefined ? { kind: 'message', project_id } : null
}

/** The news in the history lines of one write, each once. */
export function eventsIn(lines: readonly HistoryLine[], byClient: boolean): NewsEvent[] {
  const events = new Map<string, NewsEvent>()
  for (const line of lines) {
    const event = line.subject === 'project' ? eventOf(line, byClient) : line.subject === 'message' ? messageEvent(line) : null
    if (event) events.set(`${event.kind} ${event.project_id} ${event.user_id ?? ''}`, event)
  }
  return [...events.values()]
}
