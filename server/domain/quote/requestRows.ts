import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { seesAll } from '../../../contract/actor.ts'
import { cheapestMix, costAtMargin, marginOf } from '../../../contract/mix.ts'
import { isDay } from '../../../contract/moments.ts'
import type { Settings } from '../../../contract/organizationSettings.ts'
import { addDays } from '../../../contract/pacing.ts'
import type { Channel, ChannelStep, requestShape } from '../../../contract/quoteRecord.ts'
import type { Ctx } from '../../core/context.ts'
import { readTogether } from '../../db/smallReads.ts'
import { dayStart } from '../content/days.ts'
import { settingsOf } from '../organization.ts'
import { ownersIn } from '../project/projectOwner.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { type Offer, offersOf } from './partnerOffers.ts'
import { perComplete } from './projectQuote.ts'
import { CURRENT, channelStep, clientStep, REMINDER_DAYS, WAITING } from './requestSteps.ts'

type RequestRecord = z.input<z.ZodObject<typeof requestShape>>

const DAY_MS = 86_400_000
/** TABLE  the setting for how many days a request may wait at a step. */
const AGEING = {
  invite: 'invite_days',
  waiting: 'answers_days',
  answers: 'answers_days',
  quoted: 'quoted_days',
  expired: 'quoted_days',
} as const satisfies Record<ChannelStep, keyof Settings>

/** The quote columns of a page's rows, in a few queries; administrators get answers, best mix and margin too. */
export async function requestRows(
  ctx: Ctx,
  records: readonly ProjectRecord[],
): Promise<Map<number, RequestRecord & { channel?: z.input<typeof Channel> }>> {
  if (!records.length) return new Map()
  const ids = records.map(({ id }) => id)
  const facts = await ctx.db
    .selectFrom('projects')
    .leftJoin('quotes', (join) => join.on(sql<SqlBool>`quotes.id = ${CURRENT}`))
    .select([
      'projects.id',
      clientStep(ctx.today).as('step'),
      channelStep(ctx.today).as('channel_step'),
      WAITING(ctx.today).as('waiting_since'),
      'quotes.id as quote_id',
      'quotes.state',
      'quotes.opened_at',
      'quotes.lock_version',
    ])
    .where('projects.id', 'in', ids)
    .execute()
  const channels = seesAll(ctx.actor) ? await channelsOf(ctx, records, facts) : new Map<number, z.input<typeof Channel>>()
  const byId = new Map(facts.map((row) => [row.id, row]))
  return new Map(
    records.map((record) => {
      const fact = byId.get(record.id)!
      const hidden = !seesAll(ctx.actor) && fact.state === 'prepared'
      const cost_cents = hidden ? null : record.cost_cents
      const per = perComplete(cost_cents, record.ordered)
      const channel = channels.get(record.id)
      return [
        record.id,
        {
          generation: record.generation,
          step: fact.step,
          cost_cents,
          cost_per_complete_cents: per,
          cost_per_complete: per === null ? null : per / 100,
          valid_until: hidden ? null : record.quote_valid_until,
          quote_round: record.quote_round,
          quote_id: hidden ? null : fact.quote_id,
          quote_lock_version: hidden ? null : fact.lock_version,
          opened: !hidden && fact.opened_at !== null,
          ordered: record.ordered,
          since: momentOf(ctx, fact.waiting_since) ?? record.updated_at,
          ...(channel ? { channel } : {}),
        },
      ]
    }),
  )
}

/** A moment in UTC; a day, as that of an expired quote, begins in the display zone. */
const momentOf = ({ services }: Pick<Ctx, 'services'>, since: string | null): string | null =>
  since !== null && isDay(since) ? dayStart(since, services.settings.timeZone) : since

type Fact = {
  id: number
  channel_step: ChannelStep | null
  waiting_since: string | null
  state: string | null
  quote_id: number | null
}

