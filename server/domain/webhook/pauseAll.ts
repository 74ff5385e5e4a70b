import type { Ctx } from '../../core/context.ts'
import { emitWebhookChange } from './webhookState.ts'

/** Why somebody's webhooks were paused, on their screen. */
export const PAUSED_BY = {
  password: 'Its owner has a new password.',
  devices: 'Its owner signed out their other devices.',
} as const

/** Pauses a person's active webhooks with a reason; returns which. */
export async function pauseWebhooksOf(ctx: Ctx, owner_id: number, reason: string): Promise<{ id: number; name: string }[]> {
  const paused = await ctx.tx
    .updateTable('webhooks')
    .set((eb) => ({ status: 'paused', reason, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
    .where('owner_id', '=', owner_id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .returning(['id', 'name'])
    .execute()
  paused.sort((a, b) => a.id - b.id)
  await ctx.record(
    paused.map(({ id }) => ({
      ...{ subject: 'webhook', subject_id: id, action: 'webhook.pause', reason, actor_id: owner_id },
      ...{ before: { status: 'active' }, after: { status: 'paused' } },
    })),
  )
  for (const { id } of paused) emitWebhookChange(ctx, id, owner_id)
  return paused
}
