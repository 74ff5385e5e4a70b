import { sql } from 'kysely'
import { seesAll } from '../../../contract/actor.ts'
import type { Ctx } from '../../core/context.ts'
import { type Paged, pageOf } from '../../core/keyset.ts'

interface HistoryQuery extends Paged {
  id: number
  updated_since?: string | undefined
  filter: 'all' | 'client' | 'event' | 'channel_partner'
}

/** Fields hidden from client users: a partner's price and internal bookkeeping (decisions.md 4 and 6). */
const INTERNAL = /cpi|partner|provider|reward|entry|email|ip$|note|mailed|amount|fraud|cloned/
/** A price being prepared; the client reads it from the line that sent it. */
const PREPARED = /^(cost_cents|quote_valid_until)$/
/** Fields whose lines hold nothing but internal fields and their reasons. */
const INTERNAL_LINES = ['"reward_status":', '"fraud_flags":', '"partner_shares":', '"owner_id":', '"follows":']

/** Actions on partners, which client users read as changes of the status alone (decisions.md 4). */
const ON_PARTNERS = /^(invitation|proffer)\.|^project\.(assignPartner|remindPartners|mailPartner|askAgain)$/

/** The id of the line that moved a project to its client, or 0; earlier lines belong to another client. */
async function cameBy(ctx: Ctx, id: number): Promise<number> {
  const row = await ctx.db
    .selectFrom('history')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('project_id', '=', id)
    .where('subject', '=', 'project')
    .where('before', 'like', '%"client_id":%')
    .executeTakeFirst()
  return Number(row?.id ?? 0)
}

/** True if a line's reason is internal: why a cost is what it is, unless it replaces a cost the client had approved. */
const isOurs = ({ action, before }: { action: string; before: string }): boolean =>
  action === 'project.setCost' && !/"status":"(approved|paused)"/.test(before)

/** The name of the API key behind a line without a user. */
function keyOf(after: string): string | null {
  const { key } = JSON.parse(after) as { key?: unknown }
  return typeof key === 'string' ? key : null
}

/** The author's name, with the token if a program did it: `token “Launch bot” of Sara Miller`. */
const byToken = (token: string | null, person: string): string => (token === null ? person : `token “${token}” of ${person}`)

/** A page of a project's history, newest first, filtered by who acted (decisions.md 8). */
export async function projectHistory(ctx: Ctx, input: HistoryQuery) {
  const isAdmin = seesAll(ctx.actor)
  let query = ctx.db.selectFrom('history').where('history.project_id', '=', input.id)
  if (input.filter !== 'all') query = query.where('origin', '=', input.filter)
  if (input.updated_since) query = query.where('at', '>=', input.updated_since)
  const came = isAdmin ? 0 : await cameBy(ctx, input.id)
  if (!isAdmin) {
    query = query
      .where('subject', '=', 'project')
      .where('origin', '!=', 'channel_partner')
      .where('history.partner_id', 'is', null)
      .where('history.id', '>=', came)
    for (const word of INTERNAL_LINES)
      query = query.where('before', 'not like', `%${word}%`).where('after', 'not like', `%${word}%`)
  }
  const [{ count }, rows] = await Promise.all([
    query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    pageOf(
      ctx,
      query
        .leftJoin('users as actor', 'actor.id', 'history.actor_id')
        .leftJoin('users as behind', 'behind.id', 'history.admin_id')
        .leftJoin('partners', 'partners.id', 'history.partner_id')
        .leftJoin('api_keys', 'api_keys.id', 'history.token_id')
        .select([
          'history.id',
          'subject',
          'subject_id',
          'action',
          'origin',
          'before',
          'after',
          'reason',
          'at',
          'actor.first_name',
          'actor.last_name',
          'behind.first_name as admin_first',
          'behind.last_name as admin_last',
          'partners.name as partner',
          'api_keys.name as token',
        ]),
      [{ by: sql.ref('history.id'), way: 'desc', full: true }],
      input,
    ),
  ])
  const shown = (text: string, action: string) =>
    Object.fromEntries(
      Object.entries(JSON.parse(text) as Record<string, unknown>).filter(
        ([key]) => isAdmin || !(INTERNAL.test(key) || (action === 'project.setCost' && PREPARED.test(key))),
      ),
    )
  return {
    data: rows.map((row) => ({
      id: row.id,
      subject: row.subject,
      subject_id: row.subject_id,
      action: !isAdmin && ON_PARTNERS.test(row.action) ? 'project.setStatus' : row.action,
      origin: row.origin,
      who:
        row.partner && row.origin === 'channel_partner'
          ? row.partner
          : row.first_name
            ? byToken(row.token, `${row.first_name} ${row.last_name}`)
            : (keyOf(row.after) ?? 'Fieldwork'),
      acting_admin: isAdmin && row.admin_first ? `${row.admin_first} ${row.admin_last}` : null,
      before: row.id === came ? {} : shown(row.before, row.action),
      after: shown(row.after, row.action),
      reason: isAdmin || !isOurs(row) ? row.reason : '',
      at: row.at,
    })),
    count: Number(count),
    page: input.page,
  }
}
