import type { vipCalls } from '../../contract/vip.ts'
import { change } from '../core/change.ts'
import type { HandlersOf } from '../core/handler.ts'
import { seenProject } from '../domain/project/detail.ts'
import { liveVip, refuseTakenVip, vipList } from '../domain/vip/list.ts'

const eventOf = (project_id: number) => ({ noun: 'vip', project_id, audience: 'admin' }) as const

export const vipHandlers: HandlersOf<typeof vipCalls> = {
  async 'vip.list'(ctx) {
    await seenProject(ctx, ctx.input.id)
    return vipList.page(ctx, ctx.input)
  },
  async 'vip.searchInProject'(ctx) {
    await seenProject(ctx, ctx.input.id)
    return vipList.page(ctx, { ...ctx.input, awarded: false })
  },
  'vip.search': (ctx) => vipList.page(ctx, { ...ctx.input, awarded: false }),
  'vip.get': async (ctx) => ({ data: await liveVip(ctx, ctx.input.id) }),
  async 'vip.create'(ctx) {
    const { project_id, name } = ctx.input
    await seenProject(ctx, project_id)
    await refuseTakenVip(ctx, { project_id, name })
    const { id } = await ctx.tx
      .insertInto('vip_experiences')
      .values({ project_id, name, created_at: ctx.now, updated_at: ctx.now, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.record({ subject: 'vip', subject_id: id, project_id, after: { name } })
    ctx.emit({ ...eventOf(project_id), id })
    return { data: await liveVip(ctx, id), message: 'VIP experience created.' }
  },
  async 'vip.edit'(ctx) {
    const { id, name, lock_version: lock } = ctx.input
    const { project_id, name: was } = await liveVip(ctx, id)
    if (name !== was) await refuseTakenVip(ctx, { project_id, name, id })
    await change(ctx, 'vip_experiences', {
      subject: 'vip',
      id,
      patch: { name },
      lock,
      line: { project_id },
      change: eventOf(project_id),
    })
    return { data: await liveVip(ctx, id), message: 'VIP experience updated.' }
  },
  async 'vip.remove'(ctx) {
    const { id } = ctx.input
    const { name, project_id } = await liveVip(ctx, id)
    await change(ctx, 'vip_experiences', {
      subject: 'vip',
      id,
      patch: { deleted_at: ctx.now },
      line: { project_id },
      change: { ...eventOf(project_id), kind: 'drop' },
    })
    return { message: `${name} was deleted.` }
  },
}
