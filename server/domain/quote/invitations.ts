import type { Selectable } from 'kysely'
import type { ErrorCode } from '../../../contract/errorCodes.ts'
import { civilDay } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { locked } from '../../db/locked.ts'
import type { ProjectPartnerTable } from '../../db/schema.ts'
import { seenProject } from '../project/detail.ts'
import type { ProjectRecord } from '../project/storedProject.ts'

export type Invitation = Selectable<ProjectPartnerTable>

/** Days a partner's link is valid (decisions.md 4). */
const LINK_DAYS = 14
const DAY_MS = 86_400_000

/** A partner's invitation to a project's round, or undefined. */
export const invitationOf = (
  ctx: Pick<Ctx, 'db'>,
  { project_id, partner_id, round }: Pick<Invitation, 'project_id' | 'partner_id' | 'round'>,
): Promise<Invitation | undefined> =>
  ctx.db
    .selectFrom('project_partners')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('partner_id', '=', partner_id)
    .where('round', '=', round)
    .executeTakeFirst()

/** Changes one invitation; only this function writes them. */
export async function writeInvitation(
  ctx: Ctx,
  { project_id, partner_id, round }: Pick<Invitation, 'project_id' | 'partner_id' | 'round'>,
  patch: Partial<Invitation>,
): Promise<void> {
  await ctx.tx
    .updateTable('project_partners')
    .set(patch)
    .where('project_id', '=', project_id)
    .where('partner_id', '=', partner_id)
    .where('round', '=', round)
    .execute()
}

/** Signs a partner's link over project, partner, round and link version; valid for 14 days, or until an ISO time. */
export function signPartnerLink(ctx: Ctx, invitation: Invitation, ends: string | null = null): { token: string; until: string } {
  const until = Math.floor((ends ? Date.parse(ends) : Date.parse(ctx.now) + LINK_DAYS * DAY_MS) / 1000)
  const { project_id, partner_id, round, link_version } = invitation
  const token = ctx.services.secrets.sign('partner', [project_id, partner_id, round, link_version].join(':'), until)
  return { token, until: new Date(until * 1000).toISOString() }
}

/** The project's name for partners: the invitation's title or its code, because our own name may reveal the client. */
export const titleOf = (invitation: Pick<Invitation, 'title'>, record: Pick<ProjectRecord, 'id' | 'campaign_type'>): string =>
  invitation.title || `${record.campaign_type} request ${codeOf('project', record.id)}`

/** The address of the survey that a partner may open; null if the agency didn't release it or there is none. */
export const surveyFor = (
  { survey_url }: Pick<ProjectRecord, 'survey_url'>,
  { shows_survey }: Pick<Invitation, 'shows_survey'>,
): string | null => (shows_survey && survey_url ? survey_url : null)

/** The partner's last answer to an earlier round, to prefill a new one and to show what has changed. */
export const earlierAnswer = (ctx: Pick<Ctx, 'db'>, { project_id, partner_id, round }: Invitation) =>
  ctx.db
    .selectFrom('proffers')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('partner_id', '=', partner_id)
    .where('round', '<', round)
    .where('state', '=', 'sent')
    .orderBy('round', 'desc')
    .limit(1)
    .executeTakeFirst()

/** True while partners may answer a round. */
export const isRoundOpen = (record: Pick<ProjectRecord, 'status' | 'quote_round'>, round: number): boolean =>
  record.status === 'pricing' && record.quote_round === round

/** An open request, reached by a partner's link or by an administrator on the partner's behalf. */
export interface OpenRequest {
  record: ProjectRecord
  invitation: Invitation
  partner: { id: number; name: string; email: string }
  /** False for an administrator. */
  byPartner: boolean
  /** When the link expires; null for an administrator. */
  closes: string | null
}

const noRequest = () => notFound('This request')

/**
 * The request of the caller's link, or of the partner that an administrator names.
 * Throws 404 `link_expired`, `withdrawn`, `called_off`, `round_closed` (never answered) with a `date`.
 * Throws 404 `link_replaced` without one.
 * Throws 404 `not_found` for anything else.
 * `toWrite` accepts a closed round too, because late answers are kept as drafts before they are refused.
 */
