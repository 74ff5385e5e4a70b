import { sql } from 'kysely'
import { seesAll } from '../../contract/actor.ts'
import { count as shown } from '../../contract/format.ts'
import type { workspaceCalls } from '../../contract/workspace.ts'
import type { Ctx } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { full, limitOf } from '../core/quotas.ts'
import { randomToken } from '../core/secrets.ts'
import { advisoryLock } from '../db/locked.ts'
import { streamLive } from '../live/stream.ts'
import { indexChanges } from '../search-index/indexChanges.ts'
import { sendIndex } from '../search-index/sendIndex.ts'

/** Beyond this many changes, a fresh index is cheaper. */
const FAR_BEHIND = 2000
const MB = 1_048_576

/** The link this caller already has for the same layout, or undefined. */
async function sharedBefore(ctx: Ctx, layout: string): Promise<string | undefined> {
  const mine = ctx.tx.selectFrom('snapshots').select('id').where('created_by', '=', ctx.actor.id)
  return (await mine.where('layout', '=', layout).orderBy('id').limit(1).executeTakeFirst())?.id
}

/** Throws 409 if the caller has shared as many layouts as allowed, because shared links never expire. */
async function refuseMoreLayouts(ctx: Ctx, layout: string): Promise<void> {
  const [most, megabytes] = [limitOf(ctx, 'layouts'), limitOf(ctx, 'layouts_mb')]
  const { count, size } = await ctx.tx
    .selectFrom('snapshots')
    .select((eb) => [eb.fn.countAll<number>().as('count'), sql<number>`sum(length(layout))`.as('size')])
    .where('created_by', '=', ctx.actor.id)
    .executeTakeFirstOrThrow()
  const over =
    Number(count) >= most
      ? `${shown(most)} workspaces`
      : Number(size ?? 0) + layout.length > megabytes * MB && `${shown(megabytes)} MB of workspaces`
  if (over)
    throw full(`You can share ${over}, and they are kept for good. Use a link you made before, or ask for a higher limit.`)
}

export const workspaceHandlers: HandlersOf<typeof workspaceCalls> = {
  'palette.index': async (ctx) => {
    const { since } = ctx.input
    // Read before the index: a change during the read then comes again with the next call, instead of being lost.
    const cursor = await ctx.services.live.last()
    if (since !== undefined && since <= cursor) {
      const events = await ctx.services.live.since(since, FAR_BEHIND)
      // A new role or membership changes everything a user sees, so only a fresh index is right.
      const moves = events.some(
        (event) =>
          (event.noun === 'user' && event.subject_id === ctx.actor.id) ||
          (!seesAll(ctx.actor) && (event.noun === 'team' || (event.noun === 'client' && event.kind !== 'put'))),
      )
      const whole = !events.length || events[0]!.id === since + 1 || (await ctx.services.live.reaches(since))
      if (events.length < FAR_BEHIND && whole && !moves)
        return { cursor: events.at(-1)?.id ?? cursor, full: false, ...(await indexChanges(ctx, events)) }
    }
    await sendIndex(ctx, cursor)
    // Already sent, row by row.
    return undefined as never
  },

  'live.stream': (ctx) => streamLive(ctx),

  'snapshot.create': async (ctx) => {
    const { layout } = ctx.input
    await advisoryLock(ctx.services.database, ctx.tx, 'layouts', ctx.actor.id)
    const before = await sharedBefore(ctx, layout)
    const id = before ?? randomToken(9)
    if (!before) {
      await refuseMoreLayouts(ctx, layout)
      await ctx.tx.insertInto('snapshots').values({ id, layout, created_by: ctx.actor.id, created_at: ctx.now }).execute()
    }
    return { data: { id, path: `/w/${id}` } }
  },

  'snapshot.get': async (ctx) => {
    const row = await ctx.db
      .selectFrom('snapshots')
      .select(['id', 'layout', 'created_at'])
      .where('id', '=', ctx.input.id)
      .executeTakeFirst()
    if (!row) throw notFound('This workspace')
    return { data: row }
  },

  'usage.record': async (ctx) => {
    const counted = ctx.services.settings.analytics
    // Logs the screen and the role but never the user, because it measures how the product is used.
    if (counted) ctx.services.log.info({ screen: ctx.input.screen, role: ctx.actor.role }, 'usage')
    return { counted }
  },
}
