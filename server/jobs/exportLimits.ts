import { count as figure } from '../../contract/format.ts'
import { countedUntil } from '../core/clockSkew.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { ago, DAY_MS, limitOf, tooOften } from '../core/quotas.ts'
import { locked } from '../db/locked.ts'

/** Throws 409 if the user has as many queued or running exports as allowed (OPEN_EXPORTS). */
export async function refuseTooMany(ctx: Ctx, person: number): Promise<void> {
  const most = ctx.services.settings.openExports
  // Locks the user, so that two concurrent requests can't both use the last place.
  await locked(ctx.services.database, ctx.tx.selectFrom('users').select('id').where('id', '=', person)).execute()
  const { open } = await ctx.tx
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('created_by', '=', person)
    .where('kind', '=', 'export')
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  if (Number(open) >= most)
    throw new HttpError(
      409,
      'too_many_exports',
      `${most === 1 ? 'One export is' : `${most} exports are`} still waiting or running. Wait for one to end, or cancel one under Jobs.`,
    )
}

/** Throws 429 after a user's daily exports, each kept for a week. Call it after refuseTooMany, which locks. */
export async function refuseTooOften(ctx: Ctx): Promise<void> {
  const most = limitOf(ctx, 'exports_day')
  const { count, first } = await ctx.tx
    .selectFrom('jobs')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('first')])
    .where('created_by', '=', ctx.actor.id)
    .where('kind', '=', 'export')
    .where('created_at', '>', ago(ctx, DAY_MS))
    .where('created_at', '<=', countedUntil(ctx))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw tooOften(`You can start ${figure(most)} exports a day.`, Date.parse(first ?? ctx.now) + DAY_MS - Date.parse(ctx.now))
}
