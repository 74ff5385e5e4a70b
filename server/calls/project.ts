import { denialOf } from '../../contract/access.ts'
import { defaultEnd } from '../../contract/pacing.ts'
import type { projectCalls } from '../../contract/project.ts'
import { storedFields } from '../../contract/projectFields.ts'
import { statusEffect, unchangedOf } from '../../contract/writeEffects.ts'
import { add, change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed } from '../core/errors.ts'
import { columnsIn } from '../core/fieldColumns.ts'
import type { HandlersOf } from '../core/handler.ts'
import { projectScope } from '../core/scope.ts'
import { byText } from '../db/foldedText.ts'
import { projectDetail, seenProject } from '../domain/project/detail.ts'
import { checkFamily, heldFamily } from '../domain/project/family.ts'
import { followersOf, followProject } from '../domain/project/followers.ts'
import { listProjects } from '../domain/project/list.ts'
import { newProject } from '../domain/project/newProject.ts'
import { checkDates, endWarnings } from '../domain/project/projectDates.ts'
import { administrator } from '../domain/project/projectOwner.ts'
import { projectFacts } from '../domain/project/projectRows.ts'
import { makeReward } from '../domain/project/request.ts'
import { withEffect } from '../domain/team/effect.ts'
import { refuseStaleParts, writeActivityParts } from './project/activityParts.ts'
import { cloneProject } from './project/clone.ts'
import { writeFiles } from './project/files.ts'
import { projectHistory } from './project/history.ts'
import { assertClient, removeTeams } from './project/leaveClient.ts'
import { removeProject, restoreProject } from './project/removal.ts'
import { saveProject } from './project/save.ts'
import { moveAndMail } from './quote/quoteMail.ts'

/** The response of every write on a project: its current state and a message. */
export async function updated<M extends string>(ctx: Ctx, id: number, message: M) {
  return { data: await projectDetail(ctx, id), message }
}

/** The generation that a list is limited to. */
const generationOf = ({ generation }: { generation: 'project' | 'campaign' | 'any' }) =>
  generation === 'any' ? {} : { generation }

