import { z } from 'zod'
import { accountCalls } from '../../contract/account.ts'
import { Id } from '../../contract/call.ts'
import { clientCalls } from '../../contract/client.ts'
import { entryCalls } from '../../contract/entry.ts'
import type { ExportName } from '../../contract/exports.ts'
import { jobCalls } from '../../contract/job.ts'
import { ListInput } from '../../contract/projectInput.ts'
import { userCalls } from '../../contract/user.ts'
import { entriesExport, responsesExport } from './entries.ts'
import { type ExportSource, source } from './exportSource.ts'
import { clientsExport, groupsExport, teamsExport, usersExport } from './people.ts'
import { projectsExport } from './projects.ts'
import { jobsExport, mailsExport } from './work.ts'

/** Selected rows; left out, all that match. */
const ids = z.array(Id).max(100_000).optional()

/** The exports table: a further list is one more row here, and one of contract/exports.ts. */
export const EXPORTS: Record<ExportName, ExportSource> = {
  projects: source('projects', 'client', ListInput.extend({ ids }), projectsExport('project')),
  campaigns: source('campaigns', 'client', ListInput.extend({ ids }), projectsExport('campaign')),
  clients: source('clients', 'admin', clientCalls['client.list'].input.extend({ ids }), clientsExport),
  users: source('users', 'admin', userCalls['user.list'].input.extend({ client_id: Id.optional(), ids }), usersExport),
  teams: source('teams', 'admin', clientCalls['client.teams'].input.extend({ ids }), teamsExport),
  groups: source('groups', 'admin', clientCalls['client.groups'].input.extend({ ids }), groupsExport),
  entries: source(
    'entries',
    'admin',
    entryCalls['entry.list'].input.omit({ id: true }).extend({ project_id: Id, ids }),
    entriesExport,
  ),
  jobs: source('jobs', 'client', jobCalls['job.list'].input.extend({ ids }), jobsExport),
  mails: source('mails', 'admin', accountCalls['outbox.list'].input.extend({ ids }), mailsExport),
  responses: source('responses', 'client', z.object({ project_id: Id }), responsesExport),
}
