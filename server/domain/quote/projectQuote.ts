import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { civilDay, dollars, showTime } from '../../../contract/format.ts'
import { marginOf } from '../../../contract/mix.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { addDays } from '../../../contract/pacing.ts'
import type { ClientQuote, INVITATION_STATES, ProjectQuote } from '../../../contract/quoteRecord.ts'
import { SPELLING, type Status } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { linkTo } from '../../core/signedLink.ts'
import { byText } from '../../db/foldedText.ts'
import { settingsOf } from '../organization.ts'
import { seenProject } from '../project/detail.ts'
import { projectFacts } from '../project/projectRows.ts'
import type { Quote } from '../project/quotes.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { usualAnswerBy } from './answerBy.ts'
import { type Proffer, shownAnswer } from './answers.ts'
import type { Invitation } from './invitations.ts'
import { releasableFiles } from './invitePartner.ts'
import { changesOf, currentTerms, type RequestTerms, type TermsChange } from './requestTerms.ts'

type QuoteRecord = z.input<typeof ProjectQuote>
type Round = QuoteRecord['rounds'][number]
type Revision = Round['quotes'][number]
type State = (typeof INVITATION_STATES)[number]

/** Days after which a partner without an answer is silent. */
const SILENT_DAYS = 3
const DAY_MS = 86_400_000

const STEP_OF: Record<Status, QuoteRecord['step']> = {
  requirements: 'invite',
  pricing: 'responses',
  submit_approval: 'cost',
  rejected: 'invite',
  approved: 'documents',
  active: 'documents',
  paused: 'documents',
  completed: 'documents',
  reporting: 'documents',
}

/** A cost divided by the order, in whole cents; null without an order. */
export const perComplete = (cost_cents: number | null, ordered: number): number | null =>
  cost_cents === null || ordered <= 0 ? null : Math.round(cost_cents / ordered)

/** A quote's state for display: one that awaits the client's decision past its date has expired. */
const stateOf = (quote: Quote, today: string) =>
  quote.state === 'sent' && quote.valid_until !== null && quote.valid_until < today ? ('expired' as const) : quote.state

