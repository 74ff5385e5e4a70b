import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { Partner, partnerCalls } from '../../../contract/partner.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import { changedSince } from '../../core/listSearch.ts'
import { ago, DAY_MS } from '../../core/quotas.ts'

type Filter = Pick<z.output<(typeof partnerCalls)['partner.list']['input']>, 'search' | 'column' | 'order' | 'filter'>
type PartnerRecord = z.input<typeof Partner>
type Row = Omit<PartnerRecord, 'company_name' | 'allowed_actions' | 'refused_actions'>

/** The days that figures cover; an open invitation without an answer for this long makes its partner silent. */
const FIGURE_DAYS = 365
const SILENT_DAYS = 30

const PROJECTS = sql<number>`(select count(distinct project_partners.project_id) from project_partners join projects on projects.id = project_partners.project_id where project_partners.partner_id = partners.id and projects.deleted_at is null)`
const PROFFERS = sql<number>`(select count(*) from proffers join projects on projects.id = proffers.project_id where proffers.partner_id = partners.id and proffers.state = 'sent' and projects.deleted_at is null)`
/** Older releases leave `sent_at` empty. */
const SENT_AT = sql`coalesce(answer.sent_at, answer.created_at)`
/** Invitations to open rounds that this partner hasn't answered. */
const OPEN = sql`from project_partners asked join projects on projects.id = asked.project_id and projects.quote_round = asked.round
  where asked.partner_id = partners.id and asked.revoked_at is null and projects.deleted_at is null and projects.status in ('requirements', 'pricing')
  and not exists (select 1 from proffers answer where answer.project_id = asked.project_id and answer.partner_id = asked.partner_id and answer.round = asked.round and answer.state = 'sent')`
const OPEN_COUNT = sql<number>`(select count(*) ${OPEN})`

/** Hours from the mail (or the invitation, if none was sent) to the answer. */
const hoursOn = ({ services }: Ctx) => {
  const invitedAt = sql`coalesce(asked.mailed_at, asked.assigned_at)`
  return services.database.engine === 'postgres'
    ? sql`extract(epoch from (${SENT_AT})::timestamptz - ${invitedAt}::timestamptz) / 3600.0`
    : sql`(julianday(${SENT_AT}) - julianday(${invitedAt})) * 24.0`
}

/** The median of a value over rows, from the middle one or two; null without rows. */
const medianOf = (value: RawBuilder<unknown>, rows: RawBuilder<unknown>) =>
  sql`(select round(avg(middle.v)) from (select ${value} as v, row_number() over (order by ${value}) as nth, count(*) over () as many ${rows}) middle
  where middle.nth in ((middle.many + 1) / 2, (middle.many + 2) / 2))`

/** Whole days (UTC), so that figures change only at midnight and when answers change. */
const figuresSince = (ctx: Ctx) => ago(ctx, FIGURE_DAYS * DAY_MS).slice(0, 10)

/** A partner's figures for the last 365 days; each query uses an index by partner. */
function figures(ctx: Ctx) {
  const since = figuresSince(ctx)
  const answers = sql`from proffers answer where answer.partner_id = partners.id and answer.state = 'sent' and ${SENT_AT} >= ${since}`
  const answered = sql`from project_partners asked join proffers answer on answer.project_id = asked.project_id and answer.partner_id = asked.partner_id
    and answer.round = asked.round and answer.state = 'sent' where asked.partner_id = partners.id and asked.assigned_at >= ${since}`
  const rate = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>) => sql`round(100.0 * ${part} / nullif(${whole}, 0))`
  const invitations = sql`(select count(*) from project_partners asked where asked.partner_id = partners.id and asked.revoked_at is null and asked.assigned_at >= ${since})`
  return {
    answer_rate: rate(sql`(select count(*) ${answered} and asked.revoked_at is null)`, invitations),
    answer_hours: medianOf(hoursOn(ctx), answered),
    yes_rate: rate(sql`(select count(*) ${answers} and answer.fill_requirements = 'Yes')`, sql`(select count(*) ${answers})`),
    cpi_cents: medianOf(
      sql`answer.cpi_cents`,
      sql`${answers} and answer.fill_requirements = 'Yes' and answer.cpi_cents is not null`,
    ),
    // By the project's quotes, as shares are found by their quote only.
    chosen_count: sql`(select count(distinct answer.project_id) from proffers answer
      join quotes on quotes.project_id = answer.project_id and quotes.state = 'approved'
      join quote_shares on quote_shares.quote_id = quotes.id and quote_shares.proffer_id = answer.id
      where answer.partner_id = partners.id and ${SENT_AT} >= ${since})`,
  }
}
const ANSWERED_AT = sql`(select max(${SENT_AT}) from proffers answer where answer.partner_id = partners.id and answer.state = 'sent')`

/** TABLE  filters, each as SQL. */
const FILTERS: Record<Exclude<Filter['filter'], ''>, (ctx: Ctx) => RawBuilder<SqlBool>> = {
  open: () => sql<SqlBool>`exists (select 1 ${OPEN})`,
  silent: (ctx) => sql<SqlBool>`exists (select 1 ${OPEN} and asked.assigned_at < ${ago(ctx, SILENT_DAYS * DAY_MS)})`,
  no_email: () => sql<SqlBool>`partners.email = ''`,
  never_asked: () => sql<SqlBool>`not exists (select 1 from project_partners asked where asked.partner_id = partners.id)`,
}

/** Channel partners with their open invitations and response figures. */
export const partnerList = listOf<'partner', Filter, Row, PartnerRecord>('partner', {
  table: 'partners',
  changed: (_ctx, since) => changedSince(since, [sql`partners.updated_at`]),
  scope: () => sql<SqlBool>`partners.deleted_at is null`,
  where: ({ filter }, ctx) => [filter ? FILTERS[filter](ctx) : undefined],
  columns: (ctx) => ({
    projects_count: PROJECTS,
    proffers_count: PROFFERS,
    open_count: OPEN_COUNT,
    answered_at: ANSWERED_AT,
    ...figures(ctx),
  }),
  keeps: (ctx) => ({ of: ['quote'], key: figuresSince(ctx) }),
  empty: ['answer_rate', 'answer_hours', 'yes_rate', 'cpi_cents', 'answered_at'],
  also: () => [sql`partners.notes`, sql`partners.updated_at`, sql`partners.lock_version`],
  shown: ({ actor }, rows) =>
    rows.map((partner) => {
      const { allowed_actions, refused_actions } = allowedActions('partner', actor, { awaited: partner.open_count })
      return {
        ...partner,
        company_name: partner.name,
        allowed_actions,
        refused_actions: refused_actions as Record<string, string>,
      }
    }),
})
