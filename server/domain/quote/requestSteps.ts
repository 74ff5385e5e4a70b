import { type SqlBool, sql } from 'kysely'
import type { ChannelStep, ClientStep } from '../../../contract/quoteRecord.ts'

/** A quote expires soon from this many days before its end. */
export const REMINDER_DAYS = 2

/** The newest revision of a project's current round. */
export const CURRENT =
  sql.raw(`(select newest.id from quotes newest where newest.project_id = projects.id and newest.round = projects.quote_round
  order by newest.revision desc limit 1)`)
/** A column of that revision. */
export const ofCurrent = (column: string) =>
  sql.raw(`(select quotes.${column} from quotes where quotes.id = (select newest.id from quotes newest
  where newest.project_id = projects.id and newest.round = projects.quote_round order by newest.revision desc limit 1))`)
/** Invitations of the current round that weren't revoked. */
export const INVITED = `from project_partners asked where asked.project_id = projects.id and asked.round = projects.quote_round and asked.revoked_at is null`
/** Partners' answers of the current round. */
export const ANSWERED = `from proffers answer where answer.project_id = projects.id and answer.round = projects.quote_round and answer.state = 'sent'`
const UNANSWERED = `${INVITED} and not exists (select 1 from proffers given where given.project_id = asked.project_id and given.partner_id = asked.partner_id
  and given.round = asked.round and given.state = 'sent')`

const ended = (today: string) => sql<SqlBool>`(projects.quote_valid_until is not null and projects.quote_valid_until < ${today})`

/** A project's step for administrators, as SQL; null while it isn't being priced. */
export const channelStep = (today: string) => sql<ChannelStep | null>`case
  when projects.status = 'requirements' then 'invite'
  when projects.status = 'pricing' then case when exists (select 1 ${sql.raw(ANSWERED)}) then 'answers' when exists (select 1 ${sql.raw(INVITED)}) then 'waiting' else 'invite' end
  when projects.status = 'submit_approval' then case when ${ended(today)} then 'expired' else 'quoted' end end`

/** Its step for the client, who sees an unsent quote as still being priced. */
export const clientStep = (today: string) => sql<ClientStep>`case projects.status
  when 'requirements' then 'requirements' when 'pricing' then 'pricing' when 'rejected' then 'rejected'
  when 'submit_approval' then case when ${ofCurrent('state')} = 'prepared' then 'pricing' when ${ended(today)} then 'expired' else 'approval' end
  else 'approved' end`

/** The ISO time or date since when it has waited for the next person. */
export const WAITING = (today: string) => sql<string | null>`case
  when projects.status = 'requirements' then projects.created_at
  when projects.status = 'pricing' then coalesce((select min(answer.sent_at) ${sql.raw(ANSWERED)}), (select min(asked.assigned_at) ${sql.raw(INVITED)}), projects.created_at)
  when projects.status = 'submit_approval' then case when ${ended(today)} then projects.quote_valid_until
    else coalesce(${ofCurrent('sent_at')}, ${ofCurrent('created_at')}, projects.updated_at) end end`

/** The earliest date by which an invited partner should answer who hasn't. */
export const answerBy = sql<string | null>`(select min(asked.answer_by) ${sql.raw(UNANSWERED)})`
