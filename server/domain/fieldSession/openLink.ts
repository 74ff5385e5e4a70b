import type { Services } from '../../core/context.ts'
import { currentPartners } from '../../core/currentPartners.ts'
import type { Db } from '../../db/connect.ts'
import type { SessionRow } from './endSession.ts'
import { cpiOf, type LinkRow } from './entryLinks.ts'

/** What a link is at this moment, with what its survey and project say. */
export interface OpenLink {
  link: LinkRow
  live: boolean
  survey_link: string
  cpi_cents: number | null
}
/** The link of an address; null if there is none, or its survey or project is gone. */
export async function readLink({ database }: Services, token: string): Promise<OpenLink | null> {
  const row = await database.db
    .selectFrom('entry_links')
    .innerJoin('surveys', 'surveys.id', 'entry_links.survey_id')
    .innerJoin('projects', 'projects.id', 'entry_links.project_id')
    .innerJoin('partners', 'partners.id', 'entry_links.partner_id')
    .selectAll('entry_links')
    .select(['surveys.survey_link', 'projects.status', 'partners.deleted_at as partner_deleted'])
    .where('token', '=', token)
    .where('entry_links.deleted_at', 'is', null)
    .where('surveys.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { survey_link, status, partner_deleted, ...link } = row
  // A partner that was merged into another sends people as that one.
  const isSending = partner_deleted === null || (await currentPartners(database.db)).get(link.partner_id)
  const live =
    survey_link !== '' && Boolean(isSending) && (link.state === 'test' || (link.state === 'active' && status === 'active'))
  return { link, live, survey_link, cpi_cents: await cpiOf(database.db, link.project_id, link.partner_id) }
}

/** The session of an id. */
export const sessionOf = (db: Db, rid: string): Promise<SessionRow | undefined> =>
  db.selectFrom('field_sessions').selectAll().where('rid', '=', rid).executeTakeFirst()
