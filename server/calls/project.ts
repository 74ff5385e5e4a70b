import { denialOf } from '../../contract/access.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { defaultEnd } from '../../contract/pacing.ts'
import type { projectCalls } from '../../contract/project.ts'
import { STEP } from '../../contract/status.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { assertAllowed, invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { projectScope } from '../core/scope.ts'
import { byText } from '../db/foldedText.ts'
import { projectDetail, seenProject } from '../domain/project/detail.ts'
import { datesOf, expectedOf, orderOf } from '../domain/project/edit.ts'
import { checkFamily, checkParent, heldFamily } from '../domain/project/family.ts'
import { keepSurvey } from '../domain/project/keepSurvey.ts'
import { listProjects } from '../domain/project/list.ts'
import { checkDates, endWarnings } from '../domain/project/projectDates.ts'
import { administrator, ownerOf } from '../domain/project/projectOwner.ts'
import { projectFacts } from '../domain/project/projectRows.ts'
import { makeReward } from '../domain/project/request.ts'
import { moveProject } from '../domain/project/status.ts'
import { followLink } from '../domain/survey/followLink.ts'
import { withEffect } from '../domain/team/effect.ts'
import { refuseStaleParts, writeActivityParts } from './project/activityParts.ts'
import { cloneProject } from './project/clone.ts'
import { touchProject, writeFiles } from './project/files.ts'
import { projectHistory } from './project/history.ts'
import { removeProject, restoreProject } from './project/removal.ts'
import { moveAndMail } from './quote/quoteMail.ts'

/** The response of every write on a project: its current state and a message. */
export async function updated(ctx: Ctx, id: number, message: string) {
  return { data: await projectDetail(ctx, id), message }
}

/** Throws a 422 unless the client exists and isn't deleted. */
export async function assertClient(ctx: Ctx, id: number): Promise<void> {
  const client = await ctx.db
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!client) throw invalid('client_id', `client_id is not a client: ${id}`)
}

/** Removes a project's teams; the calling write emits the change. */
export async function removeTeams(ctx: Ctx, project_id: number): Promise<number> {
  const teams = await ctx.tx.selectFrom('team_projects').select('team_id').where('project_id', '=', project_id).execute()
  if (!teams.length) return 0
  await ctx.tx.deleteFrom('team_projects').where('project_id', '=', project_id).execute()
  await ctx.record({
    subject: 'project',
    subject_id: project_id,
    before: { teams: teams.map((team) => team.team_id) },
    after: { teams: [] },
  })
  ctx.emit({ noun: 'team', id: teams[0]!.team_id, project_id })
  return teams.length
}

/**
 * Prepares a project for another client, and moves its children there (decisions.md 9 and 14).
 * Each loses its links to teams; deleted children move, too, so that none comes back to a split family.
 */
