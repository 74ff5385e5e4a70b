import { showTime } from '../../contract/format.ts'
import { deviceOf } from '../../contract/userAgent.ts'
import type { Ctx, UserRow } from '../core/context.ts'
import { addressOf } from '../core/rateLimit.ts'
import { fullName, userRow } from '../domain/user/records.ts'
import { type AccountEvent, type AccountEventId, accountEvent, links } from './letters.ts'
import { sendLetter } from './sendLetter.ts'

type Owner = Pick<UserRow, 'id' | 'email' | 'first_name'>

/** When and from where a call was made, and who made it, for a letter to the owner of the account that it changes. */
export async function deedOf(ctx: Ctx, owner: Pick<UserRow, 'id'>): Promise<Pick<AccountEvent, 'when' | 'from' | 'by'>> {
  const { settings } = ctx.services
  const { actor, user, token } = ctx.caller
  const another = actor && actor.id !== owner.id ? user : null
  const behind = actor?.admin_id ? await userRow(ctx.tx, { id: actor.admin_id }) : null
  const by = behind ?? another
  const name = by ? `${fullName(by)} (${by.email})` : null
  return {
    when: showTime(Date.parse(ctx.now), 'full', settings.timeZone),
    from: [ctx.request && addressOf(ctx.request), ctx.request && deviceOf(ctx.request.headers['user-agent'] ?? '')]
      .filter(Boolean)
      .join(', '),
    by: token ? `token “${token.name}”${name ? ` of ${name}` : ''}` : name,
  }
}

/** The `about` of a letter to an account's owner; those about new addresses are counted. */
export const aboutEvent = (event: AccountEventId, id: number): string =>
  `${event === 'new address' ? 'email change' : 'security'} user:${id}`

/** Queues a letter that tells an account's owner what happened to it, in the transaction that does it. */
export async function tellOwner(
  ctx: Ctx,
  owner: Owner,
  event: AccountEventId,
  facts: Omit<AccountEvent, 'when' | 'from' | 'by'> = {},
): Promise<void> {
  const deed = await deedOf(ctx, owner)
  // Their current password may be somebody else's.
  const link = links[event.startsWith('password') ? 'forgotPassword' : 'ownPassword'](ctx.services.settings.publicUrl)
  await sendLetter(ctx, { to: owner.email, about: aboutEvent(event, owner.id), account: owner.id }, (organization) =>
    accountEvent(organization, { first_name: owner.first_name, event, facts: { ...facts, ...deed }, link }),
  )
}
