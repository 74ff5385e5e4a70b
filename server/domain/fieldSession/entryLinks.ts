import type { Selectable } from 'kysely'
import { allowedActions } from '../../../contract/access.ts'
import type { EntryLink } from '../../../contract/entryLink.ts'
import { entryLinkFields } from '../../../contract/entryLinkFields.ts'
import { exitAddress, outcomeText, type SessionOutcome } from '../../../contract/sessionRules.ts'
import type { Ctx, Services } from '../../core/context.ts'
import { fieldReader } from '../../core/fieldColumns.ts'
import { projectScope } from '../../core/scope.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { Schema } from '../../db/schema.ts'
import { secretsNow, signatureFor } from './signing.ts'

export type LinkRow = Selectable<Schema['entry_links']>
const fieldsOf = fieldReader(entryLinkFields)

/** The address of a link, without the person's pid. */
export const entryUrl = ({ settings }: Pick<Services, 'settings'>, { token }: Pick<LinkRow, 'token'>): string =>
  `${settings.publicUrl}/e/${token}`

/** The links of a project that the caller sees, or one of them. */
export function linkRows(ctx: Pick<Ctx, 'db' | 'actor'>, where: { project_id: number } | { id: number }) {
  const rows = ctx.db
    .selectFrom('entry_links')
    .innerJoin('projects', 'projects.id', 'entry_links.project_id')
    .innerJoin('partners', 'partners.id', 'entry_links.partner_id')
    .selectAll('entry_links')
    .select('partners.name as partner')
    .where('entry_links.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
    .orderBy('entry_links.id')
  const one = 'id' in where
  return (
    one ? rows.where('entry_links.id', '=', where.id) : rows.where('entry_links.project_id', '=', where.project_id)
  ).execute()
}

/** A link as administrators read it. */
export function linkRecord(ctx: Pick<Ctx, 'services' | 'actor' | 'now'>, row: LinkRow & { partner: string }): EntryLink {
  const { id, project_id, survey_id, partner_id, partner, state, created_at, updated_at, lock_version } = row
  const until = row.secret_before_until
  const fields = fieldsOf(row)
  return {
    ...{ id, project_id, survey_id, partner_id, partner, state },
    ...fields,
    require_signature: row.require_signature === 1,
    param_map: JSON.parse(row.param_map) as Record<string, string>,
    exclude_project_ids: JSON.parse(row.exclude_project_ids) as number[],
    url: entryUrl(ctx.services, row),
    secret_before_until: until !== null && until > ctx.now ? until : null,
    ...{ created_at, updated_at, lock_version },
    ...allowedActions('entryLink', ctx.actor, row),
  } as EntryLink
}

/** The survey's secrets of a link, and the partner's. */
export const surveySecrets = (services: Services, link: LinkRow, now: string): string[] =>
  secretsNow(services, { secret: link.secret, before: link.secret_before, before_until: link.secret_before_until }, now)
export const partnerSecrets = (services: Services, link: LinkRow, now: string): string[] =>
  secretsNow(
    services,
    { secret: link.partner_secret, before: link.partner_secret_before, before_until: link.partner_secret_before_until },
    now,
  )

/** Where a person goes with an outcome, signed for the partner; null where the link has no such exit. */
export function exitOf(
  services: Services,
  link: LinkRow,
  outcome: SessionOutcome,
  { pid, rid, reason }: { pid: string; rid: string; reason: string },
): string | null {
  const address = link[`return_${outcome}`]
  if (!address) return null
  const now = services.now()
  const t = Math.floor(now.getTime() / 1000)
  const [secret] = partnerSecrets(services, link, now.toISOString())
  const sig = secret ? signatureFor(secret, outcomeText(rid, outcome, t)) : ''
  return exitAddress(address, { pid, rid, outcome, reason, t: String(t), sig })
}

/** A link by its id, also one that was deleted: people who are inside finish. */
export const linkOf = (db: Db | Tx, id: number): Promise<LinkRow | undefined> =>
  db.selectFrom('entry_links').selectAll().where('id', '=', id).executeTakeFirst()

/** What a partner gets for a complete by the quote's share of a project, or the one above it. */
export async function cpiOf(db: Db, project_id: number, partner_id: number): Promise<number | null> {
  const share = await db
    .selectFrom('quote_shares')
    .innerJoin('proffers', 'proffers.id', 'quote_shares.proffer_id')
    .select('quote_shares.cpi_cents')
    .where('proffers.partner_id', '=', partner_id)
    .where((eb) =>
      eb.or([
        eb('proffers.project_id', '=', project_id),
        eb('proffers.project_id', '=', eb.selectFrom('projects').select('parent_id').where('id', '=', project_id)),
      ]),
    )
    .orderBy('quote_shares.quote_id', 'desc')
    .executeTakeFirst()
  return share?.cpi_cents ?? null
}
