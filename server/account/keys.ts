import type { Ctx } from '../context.ts'
import { notFound } from '../refusal.ts'
import { hashToken, randomToken } from '../secrets.ts'
import { fullName } from '../user/records.ts'

/** The importers' keys, newest first; a key itself is kept as its hash alone. */
export async function listKeys(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.created_by')
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.created_by',
      'api_keys.created_at',
      'api_keys.last_used_at',
      'api_keys.revoked_at',
      'users.first_name',
      'users.last_name',
      'users.email',
    ])
    .orderBy('api_keys.id', 'desc')
    .execute()
  const data = rows.map(({ first_name, last_name, email, ...row }) => ({
    ...row,
    created_by_name: fullName({ first_name, last_name, email }),
  }))
  return { data, count: data.length, page: 1 }
}

/** Makes a key and answers it this once (decisions.md 10). */
export async function createKey(ctx: Ctx<{ name: string }>) {
  const key = `fwk_${randomToken(32)}`
  const { id } = await ctx.tx
    .insertInto('api_keys')
    .values({
      name: ctx.input.name,
      key_hash: hashToken(key),
      created_by: ctx.actor.id,
      created_at: ctx.now,
      last_used_at: null,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.record({ subject: 'key', subject_id: id, after: { name: ctx.input.name } })
  ctx.emit({ noun: 'key', id, audience: 'admin' })
  const data = {
    id,
    name: ctx.input.name,
    created_by: ctx.actor.id,
    created_by_name: fullName(ctx.user),
    created_at: ctx.now,
    last_used_at: null,
    revoked_at: null,
    key,
  }
  return { data, message: 'The key is shown this once: copy it now.' }
}

/** Revokes a key; doing it twice changes nothing. */
export async function revokeKey(ctx: Ctx<{ id: number }>) {
  const row = await ctx.tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'revoked_at'])
    .where('id', '=', ctx.input.id)
    .executeTakeFirst()
  if (!row) throw notFound('This key')
  if (!row.revoked_at) {
    await ctx.tx.updateTable('api_keys').set({ revoked_at: ctx.now }).where('id', '=', row.id).execute()
    await ctx.record({ subject: 'key', subject_id: row.id, before: { revoked_at: null }, after: { revoked_at: ctx.now } })
    ctx.emit({ noun: 'key', id: row.id, audience: 'admin' })
  }
  return { message: `The key “${row.name}” opens nothing any more.` }
}

/** Revokes every key that somebody made: who is deleted, is no administrator any more, or whose password another administrator had to replace. */
export async function revokeKeysOf(ctx: Ctx, userId: number): Promise<void> {
  const revoked = await ctx.tx
    .updateTable('api_keys')
    .set({ revoked_at: ctx.now })
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of revoked) {
    await ctx.record({ subject: 'key', subject_id: id, before: { revoked_at: null }, after: { revoked_at: ctx.now } })
    ctx.emit({ noun: 'key', id, audience: 'admin' })
  }
}