export async function leaveClient(ctx: Ctx, project: { id: number }, to: number): Promise<void> {
  await assertClient(ctx, to)
  for (const part of await heldFamily(ctx, project.id)) {
    await removeTeams(ctx, part.id)
    await ctx.tx
      .insertInto('former_clients')
      .values({ project_id: part.id, client_id: part.client_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (part.id === project.id || part.client_id === to) continue
    await ctx.tx
      .updateTable('projects')
      .set({ client_id: to, updated_at: ctx.now, lock_version: part.lock_version + 1 })
      .where('id', '=', part.id)
      .execute()
    await ctx.record({
      subject: 'project',
      subject_id: part.id,
      before: { client_id: part.client_id },
      after: { client_id: to },
    })
    ctx.emit({ noun: 'project', id: part.id, project_id: part.id })
  }
}

export const projectHandlers: HandlersOf<typeof projectCalls> = {
  'project.listAll': (ctx) => listProjects(ctx, ctx.input, { generation: 'project' }),

  'project.list': (ctx) =>
    listProjects(ctx, ctx.input, { generation: ctx.input.generation === 'any' ? undefined : ctx.input.generation }),

  'project.ofClient': (ctx) => {
    const { generation, client_id } = ctx.input
    return listProjects(ctx, ctx.input, { generation: generation === 'any' ? undefined : generation, ofClient: client_id })
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
    const { goal, partner_id, status: _, loi_minutes, incidence, reward_amount_cents, ...values } = ctx.input
    const expected = expectedOf({ loi_minutes, incidence })
    const input = { ...values, ...expected, end_dt: values.end_dt || defaultEnd(values.start_dt) }
    await assertClient(ctx, input.client_id)
    if (input.parent_id) await heldFamily(ctx, input.parent_id)
    await checkFamily(ctx, { ...input, generation: 'project' })
    await checkDates(ctx, null, input)
    const { id } = await ctx.tx
      .insertInto('projects')
      .values({
        ...input,
        generation: 'project',
        ordered: goal,
        provider_id: partner_id,
        status: 'requirements',
        cost_cents: null,
        quote_valid_until: null,
        requested_by: ctx.actor.id,
        owner_id: ownerOf(ctx.actor),
        went_live_at: null,
        deleted_at: null,
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.record({ subject: 'project', subject_id: id, after: { ...input, ordered: goal } })
    if (reward_amount_cents) await makeReward(ctx, { id, name: input.name }, reward_amount_cents)
    ctx.emit({ noun: 'project', id, project_id: id })
    return {
      ...(await updated(ctx, id, 'Project created')),
      ...(await endWarnings(ctx, null, { id, end_dt: input.end_dt, parent_id: input.parent_id ?? null })),
    }
  },

  'project.setOwner': async (ctx) => {
    const { id, owner_id } = ctx.input
    const owner = owner_id === null ? null : await administrator(ctx, owner_id)
    await seenProject(ctx, id)
    await change(ctx, 'projects', { subject: 'project', id, patch: { owner_id }, change: { noun: 'project', project_id: id } })
    return { message: owner ? `Assigned to ${owner.first_name} ${owner.last_name}.` : 'Assigned to nobody.' }
  },

  'project.edit': async (ctx) => {
    const {
      id,
      goal,
      partner_id,
      status,
      reason,
      force,
      lock_version,
      start_dt,
      end_dt,
      project_docsigns_attributes,
      campaign_contents_attributes,
      activity,
      target,
      loi_minutes,
      incidence,
      ...input
    } = ctx.input
    const record = await seenProject(ctx, id)
    const dates = datesOf(record, { start: 'start_dt', end: 'end_dt' }, { start: start_dt, end: end_dt })
    if (input.client_id && input.client_id !== record.client_id) {
      await leaveClient(ctx, record, input.client_id)
    }
    if (input.parent_id !== record.parent_id) await checkParent(ctx, id, input.parent_id)
    await checkFamily(ctx, { ...record, ...input }, record)
    await checkDates(ctx, record, { ...dates, parent_id: input.parent_id })
    const patch = {
      ...input,
      ...dates,
      ...expectedOf({ loi_minutes, incidence }),
      ordered: await orderOf(ctx, record, { goal }),
      ...(partner_id === undefined ? {} : { provider_id: partner_id }),
    }
    await refuseStaleParts(ctx as Ctx, activity, target)
    const saved = await change(ctx, 'projects', {
      subject: 'project',
      id,
      patch,
      lock: lock_version,
      change: { noun: 'project', project_id: id },
    })
    const signed = await writeFiles(ctx, id, 'project_docsigns_attributes', project_docsigns_attributes)
    const contents = await writeFiles(ctx, id, 'campaign_contents_attributes', campaign_contents_attributes)
    const parts = await writeActivityParts(ctx, id, activity, target)
    if (signed || contents || parts) await touchProject(ctx, record, saved, lock_version)
    await keepSurvey(ctx, record, input.survey_url)
    const followed = await followLink(ctx, { project_id: id, from: record.survey_url, to: saved.survey_url })
    if (status && status !== saved.status) await moveAndMail(ctx, saved, { to: status, reason, force })
    const { warnings: endings = [] } = await endWarnings(ctx, record, saved)
    const warnings = [...followed, ...endings]
    return { ...(await updated(ctx, id, 'Project updated')), ...(warnings.length ? { warnings } : {}) }
  },

  'project.setStatus': async (ctx) => {
    const { id, status, reason, force, lock_version } = ctx.input
    await moveAndMail(ctx, await seenProject(ctx, id), { to: status, reason, force, lock: lock_version })
    return updated(ctx, id, `The project is ${STEP[status]} now`)
  },

  'project.goLive': async (ctx) => {
    const record = await seenProject(ctx, ctx.input.id)
    await moveProject(ctx, record, { to: 'active', reason: '' })
    return updated(ctx, record.id, MESSAGES.goLiveBody)
  },

  'project.remove': async (ctx) => {
    const { name } = await removeProject(ctx, await seenProject(ctx, ctx.input.id))
    return { message: `“${name}” was deleted` }
  },

  'project.restore': async (ctx) => {
    const { id, name } = await restoreProject(ctx, ctx.input.id)
    return updated(ctx, id, ctx.dry ? `“${name}” comes back as it was.` : `“${name}” was restored`)
  },

  'project.clone': async (ctx) => {
    await heldFamily(ctx, ctx.input.id)
    const record = await seenProject(ctx, ctx.input.id)
    return { data: { project_id: await cloneProject(ctx, record) }, message: 'Project cloned' }
  },

  'project.removeTeam': async (ctx) => {
    const record = await seenProject(ctx, ctx.input.project_id)
    assertAllowed(denialOf('project.removeTeam', ctx.actor, await projectFacts(ctx, record)))
    const touched = { client_id: record.client_id, projects: [record.id] }
    const { effect } = await withEffect(ctx, touched, () => removeTeams(ctx, record.id))
    ctx.emit({ noun: 'project', id: record.id, project_id: record.id })
    return { message: 'Team removed', effect }
  },

  'project.history': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    return projectHistory(ctx, ctx.input)
  },
}
