import type { z } from 'zod'
import { seesAll } from '../../contract/actor.ts'
import { endsAfterParent } from '../../contract/lateEnd.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { usDate } from '../../contract/olderFields.ts'
import { defaultEnd } from '../../contract/pacing.ts'
import type { projectChildCalls } from '../../contract/projectChild.ts'
import { projectFields } from '../../contract/projectFields.ts'
import { CHILD_FILES, PROVIDERS } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import type { Paged } from '../core/keyset.ts'
import { offsetOf } from '../core/listSearch.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { byText } from '../db/foldedText.ts'
import { locked } from '../db/locked.ts'
import { copyActivity } from '../domain/activity/copy.ts'
import { contentCounts } from '../domain/content/counts.ts'
import { seenProject } from '../domain/project/detail.ts'
import { partIds } from '../domain/project/family.ts'
import { newProject } from '../domain/project/newProject.ts'
import type { ProjectRecord } from '../domain/project/storedProject.ts'
import { extensionOf } from '../files/checkContent.ts'

type Input = z.output<(typeof projectChildCalls)['project.createChild']['input']>
type Child = { name: string; start_dt: string; end_dt: string; goal: number }

/** The parent project, locked until the commit; throws if it is a child itself. */
async function parentOf(ctx: Ctx, id: number): Promise<ProjectRecord> {
  // Held before it is read, as another write may move it to another client meanwhile.
  await locked(ctx.services.database, ctx.tx.selectFrom('projects').select('id').where('id', '=', id)).execute()
  const parent = await seenProject(ctx, id)
  if (parent.parent_id) throw invalid('project_id', MESSAGES.topLevelOnly)
  return parent
}

