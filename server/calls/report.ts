import { allowedActions } from '../../contract/access.ts'
import { foldedWords, hasWords, nameKey } from '../../contract/foldText.ts'
import type { ReportColumn, ReportTemplate, reportCalls, TemplateColumn } from '../../contract/report.ts'
import { NOTHING_CHANGED } from '../../contract/writeEffects.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { byText } from '../db/foldedText.ts'

import { advisoryLock, locked } from '../db/locked.ts'
import { seenProject } from '../domain/project/detail.ts'
import { partIds } from '../domain/project/family.ts'
import { type Column, columnRead, readReport } from '../domain/report/readReport.ts'
import { COMPLETES, countRows, type Sample, sampleOf, valueContext } from '../domain/report/rows.ts'
import { saveColumns } from '../domain/report/save.ts'
import { startExport } from '../exports/start.ts'
import { exportLink, linkedExport, linkedFile } from '../jobs/exportLink.ts'
import { sendFile } from './file/sendFile.ts'

const reportOf = async (ctx: Ctx, project_id: number) => readReport(ctx.db, project_id, await partIds(ctx, project_id))
type Report = Awaited<ReturnType<typeof reportOf>>
const sampled = async (ctx: Ctx, report: Report) =>
  sampleOf(ctx.db, report, await valueContext(ctx.db, report, ctx.services.settings.timeZone))

const onWire = (report: Report, sample: Sample, column: Column): ReportColumn => ({
  ...columnRead(report, column),
  examples: sample.examples(column),
  misfits: sample.misfits(column),
})

