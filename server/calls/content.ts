import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import type { contentCalls } from '../../contract/content.ts'
import { turned, ZIP_PART } from '../../contract/contentWords.ts'
import { stale } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, HttpError } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { locked } from '../db/locked.ts'
import type { UserActivityTable } from '../db/schema.ts'
import { activityOf } from '../domain/content/activity.ts'
import { actorsOf, contentCounts } from '../domain/content/counts.ts'
import { contentList } from '../domain/content/list.ts'
import { respondentPage, respondentsCounted } from '../domain/content/respondents.ts'
import { seenProject } from '../domain/project/detail.ts'
import { refuseTooMany, refuseTooOften } from '../jobs/exportLimits.ts'
import { importContent } from './content/import.ts'
import { wired } from './job.ts'

type Review = Pick<UserActivityTable, 'review' | 'review_reason'>
type Older = z.output<(typeof contentCalls)['content.listOlder']['input']>

const VERBS = { open: 'content.restore', accepted: 'content.accept', rejected: 'content.reject' } as const
const PILLS = { open: 'New', accepted: 'Accepted', rejected: 'Rejected' } as const

/** Writes a review of locked items, one statement for each value, with a history line and an event for each item. */
async function write(ctx: Ctx, rows: readonly (Review & { id: number; project_id: number; lock_version: number })[], to: Review) {
  const reviewed =
    to.review === 'open' ? { reviewed_by: null, reviewed_at: null } : { reviewed_by: ctx.actor.id, reviewed_at: ctx.now }
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500)
    await ctx.tx
      .updateTable('user_activities')
      .set((eb) =>
        onlyColumns('user_activities', { ...to, ...reviewed, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }),
      )
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute()
  }
  await ctx.record(
    rows.map(({ id, project_id, review, review_reason }) => ({
      subject: 'content',
      subject_id: id,
      project_id,
      before: { review, review_reason },
      after: to,
      reason: to.review_reason,
    })),
  )
  for (const { id, project_id } of rows) ctx.emit({ noun: 'content', id, project_id })
}

/** Items by id, locked in the order of their ids. */
const held = (ctx: Ctx, ids: readonly number[]) =>
  locked(ctx.services.database, ctx.tx.selectFrom('user_activities').selectAll().where('id', 'in', ids).orderBy('id')).execute()

/** The 409 for an item that somebody else has reviewed meanwhile, with both reviews. */
function reviewedMeanwhile(row: Review & { id: number; lock_version: number; updated_at: string }, to: Review): HttpError {
  const pill = ({ review, review_reason }: Review) => `${PILLS[review]}${review_reason && ` (${review_reason})`}`
  const clash = stale('content', row, to)
  clash.message = `Someone else set it to ${pill(row)} in the meantime; yours is ${pill(to)}.`
  return clash
}

async function reviewOne(ctx: Ctx<z.output<(typeof contentCalls)['content.review']['input']>>) {
  const { id, review, reason, review_reason: again = '', lock_version } = ctx.input
  await contentList.row(ctx as Ctx, id)
  const [row] = await held(ctx as Ctx, [id])
  const to: Review = { review, review_reason: review === 'rejected' ? reason || again : '' }
  const same = row!.review === review && row!.review_reason === to.review_reason
  if (!same) {
    if (lock_version !== undefined && lock_version !== row!.lock_version) throw reviewedMeanwhile(row!, to)
    // A rejection may get another reason.
    if (row!.review !== review) assertAllowed(denialOf(VERBS[review], ctx.actor, { ...row!, filed: false, picture: false }))
    await write(ctx as Ctx, [row!], to)
  }
  return {
    data: await contentList.get(ctx as Ctx, id),
    message: describeEffect(ctx as Ctx, VERBS[review], { words: ['the item', 'items'] }),
  }
}

