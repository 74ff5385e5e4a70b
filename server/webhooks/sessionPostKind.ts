import type { Selectable } from 'kysely'
import { SKEW_MS } from '../core/clockSkew.ts'
import type { JobKind, Queue, WorkEnd } from '../core/context.ts'
import { WorkRefused } from '../core/errors.ts'
import type { Schema } from '../db/schema.ts'
import { anyPost } from '../domain/fieldSession/endSession.ts'
import { linkOf, partnerSecrets } from '../domain/fieldSession/entryLinks.ts'
import { signatureFor } from '../domain/fieldSession/signing.ts'
import { reachOf } from '../domain/webhook/receiverAddress.ts'
import { checkResponse, NoAnswer, post } from './sendMessage.ts'

type PostRow = Selectable<Schema['session_posts']>

/** The lease (ms) of a claimed post: longer than a try can take. */
const LEASE = 45_000
/** The pauses before each retry, as those of webhooks. */
const PAUSES = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000].map((seconds) => seconds * 1000)
const responses = new WeakMap<object, number | null>()

const POSTS: Queue<PostRow> = {
  table: 'session_posts',
  running: 'sending',
  many: true,
  kindOf: () => 'session post',
  describe: (row) => ({ title: `Outcome of ${row.rid}`, input: row, by: null }),
  claimed: (_worker, now) => ({ not_before: new Date(now.getTime() + LEASE).toISOString() }),
  holder: ({ not_before }) => ({ not_before }),
  lost: (now) => ({
    column: 'not_before',
    below: now.toISOString(),
    above: new Date(now.getTime() + LEASE + SKEW_MS).toISOString(),
  }),
  ended,
  emitChange: () => {},
}

function ended(row: PostRow, end: WorkEnd, at: string): Partial<PostRow> {
  const response_status = responses.get(row) ?? null
  if (end.status === 'queued')
    return { response_status, status: 'queued', error: end.error ?? '', not_before: end.not_before ?? at }
  if (end.status === 'failed') return { response_status, status: 'failed', error: end.error.slice(0, 500), ended_at: at }
  const { skipped } = end.result as { skipped?: string }
  return { response_status, status: skipped ? 'skipped' : 'delivered', error: skipped ?? '', ended_at: at }
}

/** Posts outcomes to partners' servers, as webhooks are: public addresses alone, with the same retries. */
export const sessionPostKind: JobKind = {
  queue: POSTS as unknown as Queue,
  width: 8,
  pauses: PAUSES,
  follows: ({ database }) => anyPost(database.db),
  async run({ input, services, signal }) {
    const row = input as PostRow
    const link = await linkOf(services.database.db, row.link_id)
    if (!link?.s2s_url) return { skipped: 'The link has no server address any more.' }
    const t = Math.floor(services.now().getTime() / 1000)
    const [secret] = partnerSecrets(services, link, services.now().toISOString())
    try {
      if (!secret) throw new NoAnswer('Its secret can’t be read, as the server’s signing key is another one. Make a new secret.')
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Fieldwork-Sessions/1',
        'fieldwork-timestamp': String(t),
        'fieldwork-signature': signatureFor(secret, `${t}.${row.body}`),
      }
      const outcome = await post(link.s2s_url, headers, row.body, reachOf(services.settings), signal)
      responses.set(row, outcome.response_status)
      checkResponse(outcome)
    } catch (error) {
      if (error instanceof NoAnswer) throw new WorkRefused(error.message)
      throw error
    }
    return {}
  },
}
