import type { visitCalls } from '../../contract/visit.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { visitCounts, visitGraph } from '../domain/visit/figures.ts'
import { visitPoints } from '../domain/visit/points.ts'
import { receiveVisits } from './visit/receive.ts'

export const visitHandlers: HandlersOf<typeof visitCalls> = {
  'visit.counts': async (ctx) => ({ data: await visitCounts(ctx, ctx.input) }),
  'visit.dailyGraph': async (ctx) => ({ data: await visitGraph(ctx, ctx.input) }),
  'visit.locations': (ctx) => visitPoints(ctx, ctx.input),
  'visit.ingest': ownTransaction({ noKey: 'a device counts once at a venue in a second' }, receiveVisits),
}