async function reviewMany(ctx: Ctx<z.output<(typeof contentCalls)['content.reviewMany']['input']>>) {
  const { ids, review, reason } = ctx.input
  const to: Review = { review, review_reason: review === 'rejected' ? reason : '' }
  const ready = []
  const refused: { id: number; reason: string }[] = []
  for (let at = 0; at < ids.length; at += 500) {
    const some = ids.slice(at, at + 500)
    const seen = new Set((await contentList.rows(ctx as Ctx, some)).map((row) => row.id))
    const found = new Map((await held(ctx as Ctx, some)).map((row) => [row.id, row]))
    for (const id of some) {
      const row = seen.has(id) ? found.get(id) : undefined
      const denial = row ? denialOf(VERBS[review], ctx.actor, { ...row, filed: false, picture: false }) : 'it was not found'
      if (row && !denial) ready.push(row)
      else refused.push({ id, reason: denial ?? '' })
    }
  }
  await write(ctx as Ctx, ready, to)
  const facts = { count: ready.length, noun: 'content', left: refused.length, leftWords: 'skipped' } as const
  return { data: { done: ready.map(({ id }) => id), refused }, message: describeEffect(ctx as Ctx, VERBS[review], facts) }
}

async function rotate(ctx: Ctx<z.output<(typeof contentCalls)['content.rotate']['input']>>) {
  const { ids, by } = ctx.input
  const done: number[] = []
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await contentList.rows(ctx as Ctx, ids.slice(at, at + 500))
    for (const row of rows.filter(({ mime }) => mime?.startsWith('image/'))) {
      const rotation = turned(row.rotation ?? 0, by)
      await ctx.tx
        .updateTable('files')
        .set((eb) => ({ rotation, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
        .where('id', '=', row.file_id!)
        .execute()
      await ctx.record({
        subject: 'file',
        subject_id: row.file_id!,
        project_id: row.project_id,
        before: { rotation: row.rotation },
        after: { rotation, original_name: row.original_name },
      })
      ctx.emit({ noun: 'file', id: row.file_id!, project_id: row.project_id })
      done.push(row.id)
    }
  }
  if (ids.length && !done.length) throw new HttpError(409, 'not_now', 'Only photos can be rotated.')
  return {
    data: { done },
    message: describeEffect(ctx as Ctx, 'content.rotate', { count: done.length, words: ['photo', 'photos'] }),
  }
}

async function older(ctx: Ctx<Older>) {
  const { activity_id, search, page, per_page, updated_since } = ctx.input
  const activity = await activityOf(ctx as Ctx, activity_id)
  if (activity.activity_type === 'survey') {
    const filter = { id: activity_id, search, outcome: 'all' as const, page, per_page, updated_since }
    const { rows, count } = await respondentPage(ctx as Ctx, filter)
    const unsaid = { person: '', email: '', action: 'survey' as const, url: '', comment: '', review: '' }
    return { data: { count, user_activities: rows.map(({ person, outcome, at }) => ({ ...unsaid, id: person, outcome, at })) } }
  }
  const found = await contentList.page(ctx as Ctx, { ...ctx.input, section: 'all', column: '', order: 'asc' })
  const user_activities = found.data.map(({ id, person, email, action, at, url, comment, review, file }) => ({
    id,
    person,
    email,
    action,
    at,
    url: file?.url || url,
    comment,
    review,
    outcome: '',
  }))
  return { data: { count: found.count, user_activities } }
}

async function download(ctx: Ctx<z.output<(typeof contentCalls)['content.download']['input']>>) {
  const { id, ids, ...filter } = ctx.input
  const project = await seenProject(ctx as Ctx, id)
  await refuseTooMany(ctx as Ctx, ctx.actor.id)
  await refuseTooOften(ctx as Ctx)
  const wanted = { ...filter, project_id: id, column: '' as const, order: 'asc' as const }
  const found = await contentList.ids(ctx as Ctx, wanted, ...(ids ? [{ among: ids }] : []))
  if (!found.length) throw new HttpError(409, 'not_now', 'Nothing matches, so there is nothing to download.')
  // The batches are cut here, so that each is a job that can be retried on its own.
  const parts: number[][] = [[]]
  let size = 0
  for (let at = 0; at < found.length; at += 1000) {
    for (const row of await contentList.rows(ctx as Ctx, found.slice(at, at + 1000))) {
      const next = Number(row.size ?? 0)
      if (size + next > ZIP_PART) {
        parts.push([])
        size = 0
      }
      parts.at(-1)!.push(row.id)
      size += next
    }
  }
  const data = []
  for (const [at, part] of parts.entries()) {
    const of = parts.length > 1 ? ` (${at + 1} of ${parts.length})` : ''
    const job = await ctx.services.jobs.add(ctx as Ctx, {
      kind: 'content',
      title: `Content of ${project.name}${of}`,
      input: { project_id: id, ids: part, part: at + 1, parts: parts.length },
      project_id: id,
    })
    data.push(await wired(ctx as Ctx, { ...job, first_name: ctx.user.first_name, last_name: ctx.user.last_name }))
  }
  await ctx.record({ subject: 'job', subject_id: data[0]!.id, project_id: id, after: { export: 'content', rows: found.length } })
  const also = parts.length > 1 ? [`They are more than 2 GB, so they come in ${parts.length} files.`] : []
  const message = describeEffect(ctx as Ctx, 'content.download', { count: found.length, noun: 'content', also })
  return { data, message }
}

export const contentHandlers: HandlersOf<typeof contentCalls> = {
  'content.list': async (ctx) => {
    const { project_id, activity_id } = ctx.input
    if (project_id !== undefined) await seenProject(ctx, project_id)
    if (activity_id !== undefined) await activityOf(ctx, activity_id)
    return contentList.page(ctx, ctx.input)
  },
  'content.get': async (ctx) => ({ data: await contentList.get(ctx, ctx.input.id) }),
  'content.place': async (ctx) => {
    const { id, ...filter } = ctx.input
    await contentList.row(ctx as Ctx, id)
    const index = (await contentList.ids(ctx as Ctx, filter)).indexOf(id)
    return { data: { id, index: index < 0 ? null : index } }
  },
  'content.summary': async (ctx) => {
    const { id } = await seenProject(ctx, ctx.input.id)
    const { count } = await ctx.db
      .selectFrom('files')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', id)
      .where('kind', '=', 'asset')
      .executeTakeFirstOrThrow()
    return { data: { ...(await contentCounts(ctx, id)), assets: Number(count) } }
  },
  'content.actors': async (ctx) => {
    const { id, name, project_id, project_name, activity_type } = await activityOf(ctx, ctx.input.id)
    const activity = { id, name, project_id, project_name, activity_type }
    if (activity_type !== 'survey') return { data: { ...activity, ...(await actorsOf(ctx, id)) } }
    const people = await respondentsCounted(ctx, id)
    return { data: { ...activity, people, actions: people } }
  },
  'content.respondents': async (ctx) => {
    const { id, page } = ctx.input
    await activityOf(ctx, id)
    const { rows, count } = await respondentPage(ctx as Ctx, ctx.input)
    return { data: rows, count, page }
  },
  'content.listOlder': older,
  'content.comments': async (ctx) => {
    const { id, ...filter } = ctx.input
    await seenProject(ctx, id)
    const { data, count, page } = await contentList.page(ctx, {
      ...filter,
      project_id: id,
      section: 'comments',
      action: 'all',
      column: '',
      order: 'asc',
    })
    const pick = data.map(({ id, comment, person, activity_id, activity, at, review, review_reason }) => ({
      id,
      comment,
      person,
      activity_id,
      activity,
      at,
      review,
      review_reason,
    }))
    return { data: pick, count, page }
  },
  'content.review': reviewOne,
  'content.reviewMany': reviewMany,
  'content.rotate': rotate,
  'content.download': download,
  'content.import': ownTransaction({ noKey: 'an item counts once, by its external_id' }, importContent),
}