export const projectHandlers: HandlersOf<typeof projectCalls> = {
  'project.list': (ctx) => listProjects(ctx, ctx.input, generationOf(ctx.input)),

  'project.ofClient': (ctx) => {
    return listProjects(ctx, ctx.input, { ...generationOf(ctx.input), ofClient: ctx.input.client_id })
  },

  'project.get': async (ctx) => ({ data: await projectDetail(ctx, ctx.input.id) }),

  'project.dropdown': async (ctx) => {
    const data = await ctx.db
      .selectFrom('projects')
      .select(['id', 'name'])
      .where(projectScope(ctx.actor))
      .where('generation', '=', 'project')
      .orderBy(byText(ctx.db, 'name'))
      .orderBy('id')
      .execute()
    return { data, count: data.length, page: 1 }
  },

  'project.create': async (ctx) => {
    const input = { ...ctx.input, end_dt: ctx.input.end_dt || defaultEnd(ctx.input.start_dt) }
    await assertClient(ctx, input.client_id)
    if (input.parent_id) await heldFamily(ctx, input.parent_id)
    await checkFamily(ctx, { ...input, generation: 'project' })
    await checkDates(ctx, null, input)
    const { provider_id, ...values } = columnsIn('projects', storedFields, input)
    const id = await add(ctx, 'projects', {
      subject: 'project',
      values,
      also: { provider_id, ...newProject(ctx), generation: 'project' },
    })
    await makeReward(
      ctx,
      { id, name: input.name },
      { partner_id: input.partner_id ?? null, reward_amount_cents: input.reward_amount_cents },
    )
    ctx.emit({ noun: 'project', id, project_id: id })
    return {
      ...(await updated(ctx, id, describeEffect(ctx, 'project.create', { noun: 'project' }))),
      ...(await endWarnings(ctx, null, { id, end_dt: input.end_dt, parent_id: input.parent_id ?? null })),
    }
  },

  'project.setOwner': async (ctx) => {
    const { id, owner_id } = ctx.input
    const owner = owner_id === null ? null : await administrator(ctx, owner_id)
    const { name } = await seenProject(ctx, id)
    await change(ctx, 'projects', { subject: 'project', id, patch: { owner_id }, change: { noun: 'project', project_id: id } })
    const rest = ` to ${owner ? `${owner.first_name} ${owner.last_name}` : 'nobody'}`
    return { message: describeEffect(ctx, 'project.setOwner', { name, rest }) }
  },

  'project.follow': async (ctx) => {
    const { id, follows } = ctx.input
    const { name, changed } = await followProject(ctx as Ctx, id, follows)
    const effect = follows ? 'project.follow' : 'project.unfollow'
    return { message: changed ? describeEffect(ctx, effect, { name }) : unchangedOf(effect) }
  },

  'project.followers': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const data = await followersOf(ctx, ctx.input.id)
    return { data, count: data.length, page: 1 }
  },

  'project.edit': async (ctx) => {
    const { id, activity, target, project_docsigns_attributes, campaign_contents_attributes } = ctx.input
    const warnings = await saveProject(ctx as Ctx, {
      sent: ctx.input,
      fields: () => ctx.input,
      dates: { start: 'start_dt', end: 'end_dt' },
      check: () => refuseStaleParts(ctx as Ctx, activity, target),
      beside: async () => {
        const signed = await writeFiles(ctx, id, 'project_docsigns_attributes', project_docsigns_attributes)
        const contents = await writeFiles(ctx, id, 'campaign_contents_attributes', campaign_contents_attributes)
        const parts = await writeActivityParts(ctx, id, activity, target)
        return signed || contents || parts
      },
    })
    return { ...(await updated(ctx, id, describeEffect(ctx, 'project.edit', { noun: 'project' }))), ...warnings }
  },

  'project.setStatus': async (ctx) => {
    const { id, status, reason, force, lock_version } = ctx.input
    const record = await seenProject(ctx, id)
    await moveAndMail(ctx, record, { to: status, reason, force, lock: lock_version })
    return updated(ctx, id, describeEffect(ctx, statusEffect(status), { name: record.name }))
  },

  'project.goLive': async (ctx) => {
    const record = await seenProject(ctx, ctx.input.id)
    await moveAndMail(ctx, record, { to: 'active', reason: '' })
    return updated(ctx, record.id, describeEffect(ctx, 'project.goLive', { name: record.name }))
  },

  'project.remove': async (ctx) => {
    const { name } = await removeProject(ctx, await seenProject(ctx, ctx.input.id))
    return { message: describeEffect(ctx, 'project.remove', { name }) }
  },

  'project.restore': async (ctx) => {
    const { id, name } = await restoreProject(ctx, ctx.input.id)
    return updated(ctx, id, describeEffect(ctx, 'project.restore', { name }))
  },

  'project.clone': async (ctx) => {
    await heldFamily(ctx, ctx.input.id)
    const record = await seenProject(ctx, ctx.input.id)
    return {
      data: { project_id: await cloneProject(ctx, record) },
      message: describeEffect(ctx, 'project.clone', { noun: 'project' }),
    }
  },

  'project.removeTeam': async (ctx) => {
    const record = await seenProject(ctx, ctx.input.project_id)
    assertAllowed(denialOf('project.removeTeam', ctx.actor, await projectFacts(ctx, record)))
    const touched = { client_id: record.client_id, projects: [record.id] }
    const { effect } = await withEffect(ctx, touched, () => removeTeams(ctx, record.id))
    ctx.emit({ noun: 'project', id: record.id, project_id: record.id })
    return { message: describeEffect(ctx, 'project.removeTeam', { noun: 'team' }), effect }
  },

  'project.history': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    return projectHistory(ctx, ctx.input)
  },
}
