import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { Services } from '../../server/core/context.ts'
import { hashToken, randomToken } from '../../server/core/secrets.ts'
import { transact } from '../../server/db/connect.ts'

/** The request for a call: path parameters filled in, the rest in a read's query or a write's body. */
export function requestOf(id: CallId, input: Record<string, unknown>): { method: string; url: string; body?: unknown } {
  const row = calls[id] as Call
  const rest = { ...input }
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value ?? 999_999_999))
  })
  if (row.method !== 'GET') return { method: row.method, url: path, body: rest }
  const query = new URLSearchParams(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return { method: 'GET', url: query ? `${path}?${query}` : path }
}

/** Opens a session without a password; returns its headers. `more` makes it expired, or an admin acting as a user. */
export async function signedIn(
  services: Services,
  user: { id: number; email: string },
  more: { admin_id?: number; expires_at?: string } = {},
): Promise<Record<string, string>> {
  const token = randomToken()
  const client = randomToken(9)
  const now = new Date()
  const expires = new Date(more.expires_at ?? now.getTime() + 14 * 86_400_000)
  await transact(services.database, (tx) =>
    tx
      .insertInto('sessions')
      .values({
        user_id: user.id,
        client,
        token_hash: hashToken(token),
        admin_id: more.admin_id ?? null,
        reason: more.admin_id ? 'To see what they see' : null,
        user_agent: 'test',
        created_at: now.toISOString(),
        last_seen_at: now.toISOString(),
        expires_at: expires.toISOString(),
      })
      .execute(),
  )
  return {
    'access-token': token,
    'token-type': 'Bearer',
    client,
    expiry: String(Math.floor(expires.getTime() / 1000)),
    uid: user.email,
  }
}
