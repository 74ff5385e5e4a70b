import type { Services } from '../../core/context.ts'
import { hashToken, randomToken } from '../../core/secrets.ts'
import { transact } from '../../db/connect.ts'

/*
 * What an assistant reviewed and may confirm, in the database because any process may get the second call.
 * Only hashes of the words are kept, each for one token, and for one command with its input (the digest).
 * `versions` are those of the records that the review read; the write itself compares them (server/http/reviewed.ts).
 */

/** How long (ms) a review can be confirmed, and how many of one token wait; of more, the oldest are dropped. */
export interface Waiting {
  within: number
  most: number
}

/** Stores a digest with the versions of what was reviewed for a token; returns the word that confirms it. */
export async function addConfirmation(
  services: Services,
  token_id: number,
  { digest, versions }: { digest: string; versions: string },
  { within, most }: Waiting,
): Promise<string> {
  const word = randomToken(24)
  const now = services.now().getTime()
  const expires_at = new Date(now + within).toISOString()
  await transact(services.database, async (tx) => {
    await tx.deleteFrom('confirmations').where('expires_at', '<=', new Date(now).toISOString()).execute()
    const waiting = await tx
      .selectFrom('confirmations')
      .select('key_hash')
      .where('token_id', '=', token_id)
      .orderBy('expires_at', 'desc')
      .offset(most - 1)
      .limit(most)
      .execute()
    const dropped = waiting.map(({ key_hash }) => key_hash)
    if (dropped.length) await tx.deleteFrom('confirmations').where('key_hash', 'in', dropped).execute()
    await tx
      .insertInto('confirmations')
      .values({ key_hash: hashToken(word), token_id, digest, versions, expires_at })
      .execute()
  })
  return word
}

/**
 * Uses a confirmation up. Returns its versions and when it would have expired (ISO), or what is wrong with it.
 * One that is for something else stays usable for what it is for.
 */
export async function takeConfirmation(
  services: Services,
  token_id: number,
  word: string,
  digest: string,
): Promise<{ versions: string; until: string } | 'unknown' | 'other'> {
  const key_hash = hashToken(word)
  return transact(services.database, async (tx) => {
    const found = await tx
      .selectFrom('confirmations')
      .select(['digest', 'versions', 'expires_at'])
      .where('key_hash', '=', key_hash)
      .where('token_id', '=', token_id)
      .where('expires_at', '>', services.now().toISOString())
      .executeTakeFirst()
    if (!found) return 'unknown'
    if (found.digest !== digest) return 'other'
    // Of two that send it at once, only one deletes the row.
    const { numDeletedRows } = await tx.deleteFrom('confirmations').where('key_hash', '=', key_hash).executeTakeFirstOrThrow()
    return Number(numDeletedRows) === 1 ? { versions: found.versions, until: found.expires_at } : 'unknown'
  })
}

/** Makes a used confirmation usable again, after a call that the server was too busy for. */
export async function returnConfirmation(
  services: Services,
  row: { token_id: number; word: string; digest: string; versions: string; until: string },
): Promise<void> {
  const { token_id, word, digest, versions, until } = row
  await transact(services.database, (tx) =>
    tx
      .insertInto('confirmations')
      .values({ key_hash: hashToken(word), token_id, digest, versions, expires_at: until })
      .execute(),
  )
}