async function channelsOf(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  facts: readonly Fact[],
): Promise<Map<number, z.input<typeof Channel>>> {
  const ids = records.map(({ id }) => id)
  const quoteIds = facts.flatMap(({ quote_id }) => quote_id ?? [])
  const [settings, { owners }, invitations, answers, shares] = await Promise.all([
    settingsOf(ctx.db),
    readTogether(ctx.db, { owners: ownersIn(ctx.actor, ids) }),
    ctx.db
      .selectFrom('project_partners')
      .innerJoin('projects', (join) =>
        join.onRef('projects.id', '=', 'project_id').onRef('projects.quote_round', '=', 'project_partners.round'),
      )
      .innerJoin('partners', 'partners.id', 'partner_id')
      .select(['project_id', 'partner_id', 'partners.name', 'assigned_at', 'mailed_at', 'reminded_at', 'opened_at', 'answer_by'])
      .where('project_id', 'in', ids)
      .where('revoked_at', 'is', null)
      .orderBy('assigned_at')
      .orderBy('partner_id')
      .execute(),
    offersOf(ctx, ids),
    ctx.db
      .selectFrom('quote_shares')
      .select((eb) => ['quote_id', sql<number>`sum(completes * cpi_cents)`.as('cents'), eb.fn.countAll<number>().as('count')])
      .where('quote_id', 'in', [0, ...quoteIds])
      .groupBy('quote_id')
      .execute(),
  ])
  const invitedOf = Map.groupBy(invitations, (row) => row.project_id)
  const answersOf = Map.groupBy(answers, (row) => row.project_id)
  const shareOf = new Map(shares.map((row) => [row.quote_id, Number(row.cents)]))
  const ownerOf = new Map(owners.map(({ owner, id, name }) => [owner, { id, name }]))
  const factOf = new Map(facts.map((fact) => [fact.id, fact]))
  return new Map(
    records.map((record) => [
      record.id,
      channelOf(ctx, record, {
        fact: factOf.get(record.id)!,
        owner: ownerOf.get(record.id) ?? null,
        invited: invitedOf.get(record.id) ?? [],
        answers: answersOf.get(record.id) ?? [],
        shareCents: shareOf.get(factOf.get(record.id)!.quote_id ?? 0) ?? null,
        settings,
      }),
    ]),
  )
}

interface Around {
  fact: Fact
  owner: { id: number; name: string } | null
  invited: readonly {
    partner_id: number
    name: string
    assigned_at: string
    mailed_at: string | null
    reminded_at: string | null
    opened_at: string | null
    answer_by: string | null
  }[]
  answers: readonly Offer[]
  shareCents: number | null
  settings: Settings
}

function channelOf(ctx: Ctx, record: ProjectRecord, around: Around): z.input<typeof Channel> {
  const { fact, owner, invited, answers, shareCents, settings } = around
  const answered = new Set(answers.map(({ partner_id }) => partner_id))
  const silent = invited.filter(({ partner_id }) => !answered.has(partner_id))
  const offers = answers.flatMap((answer) => answer.offer ?? [])
  const best = offers.length ? cheapestMix(offers, record.ordered) : null
  const partner = shareCents ?? best?.cost_cents ?? null
  const margin = partner === null ? null : marginOf(record.cost_cents ?? costAtMargin(partner, settings.usual_margin), partner)
  const answer_by = silent.flatMap((row) => row.answer_by ?? []).sort()[0] ?? null
  const quoted = record.status === 'submit_approval'
  const waiting_days =
    fact.waiting_since === null ? null : Math.max(0, Math.floor((Date.parse(ctx.now) - Date.parse(fact.waiting_since)) / DAY_MS))
  return {
    step: fact.channel_step,
    invited: invited.length,
    answered: answers.length,
    yes: answers.filter(({ yes }) => yes).length,
    declined: answers.filter(({ yes }) => !yes).length,
    opened: invited.filter(({ opened_at }) => opened_at !== null).length,
    silent: silent.length,
    best_cents: best?.cost_cents ?? null,
    best_completes: best?.completes ?? null,
    fills: best && record.ordered > 0 ? Math.floor((best.completes * 100) / record.ordered) : null,
    partner_cost_cents: partner,
    margin_cents: margin?.margin_cents ?? null,
    margin_percent: margin?.margin_percent ?? null,
    low_margin: margin !== null && margin.margin_percent < settings.margin_floor,
    held: fact.state === 'prepared' && !quoted,
    sent: fact.state !== 'prepared' && fact.state !== null,
    answer_by,
    overdue: record.status === 'pricing' && answer_by !== null && answer_by < ctx.today,
    lapsing:
      quoted &&
      record.quote_valid_until !== null &&
      record.quote_valid_until >= ctx.today &&
      record.quote_valid_until <= addDays(ctx.today, REMINDER_DAYS),
    waiting_since: momentOf(ctx, fact.waiting_since),
    waiting_days,
    aged: waiting_days !== null && fact.channel_step !== null && waiting_days >= settings[AGEING[fact.channel_step]],
    owner,
    partners: invited.map((row) => {
      const answer = answers.find(({ partner_id }) => partner_id === row.partner_id)
      const sent = answer?.sent
      return {
        partner_id: row.partner_id,
        name: row.name,
        answer: answer ? (answer.yes ? ('yes' as const) : ('no' as const)) : ('waiting' as const),
        reason: sent?.reason ?? '',
        completes: sent?.completes ?? null,
        cpi_cents: sent?.cpi_cents ?? null,
        field_days: sent?.field_days ?? null,
        valid_until: sent?.valid_until ?? null,
        ended: Boolean(answer?.yes && sent?.valid_until && sent.valid_until < ctx.today),
        answer_by: row.answer_by,
        invited_at: row.assigned_at,
        mailed_at: row.mailed_at,
        opened_at: row.opened_at,
        reminded_at: row.reminded_at,
        answered_at: sent?.sent_at ?? null,
      }
    }),
  }
}
