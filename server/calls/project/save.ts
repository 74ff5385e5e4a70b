import { storedFields } from '../../../contract/projectFields.ts'
import type { Status } from '../../../contract/status.ts'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { columnsIn } from '../../core/fieldColumns.ts'
import { seenProject } from '../../domain/project/detail.ts'
import { datesOf, orderOf, type SentFields } from '../../domain/project/edit.ts'
import { checkFamily, checkParent } from '../../domain/project/family.ts'
import { keepSurvey } from '../../domain/project/keepSurvey.ts'
import { checkDates, endWarnings } from '../../domain/project/projectDates.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { followLink } from '../../domain/survey/followLink.ts'
import { moveAndMail } from '../quote/quoteMail.ts'
import { touchProject } from './files.ts'
import { leaveClient } from './leaveClient.ts'

/** An edit in either spelling (decisions.md 1). */
interface ProjectEdit {
  sent: {
    id: number
    status?: Status | undefined
    reason: string
    force: boolean
    lock_version?: number | undefined
  }
  /** The fields that it sends, by their own names. */
  fields: (record: ProjectRecord) => SentFields
  /** What its call names the dates. */
  dates: { start: string; end: string }
  /** A family's order, which only the older spelling sends. */
  total?: number | undefined
  /** Throws for what is written beside the project and can't be. */
  check?: () => Promise<void>
  /** Writes what is beside the project; true if anything changed. */
  beside: (record: ProjectRecord, saved: ProjectRecord) => Promise<boolean>
  /** Writes what follows the survey that the project has now. */
  after?: () => Promise<void>
}

/** Saves an edit of a project of either generation, with its family's rules; warns of what was saved anyway. */
export async function saveProject(ctx: Ctx, edit: ProjectEdit): Promise<{ warnings?: string[] }> {
  const { id, status, reason, force, lock_version } = edit.sent
  const record = await seenProject(ctx, id)
  const { goal, start_dt, end_dt, ...fields } = edit.fields(record)
  const { client_id, parent_id, survey_url } = fields
  const dates = datesOf(record, edit.dates, { start: start_dt, end: end_dt })
  if (client_id && client_id !== record.client_id) await leaveClient(ctx, record, client_id)
  if (parent_id !== record.parent_id) await checkParent(ctx, id, parent_id)
  await checkFamily(
    ctx,
    { ...record, ...(client_id ? { client_id } : {}), ...(parent_id === undefined ? {} : { parent_id }) },
    record,
  )
  await checkDates(ctx, record, { ...dates, parent_id }, edit.dates.start)
  const patch = columnsIn('projects', storedFields, {
    ...fields,
    ...dates,
    goal: await orderOf(ctx, record, { goal, total: edit.total }),
  })
  await edit.check?.()
  const saved = await change(ctx, 'projects', {
    subject: 'project',
    id,
    patch,
    lock: lock_version,
    change: { noun: 'project', project_id: id },
  })
  if (await edit.beside(record, saved)) await touchProject(ctx, record, saved, lock_version)
  await keepSurvey(ctx, record, survey_url)
  await edit.after?.()
  const followed = await followLink(ctx, { project_id: id, from: record.survey_url, to: saved.survey_url })
  if (status && status !== saved.status) await moveAndMail(ctx, saved, { to: status, reason, force })
  const { warnings: endings = [] } = await endWarnings(ctx, record, saved)
  const warnings = [...followed, ...endings]
  return warnings.length ? { warnings } : {}
}
