import { denialOf } from '../../../contract/access.ts'
import { isAdmin } from '../../../contract/actor.ts'
import { civilDay, dollars, showTime } from '../../../contract/format.ts'
import { SPELLING } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { projectFacts } from '../project/projectRows.ts'
import { currentQuote, type Quote } from '../project/quotes.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { perComplete } from './projectQuote.ts'

/** The revision that a decision is about: by its id and version, or by the price the caller saw. */
export interface SeenQuote {
  quote_id?: number | undefined
  lock_version?: number | undefined
  cost_cents?: number | undefined
}

const sentence = (denial: string): string => `${denial[0]!.toUpperCase()}${denial.slice(1)}`

/** True once a project's quote was approved, in whatever status it is now. */
export const isApproved = ({ status }: Pick<ProjectRecord, 'status'>): boolean =>
  SPELLING[status].bucket !== 'pending' && status !== 'rejected'

/** "Approved already by Ada Admin on 2026-11-22"; without a name if it is unknown. */
async function approvedBy(ctx: Ctx, quote: Quote | null): Promise<string> {
  const person =
    quote?.decided_by &&
    (await ctx.db.selectFrom('users').select(['first_name', 'last_name']).where('id', '=', quote.decided_by).executeTakeFirst())
  const name = person ? `${person.first_name} ${person.last_name}`.trim() : ''
  const day = quote?.decided_at ? ` on ${civilDay(Date.parse(quote.decided_at), ctx.services.settings.timeZone)}` : ''
  return `Approved already${name ? ` by ${name}` : ''}${day}`
}

/** "Only Harvest & Pine’s users can approve", for a client user who is only on a team; null for everyone else. */
export async function notOfClient(ctx: Ctx, record: Pick<ProjectRecord, 'client_id'>): Promise<string | null> {
  if (isAdmin(ctx.actor)) return null
  const member = await ctx.db
    .selectFrom('user_clients')
    .select('user_id')
    .where('user_id', '=', ctx.actor.id)
    .where('client_id', '=', record.client_id)
    .executeTakeFirst()
  if (member) return null
  const client = await ctx.db.selectFrom('clients').select('name').where('id', '=', record.client_id).executeTakeFirst()
  return `Only ${client?.name ?? 'the client'}’s users can approve`
}

/** Why the caller can't approve the project's quote now, without a full stop; null if they can. */
export async function blockedFor(ctx: Ctx, record: ProjectRecord): Promise<string | null> {
  if (isApproved(record)) return approvedBy(ctx, await currentQuote(ctx, record))
  const other = await notOfClient(ctx, record)
  if (other) return other
  const denial = denialOf('project.approve', ctx.actor, await projectFacts(ctx, record))
  return denial === null ? null : sentence(denial)
}

/** Throws 409 `stale` if the seen revision was replaced or repriced; the project must be locked. */
export async function refuseReplaced(ctx: Ctx, record: ProjectRecord, seen: SeenQuote): Promise<void> {
  if (record.status !== 'submit_approval') return
  const quote = await currentQuote(ctx, record)
  const cost_cents = quote?.cost_cents ?? record.cost_cents
  const isOther =
    (seen.quote_id !== undefined && seen.quote_id !== quote?.id) ||
    (seen.lock_version !== undefined && quote !== null && seen.lock_version !== quote.lock_version) ||
    (seen.cost_cents !== undefined && seen.cost_cents !== cost_cents)
  if (!isOther) return
  // Client users mustn't learn a prepared price.
  if (!isAdmin(ctx.actor) && quote?.state === 'prepared') throw new HttpError(409, 'stale', 'A new quote is being prepared.')
  const changed = Date.parse(quote?.created_at ?? record.updated_at)
  const { timeZone } = ctx.services.settings
  const at = showTime(changed, civilDay(changed, timeZone) === ctx.today ? 'clock' : 'short', timeZone)
  throw new HttpError(409, 'stale', `The quote changed to ${dollars(cost_cents ?? 0)} at ${at}.`, {
    clashes: ['cost_cents'],
    theirs: {
      quote_id: quote?.id ?? null,
      lock_version: quote?.lock_version ?? null,
      quote_lock_version: quote?.lock_version ?? null,
      cost_cents,
      ordered: quote?.ordered ?? record.ordered,
      cost_per_complete_cents: perComplete(cost_cents, quote?.ordered ?? record.ordered),
      valid_until: record.quote_valid_until,
    },
  })
}
