import type { Output } from '../../contract/calls.ts'
import type { Subject } from './subject.ts'

export type Quote = Output<'project.quote'>['data']
export type Invitation = Quote['rounds'][number]['invitations'][number]

/** Partners have ids below this, so that one number names a project and a partner. */
const PARTNERS = 1_000_000

/** The id of a partner's invitation and answer as a command subject: there is one of each project and partner. */
export const profferId = (project_id: number, partner_id: number): number => project_id * PARTNERS + partner_id
/** The project and the partner of such an id. */
export const profferOf = (id: number): { project_id: number; partner_id: number } => ({
  project_id: Math.floor(id / PARTNERS),
  partner_id: id % PARTNERS,
})

/** A partner's invitation and answer as a command subject, of the project that `project.quote` answers. */
export const profferSubject = ({ id }: Pick<Quote, 'id'>, invitation: Invitation): Subject => ({
  kind: 'proffer',
  id: profferId(id, invitation.partner_id),
  name: invitation.name,
  allowed_actions: invitation.allowed_actions,
  refused_actions: invitation.refused_actions,
  record: { ...invitation, project_id: id },
})
