import type { Ctx, JobRow } from '../core/context.ts'
import { refuseTooMany, refuseTooOften } from '../jobs/exportLimits.ts'
import type { ExportInput } from './export.ts'
import { exportOf } from './exports.ts'

/** Starts an export as a job of the caller; throws for a wrong filter, a missing right, or too many exports. */
export async function startExport(ctx: Ctx, { source, filter, columns, format }: ExportInput): Promise<JobRow> {
  await refuseTooMany(ctx, ctx.actor.id)
  await refuseTooOften(ctx)
  // Opening it here turns a wrong filter or missing access into an error now instead of a failed job later.
  const { title, count } = await exportOf(source).open(ctx, filter, columns)
  const input = { source, filter, columns, format }
  const job = await ctx.services.jobs.add(ctx, { kind: 'export', title: `Export: ${title}`, input })
  await ctx.record({ subject: 'job', subject_id: job.id, after: { export: source, rows: count } })
  return job
}
