import type { visitStateCalls } from '../../contract/visitState.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import type { HandlersOf } from '../core/handler.ts'
import { visitState } from '../domain/visit/storageState.ts'
import { startedJob } from './job.ts'

export const visitStateHandlers: HandlersOf<typeof visitStateCalls> = {
  'visit.state': async (ctx) => ({ data: await visitState(ctx.services.database, ctx.today) }),
  async 'visit.rebuild'(ctx) {
    const job = await ctx.services.jobs.add(ctx as Ctx, { kind: 'visit rebuild', title: 'Count visits again', input: {} })
    await ctx.record({ subject: 'job', subject_id: job.id, after: { rebuild: 'visits' } })
    return {
      data: await startedJob(ctx as Ctx, job),
      message: describeEffect(ctx, 'visit.rebuild', { words: ['visits', 'visits'] }),
    }
  },
}
