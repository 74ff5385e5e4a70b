import type { z } from 'zod'
import type { visitCalls } from '../../contract/visit.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { visitPoints } from '../domain/visit/points.ts'
import { visitCounts, visitGraph } from '../domain/visit/visitFigures.ts'
import { startExport } from '../exports/start.ts'
import { exportLink } from '../jobs/exportLink.ts'
import { receiveVisits } from './visit/receive.ts'

/** Starts the export of the requested visits; its link returns 202 until the file is ready. */
async function exportVisits(ctx: Ctx<z.output<(typeof visitCalls)['visit.counts']['input']>>) {
  const { process: _, compare_before: __, ...filter } = ctx.input
  const job = await ctx.write((writing) => startExport(writing as Ctx, { source: 'visits', filter, format: filter.format }))
  return {
    job_id: job.id,
    report_download_link: exportLink(ctx, job),
    message: describeEffect(ctx, 'export.start', { words: ['the export', 'exports'] }),
  }
}

export const visitHandlers: HandlersOf<typeof visitCalls> = {
  'visit.counts': async (ctx) =>
    ctx.input.process === 'export' ? exportVisits(ctx) : { data: await visitCounts(ctx, ctx.input) },
  'visit.dailyGraph': async (ctx) => ({ data: await visitGraph(ctx, ctx.input) }),
  'visit.locations': (ctx) => visitPoints(ctx, ctx.input),
  'visit.ingest': ownTransaction({ noKey: 'a device counts once at a venue in a second' }, receiveVisits),
}
