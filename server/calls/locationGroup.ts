import type { locationGroupCalls } from '../../contract/locationGroup.ts'
import type { Ctx } from '../core/context.ts'
import type { HandlersOf } from '../core/handler.ts'
import { availableGroups, groupsOfActivity, linkActivityGroups, unlinkActivityGroups } from '../domain/place/activityGroups.ts'
import { groupDetail, groupList, nameOfGroup } from '../domain/place/groupList.ts'
import {
  addLocations,
  copyGroup,
  createGroup,
  editGroup,
  mergeGroups,
  moveLocations,
  removeGroups,
  removeLocations,
} from '../domain/place/groups.ts'
import { locationPage } from '../domain/place/list.ts'
import { historyPage } from '../domain/recordHistory.ts'

/** Location groups, and where activities are fielded. */
export const locationGroupHandlers: HandlersOf<typeof locationGroupCalls> = {
  'group.list': (ctx) => groupList.page(ctx, ctx.input),
  'group.get': async (ctx) => ({ data: await groupDetail(ctx as Ctx, ctx.input.id) }),
  async 'group.history'(ctx) {
    const { id } = ctx.input
    await nameOfGroup(ctx as Ctx, id)
    return historyPage(ctx as Ctx, 'group', ctx.input)
  },
  async 'group.locations'(ctx) {
    const { id, ...filter } = ctx.input
    await nameOfGroup(ctx as Ctx, id)
    const { data, count, page } = await locationPage(ctx as Ctx, { ...filter, group_id: id })
    return { data: { locations: data }, count, page }
  },
  async 'group.searchLocations'(ctx) {
    const { location_group_id, ...filter } = ctx.input
    await nameOfGroup(ctx as Ctx, location_group_id)
    return locationPage(ctx as Ctx, { ...filter, group_id: location_group_id })
  },
  'group.create': createGroup,
  'group.edit': editGroup,
  'group.remove': removeGroups,
  'group.addLocations': addLocations,
  'group.removeLocations': removeLocations,
  'group.moveLocations': moveLocations,
  'group.merge': mergeGroups,
  'group.copy': copyGroup,
  'activity.groups': groupsOfActivity,
  'activity.availableGroups': availableGroups,
  'activity.linkGroups': linkActivityGroups,
  'activity.unlinkGroup': unlinkActivityGroups,
}
