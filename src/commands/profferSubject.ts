import type { Output } from '../../contract/calls.ts'
import type { Subject } from './subject.ts'

export type Quote = Output<'project.quote'>['data']
export type Invitation = Quote['rounds'][number]['invitations'][number]

/** Partner ids are below this, so that one number identifies a project and a partner. */
const PARTNERS = 1_000_000

/** Returns the subject id of a partner's invitation and answer; each project and partner have one. */
export const profferId = (project_id: number, partner_id: number): number => project_id * PARTNERS + partner_id
/** Splits such an id into project and partner. */
export const profferOf = (id: number): { project_id: number; partner_id: number } => ({
  project_id: Math.floor(id / PARTNERS),
  partner_id: id % PARTNERS,
})

/** Returns a partner's invitation and answer as a subject, from the response of `project.quote`. */
export const profferSubject = ({ id }: Pick<Quote, 'id'>, invitation: Invitation): Subject => ({
  kind: 'proffer',
  id: profferId(id, invitation.partner_id),
  name: invitation.name,
  allowed_actions: invitation.allowed_actions,
  refused_actions: invitation.refused_actions,
  record: { ...invitation, project_id: id },
})