/** Names of users by id, deleted ones included. */
async function namesOf(
  ctx: Ctx,
  ids: readonly (number | null)[],
): Promise<(id: number | null) => { id: number; name: string } | null> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const rows = wanted.length
    ? await ctx.db.selectFrom('users').select(['id', 'first_name', 'last_name', 'email']).where('id', 'in', wanted).execute()
    : []
  const names = new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`.trim() || row.email]))
  return (id) => (id === null || !names.has(id) ? null : { id, name: names.get(id)! })
}

interface Asking {
  ctx: Pick<Ctx, 'actor' | 'services'>
  /** True if the round's offers allow a price. */
  priced: boolean
  today: string
  now: string
  open: boolean
  /** The civil date of a moment in the organization's time zone. */
  dayOf: (iso: string) => string
}

/** An invitation's state, and the days since its last mail. */
function invitationState(
  invitation: Pick<Invitation, 'revoked_at' | 'mailed_at' | 'opened_at' | 'answer_by' | 'reminded_at'>,
  answer: Pick<Proffer, 'state' | 'fill_requirements'> | null,
  { today, now, open }: Pick<Asking, 'today' | 'now' | 'open'>,
): { state: State; silent_days: number | null } {
  const last = invitation.reminded_at ?? invitation.mailed_at
  const days = last === null ? null : Math.max(0, Math.floor((Date.parse(now) - Date.parse(last)) / DAY_MS))
  if (invitation.revoked_at) return { state: 'revoked', silent_days: null }
  if (answer?.state === 'sent') return { state: answer.fill_requirements === 'Yes' ? 'yes' : 'no', silent_days: null }
  if (answer) return { state: 'draft', silent_days: days }
  const past = invitation.answer_by !== null && invitation.answer_by < today
  if (last !== null && (!open || past || days! >= SILENT_DAYS)) return { state: 'silent', silent_days: days }
  return { state: invitation.opened_at ? 'opened' : last ? 'mailed' : 'invited', silent_days: days }
}

function shownInvitation(
  row: Invitation & { name: string; email: string; deleted_at: string | null },
  answer: Proffer | null,
  who: Awaited<ReturnType<typeof namesOf>>,
  asking: Asking,
): Round['invitations'][number] {
  const sent = answer?.state === 'sent' ? answer : null
  const next = row.reminded_at ? new Date(Date.parse(row.reminded_at) + DAY_MS).toISOString() : null
  const remind_from = next && next > asking.now ? next : null
  const ended = sent !== null && sent.valid_until !== null && sent.valid_until < asking.today
  const { actor, services } = asking.ctx
  const facts = {
    name: row.name,
    open: asking.open,
    priced: asking.priced,
    revoked: row.revoked_at !== null,
    answer: sent && (sent.fill_requirements === 'Yes' ? ('yes' as const) : ('no' as const)),
    offered: sent !== null && sent.cpi_cents !== null && sent.feasible_completes !== null,
    ended: ended ? sent.valid_until : null,
    has_email: row.email !== '',
    remind_from: remind_from && showTime(Date.parse(remind_from), 'clock', services.settings.timeZone),
  }
  return {
    ...(allowedActions('proffer', actor, facts) as Pick<QuoteRecord, 'allowed_actions' | 'refused_actions'>),
    partner_id: row.partner_id,
    name: row.name,
    email: row.email,
    deleted: row.deleted_at !== null,
    title: row.title,
    message: row.message,
    requirements: row.requirements,
    show_survey: row.shows_survey === 1,
    file_ids: JSON.parse(row.files) as number[],
    why: row.why,
    entry_url: row.entry_url,
    answer_by: row.answer_by,
    ...invitationState(row, answer, asking),
    invited_at: row.assigned_at,
    invited_by: who(row.invited_by),
    mailed_at: row.mailed_at,
    link_until: row.link_until,
    opened_at: row.opened_at,
    last_opened_at: row.last_opened_at,
    opens: row.opens,
    reminders: row.reminders,
    reminded_at: row.reminded_at,
    remind_from,
    revoked_at: row.revoked_at,
    revoke_reason: row.revoke_reason,
    answer: sent && {
      ...shownAnswer(sent),
      id: sent.id,
      total_cents: sent.cpi_cents === null || sent.feasible_completes === null ? null : sent.cpi_cents * sent.feasible_completes,
      ended,
      late: row.answer_by !== null && sent.sent_at !== null && asking.dayOf(sent.sent_at) > row.answer_by,
      entered_by: who(sent.entered_by)?.name ?? null,
      created_at: sent.created_at,
    },
  }
}

type ShareRow = Awaited<ReturnType<typeof sharesOf>>[number]

/** The shares of a project's quotes, with the current state of their answers. */
const sharesOf = (ctx: Pick<Ctx, 'db'>, project_id: number) =>
  ctx.db
    .selectFrom('quote_shares')
    .innerJoin('quotes', 'quotes.id', 'quote_id')
    .innerJoin('proffers', 'proffers.id', 'proffer_id')
    .innerJoin('partners', 'partners.id', 'proffers.partner_id')
    .select([
      'quote_id',
      'proffer_id',
      'completes',
      'quote_shares.cpi_cents',
      'proffers.partner_id',
      'partners.name',
      'proffers.cpi_cents as now_cpi_cents',
      'proffers.fill_requirements',
      'proffers.feasible_completes',
    ])
    .where('quotes.project_id', '=', project_id)
    .orderBy(byText(ctx.db, 'partners.name'))
    .execute()

const shownShare = (row: ShareRow): Revision['shares'][number] => ({
  proffer_id: row.proffer_id,
  partner_id: row.partner_id,
  name: row.name,
  completes: row.completes,
  cpi_cents: row.cpi_cents,
  cost_cents: row.completes * row.cpi_cents,
  corrected:
    row.now_cpi_cents !== row.cpi_cents || row.fill_requirements !== 'Yes' || (row.feasible_completes ?? 0) < row.completes,
  now_cpi_cents: row.now_cpi_cents,
})

function shownRevision(
  quote: Quote,
  shares: readonly ShareRow[],
  who: Awaited<ReturnType<typeof namesOf>>,
  today: string,
): Revision {
  const taken = shares.filter((share) => share.quote_id === quote.id).map(shownShare)
  const partner_cost_cents = taken.length ? taken.reduce((sum, share) => sum + share.cost_cents, 0) : null
  const margin = partner_cost_cents === null ? null : marginOf(quote.cost_cents, partner_cost_cents)
  return {
    id: quote.id,
    round: quote.round,
    revision: quote.revision,
    state: stateOf(quote, today),
    cost_cents: quote.cost_cents,
    cost_per_complete_cents: perComplete(quote.cost_cents, quote.ordered),
    ordered: quote.ordered,
    valid_until: quote.valid_until,
    created_at: quote.created_at,
    sent_at: quote.sent_at,
    sent_by: who(quote.sent_by),
    opened_at: quote.opened_at,
    opened_by: who(quote.opened_by),
    decided_at: quote.decided_at,
    decided_by: who(quote.decided_by),
    reason: quote.reason,
    lock_version: quote.lock_version,
    shares: taken,
    partner_cost_cents,
    margin_cents: margin?.margin_cents ?? null,
    margin_percent: margin?.margin_percent ?? null,
  }
}

/** A project's signed documents, each with a link for the caller. */
async function documentsOf(ctx: Ctx, project_id: number): Promise<QuoteRecord['documents']> {
  const files = await ctx.db
    .selectFrom('files')
    .leftJoin('users', 'users.id', 'uploaded_by')
    .select(['files.id', 'original_name', 'size', 'mime', 'files.created_at', 'first_name', 'last_name'])
    .where('project_id', '=', project_id)
    .where('kind', '=', 'docsign')
    .orderBy('files.id')
    .execute()
  return files.map((file) => ({
    id: file.id,
    name: file.original_name,
    size: file.size,
    mime: file.mime,
    created_at: file.created_at,
    by: `${file.first_name ?? ''} ${file.last_name ?? ''}`.trim(),
    url: linkTo(ctx, file).url,
    ...(allowedActions('file', ctx.actor, { kind: 'docsign', signed: files.length }) as Pick<
      QuoteRecord,
      'allowed_actions' | 'refused_actions'
    >),
  }))
}

/** The client's latest other project that each partner was chosen for (screens-quote-flow.md, Approval). */
async function lastWorkOf(ctx: Ctx, record: ProjectRecord): Promise<QuoteRecord['last_work']> {
  const rows = await ctx.db
    .selectFrom('projects')
    .innerJoin('quotes', 'quotes.project_id', 'projects.id')
    .innerJoin('quote_shares', 'quote_shares.quote_id', 'quotes.id')
    .innerJoin('proffers', 'proffers.id', 'quote_shares.proffer_id')
    .select((eb) => [
      'proffers.partner_id',
      'projects.id as project_id',
      'projects.name',
      eb.fn.coalesce('quotes.decided_at', 'quotes.updated_at').as('at'),
    ])
    .where('projects.client_id', '=', record.client_id)
    .where('projects.id', '!=', record.id)
    .where('projects.deleted_at', 'is', null)
    .where('quotes.state', '=', 'approved')
    .orderBy('at', 'desc')
    .orderBy('projects.id', 'desc')
    .execute()
  const newest = new Map<number, (typeof rows)[number]>()
  for (const row of rows) if (!newest.has(row.partner_id)) newest.set(row.partner_id, row)
  return [...newest.values()].map(({ at, ...row }) => ({
    ...row,
    on: civilDay(Date.parse(at), ctx.services.settings.timeZone),
  }))
}

const quotesOf = (ctx: Pick<Ctx, 'db'>, project_id: number): Promise<Quote[]> =>
  ctx.db
    .selectFrom('quotes')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('round', 'desc')
    .orderBy('revision', 'desc')
    .execute()

/** The terms of a quote; null if an older release priced it. */
const termsAt = (quote: Pick<Quote, 'asked'> | undefined): RequestTerms | null => {
  const terms = JSON.parse(quote?.asked ?? '{}') as Partial<RequestTerms>
  return terms.completes === undefined ? null : (terms as RequestTerms)
}

/** A project's quote flow for administrators: rounds with invitations and answers, quotes with shares, documents. */
export async function projectQuote(ctx: Ctx, id: number): Promise<QuoteRecord> {
  const record = await seenProject(ctx, id)
  const [
    invitations,
    answers,
    quotes,
    shares,
    documents,
    terms,
    client,
    facts,
    settings,
    usual_answer_by,
    last_work,
    releasable,
  ] = await Promise.all([
    ctx.db
      .selectFrom('project_partners')
      .innerJoin('partners', 'partners.id', 'partner_id')
      .selectAll('project_partners')
      .select(['partners.name', 'partners.email', 'partners.deleted_at'])
      .where('project_id', '=', id)
      .orderBy(byText(ctx.db, 'partners.name'))
      .execute(),
    ctx.db.selectFrom('proffers').selectAll().where('project_id', '=', id).execute(),
    quotesOf(ctx, id),
    sharesOf(ctx, id),
    documentsOf(ctx, id),
    currentTerms(ctx, record),
    ctx.db.selectFrom('clients').select('name').where('id', '=', record.client_id).executeTakeFirst(),
    projectFacts(ctx, record),
    settingsOf(ctx.db),
    usualAnswerBy(ctx),
    lastWorkOf(ctx, record),
    releasableFiles(ctx, id),
  ])
  const who = await namesOf(ctx, [
    record.requested_by,
    ...invitations.map((row) => row.invited_by),
    ...answers.map((row) => row.entered_by),
    ...quotes.flatMap((row) => [row.sent_by, row.opened_by, row.decided_by]),
  ])
  const dayOf = (iso: string) => civilDay(Date.parse(iso), ctx.services.settings.timeZone)
  const rounds = Array.from({ length: record.quote_round }, (_, at) => record.quote_round - at)
  const current = quotes.find((quote) => quote.round === record.quote_round)
  const held = current?.state === 'prepared' && record.status !== 'submit_approval'
  const askedIn = (round: number): RequestTerms | null =>
    round === record.quote_round ? terms : termsAt(quotes.find((quote) => quote.round === round))
  return {
    id,
    generation: record.generation,
    name: record.name,
    client_id: record.client_id,
    client_name: client?.name ?? '',
    status: record.status,
    stored_status: record.status,
    status_shown: SPELLING[record.status].shown,
    step: STEP_OF[record.status],
    round: record.quote_round,
    ordered: record.ordered,
    code: codeOf('project', id),
    asked: terms,
    requirements: record.requirements || record.description,
    survey_url: record.survey_url,
    files: releasable,
    target_cost_cents: held ? record.cost_cents : null,
    cost_cents: held ? null : record.cost_cents,
    valid_until: held ? null : record.quote_valid_until,
    usual_margin: settings.usual_margin,
    margin_floor: settings.margin_floor,
    usual_answer_by,
    usual_valid_until: addDays(ctx.today, settings.valid_days),
    requested_by: who(record.requested_by),
    created_at: record.created_at,
    lock_version: record.lock_version,
    ...(allowedActions('project', ctx.actor, facts) as Pick<QuoteRecord, 'allowed_actions' | 'refused_actions'>),
    rounds: rounds.map((round) => {
      const mine = quotes.filter((quote) => quote.round === round)
      const before = askedIn(round - 1)
      const now = askedIn(round)
      const current = round === record.quote_round
      const open = record.status === 'pricing' && current
      const priced = open || (record.status === 'submit_approval' && current)
      return {
        round,
        open,
        reason: mine.find((quote) => quote.state === 'rejected')?.reason ?? '',
        changes: before && now ? changesOf(before, now) : [],
        invitations: invitations
          .filter((row) => row.round === round)
          .map((row) => {
            const answer = answers.find((one) => one.round === round && one.partner_id === row.partner_id) ?? null
            return shownInvitation(row, answer, who, { ctx, today: ctx.today, now: ctx.now, open, priced, dayOf })
          }),
        quotes: mine.map((quote) => shownRevision(quote, shares, who, ctx.today)),
      }
    }),
    last_work,
    documents,
  }
}

const moneyLine = (field: string, was: number | null, is: number | null): TermsChange[] =>
  was === is ? [] : [{ field, was: was === null ? '–' : dollars(was), is: is === null ? '–' : dollars(is) }]

/** What changed between two quotes, for a client: the price first, then the order. */
function quoteChanges(before: Quote, now: Quote): TermsChange[] {
  const [was, is] = [termsAt(before), termsAt(now)]
  return [
    ...moneyLine('Cost', before.cost_cents, now.cost_cents),
    ...moneyLine('Per complete', perComplete(before.cost_cents, before.ordered), perComplete(now.cost_cents, now.ordered)),
    ...(was && is
      ? changesOf(was, is)
      : before.ordered === now.ordered
        ? []
        : changesOf({ completes: before.ordered }, { completes: now.ordered } as RequestTerms).slice(0, 1)),
  ]
}

/** The quotes sent to the client, newest first, without partners, shares and prepared prices. */
export async function clientQuotes(ctx: Ctx, record: ProjectRecord): Promise<z.input<typeof ClientQuote>[]> {
  const sent = (await quotesOf(ctx, record.id)).filter(
    (quote) => quote.state !== 'prepared' && (quote.sent_at || quote.decided_at),
  )
  const who = await namesOf(
    ctx,
    sent.map((quote) => quote.decided_by),
  )
  return sent.map((quote, at) => {
    const before = sent[at + 1]
    return {
      id: quote.id,
      round: quote.round,
      revision: quote.revision,
      state: stateOf(quote, ctx.today) as 'sent',
      cost_cents: quote.cost_cents,
      cost_per_complete_cents: perComplete(quote.cost_cents, quote.ordered),
      ordered: quote.ordered,
      valid_until: quote.valid_until,
      sent_at: quote.sent_at,
      decided_at: quote.decided_at,
      decided_by: who(quote.decided_by)?.name ?? null,
      reason: quote.reason,
      lock_version: quote.lock_version,
      asked: termsAt(quote),
      changes: before ? quoteChanges(before, quote) : [],
    }
  })
}
