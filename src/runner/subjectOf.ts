import { nounOf } from '../../contract/nounOf.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { profferOf, profferSubject } from '../commands/profferSubject.ts'
import type { Subject } from '../commands/subject.ts'
import { ApiError } from '../data/api.ts'
import { api } from '../data/apiClient.ts'
import { may } from '../data/permissions.ts'

/** Reads a record as a command subject with its allowed actions. Kinds whose commands ask the server aren't read. */
export async function subjectOf(kind: string, id: number, name: string, signal?: AbortSignal): Promise<Subject> {
  const plain: Subject = { kind: kind as SubjectKind, id, name }
  if (kind === 'proffer') return profferNow(id, signal)
  const record = await recordOf(kind, id, signal)
  if (!record) return plain
  const {
    allowed_actions,
    refused_actions,
    name: now,
  } = record as { allowed_actions?: string[]; refused_actions?: Record<string, string>; name?: string }
  return { ...plain, ...(now ? { name: now } : {}), allowed_actions, refused_actions, record }
}

async function recordOf(kind: string, id: number, signal?: AbortSignal): Promise<Record<string, unknown> | null> {
  // Views are few, so they are read together.
  if (kind === 'view') {
    const view = (await api.read('view.list', {}, signal)).data.find((one) => one.id === id)
    if (!view) throw new ApiError(404, 'gone', 'This view doesn’t exist, or is no longer shared with you.')
    return { ...view, everyone: may('view.shareWithEveryone') }
  }
  const read = nounOf(kind)?.reads
  return read ? (await api.read(read as 'client.get', { id }, signal)).data : null
}

/** Reads a partner's invitation and answer, which only the project's quote has. */
async function profferNow(id: number, signal?: AbortSignal): Promise<Subject> {
  const { project_id, partner_id } = profferOf(id)
  const { data } = await api.read('project.quote', { id: project_id }, signal)
  const invitation = data.rounds[0]?.invitations.find((one) => one.partner_id === partner_id)
  if (!invitation) throw new ApiError(404, 'gone', 'This partner isn’t invited in this round.')
  return profferSubject(data, invitation)
}
