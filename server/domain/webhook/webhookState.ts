import type { Ctx } from '../../core/context.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import type { WebhookRow } from './deliveryQueue.ts'
import { SECRET } from './signature.ts'

/** The columns of a webhook that an attempt writes. */
type Patch = Partial<Pick<WebhookRow, 'failing_since' | 'told_at' | 'last_delivered_at'>>

/** Stores the result of an attempt on its webhook; not an edit, so without a new version or history. */
export const noteWebhook = ({ tx }: Pick<Ctx, 'tx'>, id: number, patch: Patch) =>
  tx.updateTable('webhooks').set(patch).where('id', '=', id).execute()

/** Refreshes the open workspaces of administrators and the webhook's owner. */
export function emitWebhookChange(
  ctx: Pick<Ctx, 'emit'>,
  id: number,
  owner: number,
  noun: 'webhook' | 'delivery' = 'webhook',
): void {
  ctx.emit({ noun, id, audience: 'admin' })
  ctx.emit({ noun, id, audience: 'user', user_id: owner })
}

/** Disables an active webhook with a reason; false if it is no longer active. */
export async function disableWebhook(
  ctx: Ctx,
  { id, owner_id }: Pick<WebhookRow, 'id' | 'owner_id'>,
  reason: string,
): Promise<boolean> {
  const done = await ctx.tx
    .updateTable('webhooks')
    .set((eb) => ({ status: 'disabled', reason, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (!Number(done.numUpdatedRows)) return false
  await ctx.record({
    ...{ subject: 'webhook', subject_id: id, action: 'webhook.disable', reason },
    ...{ before: { status: 'active' }, after: { status: 'disabled' } },
  })
  emitWebhookChange(ctx, id, owner_id)
  return true
}

/** Reseals secrets with the installation's new key before the former one is gone, and drops expired ones. */
export async function renewSeals(ctx: Ctx): Promise<void> {
  const { secrets } = ctx.services
  const rows = await ctx.tx.selectFrom('webhooks').select(['id', 'secret', 'secret_before', 'secret_before_until']).execute()
  for (const { id, secret, secret_before, secret_before_until } of rows) {
    const over = secret_before_until !== null && secret_before_until <= ctx.now
    const sealed = (text: string | null) => {
      const read = text === null ? null : secrets.unseal(SECRET, text)
      return read && !read.current ? secrets.seal(SECRET, read.text) : text
    }
    const now = { secret: sealed(secret)!, secret_before: over ? null : sealed(secret_before) }
    if (now.secret === secret && now.secret_before === secret_before) continue
    await ctx.tx
      .updateTable('webhooks')
      .set(onlyColumns('webhooks', { ...now, ...(over ? { secret_before_until: null } : {}) }))
      .where('id', '=', id)
      .execute()
  }
}

/** The secrets that sign now, the new one first; empty if the installation's key was lost. */
export function signingSecrets({ secrets }: Ctx['services'], webhook: WebhookRow, now: string): string[] {
  const former = webhook.secret_before_until !== null && webhook.secret_before_until > now ? webhook.secret_before : null
  return [webhook.secret, former].flatMap((sealed) => (sealed === null ? [] : (secrets.unseal(SECRET, sealed)?.text ?? [])))
}
