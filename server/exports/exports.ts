import { z } from 'zod'
import { Id } from '../../contract/call.ts'
import { contentCalls } from '../../contract/content.ts'
import { entryCalls } from '../../contract/entry.ts'
import type { ExportName } from '../../contract/exports.ts'
import { type ExportedNoun, nounNamed } from '../../contract/lists.ts'
import { ListInput } from '../../contract/projectInput.ts'
import { RequestListInput } from '../../contract/quoteRecord.ts'
import { ReceiverFilter } from '../../contract/receiver.ts'
import { AnswersInput, ReportInput } from '../../contract/report.ts'
import { ResponseExportInput } from '../../contract/responses.ts'
import { channelExport } from './channel.ts'
import { entriesExport, receiversExport, responsesExport } from './entries.ts'
import { type ExportSource, listExport, SelectedIds, source } from './exportSource.ts'
import { projectsExport } from './projects.ts'
import { datamapExport, reportExport } from './report.ts'
import { requestsExport } from './requests.ts'
import { respondentsExport } from './respondents.ts'
import { userResponsesExport } from './userResponses.ts'
import { VisitExportInput, visitsExport } from './visits.ts'

/** Exports that aren't a noun's list: project families, a family's rewards, requests, respondents, client reports. */
const special: Partial<Record<ExportName, ExportSource>> = {
  projects: source('projects', 'project.list', ListInput.extend({ ids: SelectedIds }), projectsExport('project'), ['owner']),
  campaigns: source('campaigns', 'campaign.list', ListInput.extend({ ids: SelectedIds }), projectsExport('campaign'), ['owner']),
  entries: source(
    'entries',
    'entry.list',
    entryCalls['entry.list'].input.omit({ id: true }).extend({ project_id: Id, ids: SelectedIds }),
    entriesExport,
  ),
  receivers: source('receivers', 'receiver.list', ReceiverFilter.extend({ ids: SelectedIds }), receiversExport),
  channel: source('channel', 'proffer.list', RequestListInput.extend({ ids: SelectedIds }), channelExport),
  requests: source('requests', 'campaign.requestList', RequestListInput.extend({ ids: SelectedIds }), requestsExport),
  respondents: source(
    'respondents',
    'content.respondents',
    contentCalls['content.respondents'].input.omit({ page: true, per_page: true }),
    respondentsExport,
  ),
  userResponses: source('userResponses', 'runtime.userResponses', ResponseExportInput, userResponsesExport),
  responses: source('responses', 'project.export', z.object({ project_id: Id, answers: AnswersInput }), responsesExport),
  report: source('report', 'report.export', ReportInput, reportExport),
  visits: source('visits', 'visit.counts', VisitExportInput, visitsExport),
  datamap: source('datamap', 'report.datamap', z.object({ project_id: Id }), datamapExport),
}

/** The export of a name; a noun's list needs only its row in the lists table. */
export const exportOf = (name: ExportName): ExportSource => special[name] ?? listExport(nounNamed(name) as ExportedNoun)
