import { sql } from 'kysely'
import { allowedActions, denialOf, refusedTo } from '../../contract/access.ts'
import { nameKey } from '../../contract/foldText.ts'
import { count as figure } from '../../contract/format.ts'
import { mayOpen } from '../../contract/screens.ts'
import { MOST_VIEWS, type Share, type View, type viewCalls } from '../../contract/view.ts'
import { quotedName } from '../../contract/writeEffects.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, forbidden, invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { full, limitOf } from '../core/quotas.ts'
import { byText } from '../db/foldedText.ts'
import { advisoryLock } from '../db/locked.ts'
import { viewsOf } from '../domain/view/scope.ts'
import { listSelection } from './view/selection.ts'

type Row = Awaited<ReturnType<ReturnType<typeof viewsOf>['executeTakeFirstOrThrow']>>

function shown(ctx: Ctx, { user_id, first_name, last_name, ...view }: Row): View {
  const mine = user_id === ctx.actor.id
  const { allowed_actions, refused_actions } = allowedActions('view', ctx.actor, { mine })
  return {
    ...view,
    mine,
    owner_id: user_id,
    owner_name: `${first_name} ${last_name}`.trim(),
    allowed_actions,
    refused_actions: refused_actions as Record<string, string>,
  }
}

async function viewOf(ctx: Ctx, id: number): Promise<View> {
  const row = await viewsOf(ctx).where('views.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('This view')
  return shown(ctx, row)
}

/** Throws if the user already has a view of this name on the screen; case is ignored. */
async function refuseTaken(ctx: Ctx, view: { user_id: number; screen: string; name: string; id?: number }): Promise<void> {
  let query = ctx.db
    .selectFrom('views')
    .select('id')
    .where('user_id', '=', view.user_id)
    .where('screen', '=', view.screen)
    .where('name_key', '=', nameKey(view.name))
  if (view.id !== undefined) query = query.where('id', '!=', view.id)
  if (await query.executeTakeFirst()) throw taken(view.name)
}

/** Throws if a user has as many views as allowed, on one screen (422) or in all (409). */
async function refuseMore(ctx: Ctx, user_id: number, screen: string): Promise<void> {
  await advisoryLock(ctx.services.database, ctx.tx, 'views', user_id)
  const { all, here } = await ctx.tx
    .selectFrom('views')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      sql<number>`sum(case when screen = ${screen} then 1 else 0 end)`.as('here'),
    ])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  if (Number(here) >= MOST_VIEWS) throw invalid('name', `You can keep ${MOST_VIEWS} views of one screen. Delete one first.`)
  const most = limitOf(ctx, 'views')
  if (Number(all) >= most) throw full(`You can keep ${figure(most)} saved views. Delete one first.`)
}

const taken = (name: string) => invalid('name', `You already have a view “${name}” of this screen.`)

/** Turns a name conflict with a concurrent write into the same error as any taken name. */
async function untaken<T>(ctx: Ctx, name: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw name !== undefined && ctx.services.database.isUnique(error) ? taken(name) : error
  }
}

function refuseShare(ctx: Ctx, shared: Share | undefined): void {
  if (shared === 'everyone') assertAllowed(refusedTo('view.shareWithEveryone', ctx.actor))
}

/** Emits the change to everybody who saw the view before or sees it now. */
async function emitView(
  ctx: Ctx,
  { id, user_id, screen }: { id: number; user_id: number; screen: string },
  shares: readonly Share[],
  kind: 'put' | 'drop' = 'put',
): Promise<void> {
  const event = { noun: 'view' as const, id, kind }
  ctx.emit({ ...event, audience: 'user', user_id })
  const owner = await ctx.db.selectFrom('users').select('role').where('id', '=', user_id).executeTakeFirstOrThrow()
  if (shares.includes('everyone')) return ctx.emit({ ...event, audience: mayOpen('client', screen) ? 'scope' : 'admin' })
  if (!shares.includes('colleagues')) return
  ctx.emit({ ...event, audience: 'admin' })
  if (owner.role === 'admin' || !mayOpen('client', screen)) return
  const clients = await ctx.db.selectFrom('user_clients').select('client_id').where('user_id', '=', user_id).execute()
  for (const { client_id } of clients) ctx.emit({ ...event, audience: 'scope', client_id })
}