/** The project whose activities are copied: the parent or one of its children. */
async function copied(ctx: Ctx, parent: ProjectRecord, id: number | null | undefined) {
  if (!id) return []
  if (id !== parent.id && (await seenProject(ctx, id)).parent_id !== parent.id)
    throw invalid('copy', 'copy must be the parent or one of its children')
  return ctx.tx
    .selectFrom('activities')
    .selectAll()
    .where('project_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** The caller's unassigned uploads, checked for the file types a child accepts. */
async function uploads(ctx: Ctx, ids: readonly number[]) {
  if (!ids.length) return []
  const files = await ctx.tx
    .selectFrom('files')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('project_id', 'is', null)
    .where('uploaded_by', '=', ctx.actor.id)
    .orderBy('id')
    .execute()
  const missing = ids.filter((id) => !files.some((file) => file.id === id))
  if (missing.length) throw invalid('file_ids', `file_ids has a file you can’t attach: ${missing.join(', ')}`)
  const types: readonly string[] = CHILD_FILES
  if (files.some((file) => !types.includes(extensionOf(file.original_name))))
    throw invalid('file_ids', MESSAGES.fileType(types.join(', ')))
  return files
}

async function makeChild(ctx: Ctx, parent: ProjectRecord, child: Child, requirements: string): Promise<number> {
  const { name, start_dt, end_dt, goal } = child
  const { id } = await ctx.tx
    .insertInto('projects')
    .values(
      onlyColumns('projects', {
        ...newProject(ctx),
        generation: parent.generation,
        parent_id: parent.id,
        client_id: parent.client_id,
        campaign_type: parent.campaign_type,
        provider_id: parent.provider_id,
        name,
        description: '',
        requirements,
        ordered: goal,
        start_dt,
        end_dt,
        survey_url: '',
        created_at: ctx.now,
        updated_at: ctx.now,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const after = { name, parent_id: parent.id, start_dt, end_dt, ordered: goal, requirements }
  await ctx.record({ subject: 'project', subject_id: id, after })
  ctx.emit({ noun: 'project', id, project_id: id })
  return id
}

async function createChildren(ctx: Ctx<Input>) {
  const { project_id, requirements, copy, file_ids, siblings, name, start_dt, end_dt, goal } = ctx.input
  const parent = await parentOf(ctx, project_id)
  const children: Child[] = [{ name, start_dt, end_dt, goal }, ...siblings].map((child) => ({
    ...child,
    end_dt: child.end_dt || defaultEnd(child.start_dt, 'older'),
  }))
  for (const [at, child] of children.entries())
    if (parent.start_dt && child.start_dt < parent.start_dt)
      throw invalid(at ? `siblings.${at - 1}.start_dt` : 'start_dt', MESSAGES.startBeforeParent(usDate(parent.start_dt)))
  const [activities, files] = [await copied(ctx, parent, copy), await uploads(ctx, file_ids)]
  const ids: number[] = []
  for (const child of children) {
    const id = await makeChild(ctx, parent, child, requirements)
    for (const activity of activities) await copyActivity(ctx, activity, id, { start_dt: child.start_dt, end_dt: child.end_dt })
    // The first child gets the uploads; the others get rows with the same contents.
    for (const { id: file_id, ...file } of files)
      if (ids.length)
        await ctx.tx
          .insertInto('files')
          .values(onlyColumns('files', { ...file, project_id: id, created_at: ctx.now, updated_at: ctx.now }))
          .execute()
      else await ctx.tx.updateTable('files').set({ project_id: id, updated_at: ctx.now }).where('id', '=', file_id).execute()
    ids.push(id)
  }
  ctx.emit({ noun: 'project', id: parent.id, project_id: parent.id })
  const late = children.some((child) => parent.end_dt && child.end_dt > parent.end_dt)
  const warnings = [
    ...(late ? [endsAfterParent(usDate(parent.end_dt!))] : []),
    ...(children.some((child) => child.goal === 0) ? [MESSAGES.goalBeforeLive] : []),
  ]
  return {
    data: { child_project_id: ids[0]!, child_project_ids: ids },
    message: describeEffect(ctx, 'project.createChild', { noun: 'project', ...(ids.length === 1 ? {} : { count: ids.length }) }),
    ...(warnings.length ? { warnings } : {}),
  }
}

async function teamsOf(ctx: Ctx<Paged & { id: number }>) {
  const { id, page, per_page } = ctx.input
  await seenProject(ctx, id)
  const teams = await ctx.db
    .selectFrom('team_projects')
    .innerJoin('teams', 'teams.id', 'team_id')
    .select(['teams.id', 'teams.name'])
    .where('project_id', '=', id)
    .where('teams.deleted_at', 'is', null)
    .orderBy('teams.id')
    .execute()
  const data = await Promise.all(
    teams.map(async (team) => {
      const members = ctx.db
        .selectFrom('team_users')
        .innerJoin('users', 'users.id', 'user_id')
        .where('team_id', '=', team.id)
        .where('users.deleted_at', 'is', null)
      const users = await members
        .select(['users.id as user_id', 'first_name', 'last_name'])
        .orderBy(byText(ctx.db, 'last_name'))
        .orderBy(byText(ctx.db, 'first_name'))
        .orderBy('users.id')
        .limit(per_page)
        .offset(offsetOf(ctx.input))
        .execute()
      const { count } = await members.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
      return { ...team, users, users_count: Number(count) }
    }),
  )
  return { data, count: data.length, page }
}

/**
 * Counts what a project and its children contain, for its tabs; teams, notes and categories are its own.
 * The number of notes is for administrators only, who alone can read them.
 */
async function attributesOf(ctx: Ctx<{ id: number }>) {
  const project = await seenProject(ctx, ctx.input.id)
  const { db } = ctx
  const parts = await partIds(ctx, project.id)
  const numbered = async (query: { executeTakeFirstOrThrow(): Promise<{ count: string | number | bigint }> }) =>
    Number((await query.executeTakeFirstOrThrow()).count)
  const of = <T extends 'activities' | 'surveys'>(table: T) =>
    db
      .selectFrom(table as 'surveys')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('project_id', 'in', parts)
      .where('deleted_at', 'is', null)
  const [activities, surveys, questions, content, teams, notes, categories] = await Promise.all([
    numbered(of('activities')),
    numbered(of('surveys')),
    numbered(
      db
        .selectFrom('questions')
        .innerJoin('surveys', 'surveys.id', 'survey_id')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('surveys.project_id', 'in', parts)
        .where('surveys.deleted_at', 'is', null)
        .where('retired_at', 'is', null),
    ),
    contentCounts(ctx, project.id),
    numbered(
      db
        .selectFrom('team_projects')
        .innerJoin('teams', 'teams.id', 'team_id')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('project_id', '=', project.id)
        .where('teams.deleted_at', 'is', null),
    ),
    numbered(
      db
        .selectFrom('notes')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('project_id', '=', project.id),
    ),
    db
      .selectFrom('project_categories')
      .innerJoin('categories', 'categories.id', 'category_id')
      .select('categories.name')
      .where('project_id', '=', project.id)
      .orderBy(byText(db, 'categories.name'))
      .execute(),
  ])
  const line = (key: string, label: string, value: number | string | string[]) => ({ key, label, value })
  const data = [
    line('activities', 'Activities', activities),
    line('surveys', 'Surveys', surveys),
    line('questions', 'Questions', questions),
    line('photos', 'Photos', content.photos.all),
    line('videos', 'Videos', content.videos.all),
    line('comments', 'Comments', content.comments.all),
    line('teams', 'Teams', teams),
    ...(seesAll(ctx.actor) ? [line('notes', 'Notes', notes)] : []),
    line('type', 'Type', project.campaign_type),
    line(
      'categories',
      'Categories',
      categories.map(({ name }) => name),
    ),
    line('provider', projectFields.partner_id.label, PROVIDERS.find(({ value }) => value === project.provider_id)?.label ?? ''),
  ]
  return { data, count: data.length, page: 1 }
}

export const projectChildHandlers: HandlersOf<typeof projectChildCalls> = {
  'project.createChild': createChildren,
  'project.teams': teamsOf,
  'project.attributes': attributesOf,
}