export async function requestFor(
  ctx: Ctx,
  project_id: number,
  partner_id?: number,
  { toWrite = false } = {},
): Promise<OpenRequest> {
  const link = ctx.caller.partner
  if (!link) {
    const record = await seenProject(ctx, project_id)
    const partner = partner_id === undefined ? undefined : await partnerOf(ctx, partner_id)
    const invitation = partner && (await newestInvitation(ctx, record, partner.id))
    if (!partner || !invitation)
      throw notFound(partner_id ? `The invitation of partner ${partner_id} to project ${project_id}` : 'The invitation')
    return { record, partner, invitation, byPartner: false, closes: null }
  }
  const other = partner_id !== undefined && partner_id !== link.partner_id && partner_id !== link.addressed_id
  if (link.project_id !== project_id || other) throw noRequest()
  const there = ctx.db.selectFrom('projects').selectAll().where('id', '=', project_id).where('deleted_at', 'is', null)
  // Locked for a write, so that the invitation can't change until the commit.
  const record = await (toWrite ? locked(ctx.services.database, there) : there).executeTakeFirst()
  const partner = await partnerOf(ctx, link.partner_id)
  const invitation =
    record &&
    partner &&
    (link.round === null
      ? await newestInvitation(ctx, record, partner.id)
      : await invitationOf(ctx, { project_id, partner_id: partner.id, round: link.round }))
  if (!record || !partner || !invitation) throw noRequest()
  if (invitation.revoked_at) throw spent(ctx, 'withdrawn', 'This request was withdrawn', invitation.revoked_at)
  if ((link.version ?? 1) !== invitation.link_version)
    throw new HttpError(404, 'link_replaced', 'A newer link replaced this one. Open the newest email.', { date: null })
  if (link.expired_at) throw spent(ctx, 'link_expired', 'This link expired', link.expired_at)
  if (!toWrite && !isRoundOpen(record, invitation.round) && !(await hasAnswered(ctx, invitation)))
    throw record.status === 'rejected'
      ? spent(ctx, 'called_off', 'This request was called off', record.updated_at)
      : spent(ctx, 'round_closed', 'This round was closed', await closedAt(ctx, record, invitation.round))
  return { record, partner, invitation, byPartner: true, closes: invitation.link_until }
}

const spent = ({ services }: Pick<Ctx, 'services'>, code: ErrorCode, what: string, date: string) =>
  new HttpError(404, code, `${what} on ${civilDay(Date.parse(date), services.settings.timeZone)}.`, { date })

const partnerOf = (ctx: Pick<Ctx, 'db'>, id: number) =>
  ctx.db
    .selectFrom('partners')
    .select(['id', 'name', 'email'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

const newestInvitation = (ctx: Pick<Ctx, 'db'>, record: ProjectRecord, partner_id: number): Promise<Invitation | undefined> =>
  ctx.db
    .selectFrom('project_partners')
    .selectAll()
    .where('project_id', '=', record.id)
    .where('partner_id', '=', partner_id)
    .orderBy('round', 'desc')
    .limit(1)
    .executeTakeFirst()

async function hasAnswered(ctx: Pick<Ctx, 'db'>, { project_id, partner_id, round }: Invitation): Promise<boolean> {
  const answer = await ctx.db
    .selectFrom('proffers')
    .select('id')
    .where('project_id', '=', project_id)
    .where('partner_id', '=', partner_id)
    .where('round', '=', round)
    .where('state', '=', 'sent')
    .executeTakeFirst()
  return answer !== undefined
}

/** When a round closed, as ISO time: the next one's start, or this one's price, or the project's last change. */
export async function closedAt(ctx: Pick<Ctx, 'db'>, record: ProjectRecord, round: number): Promise<string> {
  const next = await ctx.db
    .selectFrom('project_partners')
    .select((eb) => eb.fn.min('assigned_at').as('at'))
    .where('project_id', '=', record.id)
    .where('round', '=', round + 1)
    .executeTakeFirst()
  if (next?.at) return next.at
  const quote = await ctx.db
    .selectFrom('quotes')
    .select('updated_at')
    .where('project_id', '=', record.id)
    .where('round', '=', round)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  return quote?.updated_at ?? record.updated_at
}