/** The project of a survey the caller sees; throws 404. */
async function projectOf(
  ctx: Ctx,
  { project_id, survey_id }: { project_id?: number | undefined; survey_id?: number | undefined },
) {
  if (!project_id && !survey_id) throw invalid('project_id', 'project_id or survey_id is required')
  const survey = survey_id
    ? await ctx.db
        .selectFrom('surveys')
        .select('project_id')
        .where('id', '=', survey_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (survey_id && (!survey || (project_id && survey.project_id !== project_id))) throw notFound(`Survey ${survey_id}`)
  return seenProject(ctx, project_id ?? survey!.project_id)
}

const templates = (ctx: Ctx) =>
  ctx.db
    .selectFrom('report_templates')
    .leftJoin('clients', 'clients.id', 'client_id')
    .selectAll('report_templates')
    .select('clients.name as client_name')
type Template = Awaited<ReturnType<ReturnType<typeof templates>['execute']>>[number]
const templateRead = (ctx: Ctx, row: Template): ReportTemplate => ({
  id: row.id,
  name: row.name,
  client_id: row.client_id,
  client_name: row.client_name ?? '',
  columns: JSON.parse(row.columns) as TemplateColumn[],
  created_at: row.created_at,
  lock_version: row.lock_version,
  ...allowedActions('report', ctx.actor),
})

const TEMPLATE = ['template', 'templates'] as const

/** Seconds to wait before polling for a file that is still being written. */
const RETRY_AFTER = 2

/** The immediate response of a report's export: its job, and the link to its file. */
async function startedExport(ctx: Ctx, effect: 'report.export' | 'report.datamap', job: JobRow) {
  return {
    job_id: job.id,
    report_download_link: exportLink(ctx, job),
    title: job.title,
    message: describeEffect(ctx, effect, {
      words: effect === 'report.export' ? ['the report', 'reports'] : ['the data map', 'data maps'],
    }),
  }
}

export const reportHandlers: HandlersOf<typeof reportCalls> = {
  'report.questions': async (ctx) => {
    const { survey_id, page, per_page, search, only } = ctx.input
    const project = await projectOf(ctx, ctx.input)
    const report = await reportOf(ctx, project.id)
    const [sample, rows, client] = await Promise.all([
      sampled(ctx, report),
      countRows(ctx.db, report.surveys, COMPLETES),
      ctx.db.selectFrom('clients').select('name').where('id', '=', project.client_id).executeTakeFirst(),
    ])
    const included = report.columns.filter(({ should_include }) => should_include === 1)
    const sought = foldedWords(search)
    const found = report.columns
      .map((column) => ({ column, read: columnRead(report, column) }))
      .filter(({ column }) => !survey_id || column.survey_id === null || column.survey_id === survey_id)
      .filter(({ column }) => only === 'all' || column.should_include === 1)
      .filter(({ read }) => {
        return hasWords(`${read.column_name} ${read.column_key} ${read.question_def}`, sought)
      })
    return {
      data: found.slice((page - 1) * per_page, page * per_page).map(({ column }) => onWire(report, sample, column)),
      count: found.length,
      page,
      project_id: project.id,
      project_name: project.name,
      client_id: project.client_id,
      client_name: client?.name ?? '',
      saved: report.saved,
      columns: report.columns.length,
      included: included.length,
      rows,
      bytes: sample.bytes(included, rows),
      has_survey: report.surveys.length > 0,
      missing: report.missing.map(({ id, name }) => ({ question_id: id, question_def: name })),
    }
  },

  'report.templates': async (ctx) => {
    const { client_id } = ctx.input
    let query = templates(ctx)
    if (client_id) query = query.where((eb) => eb.or([eb('client_id', 'is', null), eb('client_id', '=', client_id)]))
    const rows = await query.orderBy(byText(ctx.db, 'report_templates.name')).orderBy('report_templates.id').execute()
    return { data: rows.map((row) => templateRead(ctx, row)), count: rows.length, page: 1 }
  },

  'report.save': async (ctx) => {
    const { project_id, questions } = ctx.input
    await seenProject(ctx, project_id)
    const { database } = ctx.services
    // Two concurrent first saves would both add all columns.
    await advisoryLock(database, ctx.tx, 'reports', project_id)
    await locked(database, ctx.tx.selectFrom('report_columns').select('id').where('project_id', '=', project_id)).execute()
    const { changed, ignored } = await saveColumns(ctx, await reportOf(ctx, project_id), questions)
    const after = await reportOf(ctx, project_id)
    const sample = await sampled(ctx, after)
    const saved = changed.length
    return {
      data: after.columns.filter(({ column_key }) => changed.includes(column_key)).map((column) => onWire(after, sample, column)),
      saved,
      message: saved ? describeEffect(ctx, 'report.save', { count: saved, words: ['column', 'columns'] }) : NOTHING_CHANGED,
      ...(ignored.length ? { ignored } : {}),
    }
  },

  'report.createTemplate': async (ctx) => {
    const { project_id, name, client_id = null } = ctx.input
    await seenProject(ctx, project_id)
    if (client_id) {
      const client = await ctx.db
        .selectFrom('clients')
        .select('id')
        .where('id', '=', client_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!client) throw invalid('client_id', 'client_id is not a client')
    }
    await advisoryLock(ctx.services.database, ctx.tx, 'reports', 0)
    const taken = await templates(ctx).where('report_templates.name', 'is not', null).execute()
    if (taken.some((one) => nameKey(one.name) === nameKey(name) && (one.client_id === client_id || one.client_id === null)))
      throw invalid('name', `A template called “${name}” already exists.`)
    const report = await reportOf(ctx, project_id)
    const columns = report.columns.map((column): TemplateColumn => {
      const read = columnRead(report, column)
      return {
        column_key: column.question_id === null ? column.column_key : '',
        question_def: column.question_id === null ? '' : read.question_def,
        column_name: column.column_name,
        column_type: column.column_type ?? '',
        column_custom_definition: column.column_custom_definition,
        should_include: column.should_include,
      }
    })
    const { id } = await ctx.tx
      .insertInto('report_templates')
      .values({ name, client_id, columns: JSON.stringify(columns), created_at: ctx.now, updated_at: ctx.now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.record({ subject: 'report', subject_id: id, after: { template: name, columns: columns.length } })
    ctx.emit({ noun: 'report', id, audience: 'admin' })
    const row = await templates(ctx).where('report_templates.id', '=', id).executeTakeFirstOrThrow()
    return { data: templateRead(ctx, row), message: describeEffect(ctx, 'report.createTemplate', { words: TEMPLATE }) }
  },

  'report.removeTemplate': async (ctx) => {
    const { id } = ctx.input
    const row = await locked(
      ctx.services.database,
      ctx.tx.selectFrom('report_templates').selectAll().where('id', '=', id),
      'remove',
    ).executeTakeFirst()
    if (!row) throw notFound('This template')
    await ctx.tx.deleteFrom('report_templates').where('id', '=', id).execute()
    await ctx.record({ subject: 'report', subject_id: id, before: { template: row.name } })
    ctx.emit({ noun: 'report', id, audience: 'admin', kind: 'drop' })
    return { message: describeEffect(ctx, 'report.removeTemplate', { words: TEMPLATE }) }
  },

  'report.datamap': async (ctx) => {
    const { project_id, format } = ctx.input
    return startedExport(ctx, 'report.datamap', await startExport(ctx, { source: 'datamap', filter: { project_id }, format }))
  },
  'report.export': async (ctx) => {
    const { format, ...filter } = ctx.input
    return startedExport(ctx, 'report.export', await startExport(ctx, { source: 'report', filter, format }))
  },

  'report.download': async (ctx) => {
    const { job, user } = await linkedExport(ctx)
    if (job.status === 'queued' || job.status === 'running') {
      const message = 'The file is being written.'
      const { id: job_id, status, done, total } = job
      return ctx.reply.code(202).header('retry-after', String(RETRY_AFTER)).send({ message, job_id, status, done, total })
    }
    const { file_id } = JSON.parse(job.result) as { file_id?: number }
    if (job.status !== 'done' || !file_id) throw new HttpError(409, 'not_now', job.error || `The export was ${job.status}.`)
    await sendFile(ctx, await linkedFile(ctx, file_id, user))
    return undefined
  },
}
