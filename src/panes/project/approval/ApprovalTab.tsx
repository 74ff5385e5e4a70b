import type { Subject } from '../../../commands/subject.ts'
import { useMay } from '../../../data/permissions.ts'
import type { Project } from '../ProjectHead.tsx'
import { AdminApproval } from './AdminApproval.tsx'
import { ClientRequest } from './ClientRequest.tsx'

/** The Approval tab of both generations: the whole flow for administrators, a client user's own request otherwise. */
export function ApprovalTab(props: { project: Project; subject: Subject }) {
  return useMay('project.quote') ? <AdminApproval {...props} /> : <ClientRequest {...props} />
}
