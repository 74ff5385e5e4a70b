import { sql } from 'kysely'
import type { deskCalls } from '../../contract/desk.ts'
import { DESK_RULES } from '../../contract/deskRules.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { dayAfter, dayStart } from '../domain/content/days.ts'
import { rulesOf } from '../domain/desk/lines.ts'
import { deskList } from '../domain/desk/list.ts'
import { markLines } from '../domain/desk/marks.ts'
import { administrator } from '../domain/project/projectOwner.ts'

const OPEN = { search: '', column: '', order: 'asc', state: 'open', whose: 'mine', rule: '' } as const

/** Records that the caller settled something on today. */
async function settledToday(ctx: Ctx): Promise<number> {
  const calls = [...new Set(rulesOf(ctx.actor).flatMap((id) => DESK_RULES[id].settledBy as readonly string[]))]
  const since = dayStart(ctx.today, ctx.services.settings.timeZone)
  const { rows } = await sql<{ number: number }>`select count(*) as number from (select distinct subject, subject_id from history
    where actor_id = ${ctx.actor.id} and at >= ${since} and action in (${sql.join(calls)})) settled`.execute(ctx.db)
  return Number(rows[0]!.number)
}

/** When the desk changes without a write: the next snooze that ends, or the next day. */
async function nextChange(ctx: Ctx): Promise<string> {
  const { wakes_at } = await ctx.db
    .selectFrom('desk_marks')
    .select((eb) => eb.fn.min('snoozed_until').as('wakes_at'))
    .where('snoozed_until', '>', ctx.now)
    .executeTakeFirstOrThrow()
  const tomorrow = dayStart(dayAfter(ctx.today), ctx.services.settings.timeZone)
  return wakes_at && wakes_at < tomorrow ? wakes_at : tomorrow
}

const linesOf = ({ data }: { data: { changed: number } }) => ({ count: data.changed, words: ['line', 'lines'] }) as const

export const deskHandlers: HandlersOf<typeof deskCalls> = {
  'desk.list': (ctx) => deskList.page(ctx, ctx.input),
  'desk.count': async (ctx) => {
    const [open, settled_today, changes_at] = await Promise.all([deskList.count(ctx, OPEN), settledToday(ctx), nextChange(ctx)])
    return { data: { open, settled_today, changes_at } }
  },
  'desk.acknowledge': async (ctx) => {
    const marked = await markLines(ctx, ctx.input.ids, ({ cause }) => ({
      acknowledged_by: ctx.actor.id,
      acknowledged_at: ctx.now,
      acknowledged_cause: cause,
    }))
    return { ...marked, message: describeEffect(ctx, 'desk.acknowledge', linesOf(marked)) }
  },
  'desk.snooze': async (ctx) => {
    const { ids, until } = ctx.input
    if (until && until <= ctx.now) throw invalid('until', 'until must be in the future')
    const marked = await markLines(ctx, ids, ({ cause }) => ({
      snoozed_by: ctx.actor.id,
      snoozed_until: until ?? null,
      snoozed_cause: until ? null : cause,
    }))
    return { ...marked, message: describeEffect(ctx, 'desk.snooze', linesOf(marked)) }
  },
  'desk.reopen': async (ctx) => {
    const marked = await markLines(ctx, ctx.input.ids, () => ({
      acknowledged_by: null,
      acknowledged_at: null,
      acknowledged_cause: null,
      snoozed_by: null,
      snoozed_until: null,
      snoozed_cause: null,
    }))
    return { ...marked, message: describeEffect(ctx, 'desk.reopen', linesOf(marked)) }
  },
  'desk.handOver': async (ctx) => {
    const { ids, owner_id } = ctx.input
    const owner = await administrator(ctx, owner_id)
    const marked = await markLines(ctx, ids, () => ({ owner_id }))
    return {
      ...marked,
      message: describeEffect(ctx, 'desk.handOver', { ...linesOf(marked), rest: ` to ${owner.first_name} ${owner.last_name}` }),
    }
  },
}
