import type { Ctx, UserRow } from '../../core/context.ts'
import { hashToken, randomToken } from '../../core/secrets.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import { closeSecrets, type Ending, endedBy } from '../../domain/mail/mailSecrets.ts'

/** A link that opens an account: a password reset, or an invitation. */
export type TokenKind = 'reset' | 'invitation'

const COLUMNS = {
  reset: { hash: 'reset_hash', until: 'reset_expires_at' },
  invitation: { hash: 'invitation_hash', until: 'invitation_expires_at' },
} as const
/** Earlier links that stay valid beside the newest, so that strangers can't void the owner's by requesting more. */
const BESIDE = 2

/** The account a token opens, or null. Earlier tokens depend on the newest one's hash: clearing it voids them all. */
export async function accountByToken(db: Db | Tx, kind: TokenKind, token: string, now: string): Promise<UserRow | null> {
  const token_hash = hashToken(token)
  const { hash, until } = COLUMNS[kind]
  const there = () => db.selectFrom('users').selectAll('users').where('deleted_at', 'is', null)
  const newest = await there().where(hash, '=', token_hash).where(until, '>', now).executeTakeFirst()
  if (newest) return newest
  const earlier = await there()
    .innerJoin('account_tokens', 'account_tokens.user_id', 'users.id')
    .where('account_tokens.token_hash', '=', token_hash)
    .where('account_tokens.kind', '=', kind)
    .where('account_tokens.expires_at', '>', now)
    .where(`users.${hash}`, 'is not', null)
    .executeTakeFirst()
  return earlier ?? null
}

/** Locks a user's row until the commit, so that concurrent uses of one account's tokens run one after the other. */
export async function holdUser(ctx: Ctx, id: number): Promise<UserRow | undefined> {
  const query = ctx.tx.selectFrom('users').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  return locked(ctx.services.database, query).executeTakeFirst()
}

/** Creates a reset token for a locked user; the two before it stay valid until they expire. */
export async function newResetToken(ctx: Ctx, user: UserRow, token: string, until: string): Promise<void> {
  if (user.reset_hash && user.reset_expires_at && user.reset_expires_at > ctx.now)
    await keepBeside(ctx, user.id, 'reset', user.reset_hash, user.reset_expires_at)
  else await dropBeside(ctx.tx, user.id, 'reset')
  await ctx.tx
    .updateTable('users')
    .set({ reset_hash: hashToken(token), reset_expires_at: until })
    .where('id', '=', user.id)
    .execute()
}

/** Another link to an open invitation, with the same expiry; null if it has expired. Only administrators renew it. */
export async function anotherInvitation(ctx: Ctx, user: UserRow): Promise<{ token: string; until: string } | null> {
  const until = user.invitation_expires_at
  if (!user.invitation_hash || !until || until <= ctx.now) return null
  const token = randomToken(48)
  await keepBeside(ctx, user.id, 'invitation', hashToken(token), until)
  return { token, until }
}

/** Spends a token in the call's transaction; true only once, and it voids all other links of its kind. */
export async function spendToken(ctx: Ctx, user_id: number, kind: TokenKind, token: string): Promise<boolean> {
  await holdUser(ctx, user_id)
  const user = await accountByToken(ctx.tx, kind, token, ctx.now)
  if (user?.id !== user_id) return false
  await ctx.tx
    .updateTable('users')
    .set(kind === 'reset' ? { reset_hash: null, reset_expires_at: null } : { invitation_hash: null, invitation_expires_at: null })
    .where('id', '=', user_id)
    .execute()
  await dropBeside(ctx.tx, user_id, kind)
  return true
}

/** Voids the links that an event ends, and removes them from stored mails. */
export async function closeLinks(ctx: Ctx, user_id: number, ending: Ending): Promise<void> {
  const letters = endedBy(ending)
  for (const kind of ['reset', 'invitation'] as const) if (letters.includes(kind)) await dropBeside(ctx.tx, user_id, kind)
  if (await closeSecrets(ctx.tx, user_id, ending, ctx.now)) ctx.emit({ noun: 'outbox', id: 0, audience: 'admin' })
}

async function keepBeside(ctx: Ctx, user_id: number, kind: TokenKind, token_hash: string, expires_at: string): Promise<void> {
  await ctx.tx.insertInto('account_tokens').values({ user_id, kind, token_hash, created_at: ctx.now, expires_at }).execute()
  const newest = await ctx.tx
    .selectFrom('account_tokens')
    .select('id')
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(BESIDE)
    .execute()
  await ctx.tx
    .deleteFrom('account_tokens')
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('id', '<', newest.at(-1)!.id)
    .execute()
}

/** Deletes the links of a kind that work beside the newest. */
export const dropBeside = (tx: Tx, user_id: number, kind: TokenKind) =>
  tx.deleteFrom('account_tokens').where('user_id', '=', user_id).where('kind', '=', kind).execute()