const namedView = (name: string) => [`view ${quotedName(name)}`, 'views'] as const

export const viewHandlers: HandlersOf<typeof viewCalls> = {
  'view.list': async (ctx) => {
    let query = viewsOf(ctx)
    if (ctx.input.screen) query = query.where('views.screen', '=', ctx.input.screen)
    const rows = await query
      .orderBy('views.screen')
      .orderBy(byText(ctx.db, 'views.name'))
      .orderBy('views.id')
      .limit(2000)
      .execute()
    return { data: rows.map((row) => shown(ctx, row)), count: rows.length, page: 1 }
  },

  'view.create': async (ctx) => {
    const { screen, name, query, shared } = ctx.input
    const user_id = ctx.actor.id
    if (!mayOpen(ctx.actor.role, screen)) throw forbidden('Only administrators can open this.')
    refuseShare(ctx, shared)
    await refuseTaken(ctx, { user_id, screen, name })
    await refuseMore(ctx, user_id, screen)
    const row = { user_id, screen, name, name_key: nameKey(name), query, shared, created_at: ctx.now, updated_at: ctx.now }
    const { id } = await untaken(ctx, name, () =>
      ctx.tx.insertInto('views').values(row).returning('id').executeTakeFirstOrThrow(),
    )
    await ctx.record({ subject: 'view', subject_id: id, after: { screen, name, query, shared } })
    await emitView(ctx, { id, user_id, screen }, [shared])
    return { data: await viewOf(ctx, id), message: describeEffect(ctx, 'view.create', { words: namedView(name) }) }
  },

  'view.edit': async (ctx) => {
    const { id, lock_version, ...patch } = ctx.input
    const before = await viewOf(ctx, id)
    assertAllowed(denialOf('view.edit', ctx.actor, before))
    refuseShare(ctx, patch.shared === before.shared ? undefined : patch.shared)
    if (patch.name) await refuseTaken(ctx, { user_id: before.owner_id, screen: before.screen, name: patch.name, id })
    const after = await untaken(ctx, patch.name, () =>
      change(ctx, 'views', {
        subject: 'view',
        id,
        patch: { ...patch, ...(patch.name ? { name_key: nameKey(patch.name) } : {}) },
        lock: lock_version,
      }),
    )
    if (after.lock_version !== before.lock_version)
      await emitView(ctx, { id, user_id: before.owner_id, screen: before.screen }, [before.shared, after.shared])
    return {
      data: {
        ...before,
        name: after.name,
        query: after.query,
        shared: after.shared,
        lock_version: after.lock_version,
        updated_at: after.updated_at,
      },
      message: describeEffect(ctx, after.shared === before.shared ? 'view.edit' : `view.${after.shared}`, {
        words: namedView(after.name),
      }),
    }
  },

  'view.remove': async (ctx) => {
    const view = await viewOf(ctx, ctx.input.id)
    assertAllowed(denialOf('view.remove', ctx.actor, view))
    await ctx.tx.deleteFrom('views').where('id', '=', view.id).execute()
    const { screen, name, query, shared } = view
    await ctx.record({ subject: 'view', subject_id: view.id, before: { screen, name, query, shared } })
    await emitView(ctx, { id: view.id, user_id: view.owner_id, screen }, [view.shared], 'drop')
    return { data: view, message: describeEffect(ctx, 'view.remove', { words: namedView(name) }) }
  },

  'list.selection': (ctx) => listSelection(ctx, ctx.input),
}
