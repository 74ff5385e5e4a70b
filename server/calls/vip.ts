import type { vipCalls } from '../../contract/vip.ts'
import type { HandlersOf } from '../core/handler.ts'
import { crud } from '../domain/crud.ts'
import { seenProject } from '../domain/project/detail.ts'
import { liveVip, vipList } from '../domain/vip/list.ts'

const vips = crud('vip', {
  table: 'vip_experiences',
  list: vipList,
  get: liveVip,
  event: ({ project_id }) => ({ project_id: Number(project_id), audience: 'admin' }),
  async check(ctx, { project_id }, was) {
    if (!was) await seenProject(ctx, Number(project_id))
  },
})

export const vipHandlers: HandlersOf<typeof vipCalls> = {
  ...vips,
  async 'vip.list'(ctx) {
    await seenProject(ctx, ctx.input.id)
    return vipList.page(ctx, ctx.input)
  },
  async 'vip.searchInProject'(ctx) {
    await seenProject(ctx, ctx.input.id)
    return vipList.page(ctx, { ...ctx.input, awarded: false })
  },
  'vip.search': (ctx) => vipList.page(ctx, { ...ctx.input, awarded: false }),
}
