import { z } from 'zod'
import { Id } from '../../contract/call.ts'
import { entryCalls } from '../../contract/entry.ts'
import type { ExportName } from '../../contract/exports.ts'
import { type ExportedNoun, nounNamed } from '../../contract/lists.ts'
import { ListInput } from '../../contract/projectInput.ts'
import { entriesExport, responsesExport } from './entries.ts'
import { type ExportSource, listExport, SelectedIds, source } from './exportSource.ts'
import { projectsExport } from './projects.ts'

/** What is more than a noun's list: families of projects, the rewards of a project with its children, respondents. */
const special: Partial<Record<ExportName, ExportSource>> = {
  projects: source('projects', 'project.list', ListInput.extend({ ids: SelectedIds }), projectsExport('project')),
  campaigns: source('campaigns', 'campaign.list', ListInput.extend({ ids: SelectedIds }), projectsExport('campaign')),
  entries: source(
    'entries',
    'entry.list',
    entryCalls['entry.list'].input.omit({ id: true }).extend({ project_id: Id, ids: SelectedIds }),
    entriesExport,
  ),
  responses: source('responses', 'project.export', z.object({ project_id: Id }), responsesExport),
}

/** The export of a name: a noun's list is exported by its row of contract/lists.ts alone. */
export const exportOf = (name: ExportName): ExportSource => special[name] ?? listExport(nounNamed(name) as ExportedNoun)
