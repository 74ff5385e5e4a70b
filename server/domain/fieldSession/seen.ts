import { DEFAULT_HOLD_MINUTES } from '../../../contract/sessionRules.ts'
import type { Services } from '../../core/context.ts'
import { consume } from '../../core/rateLimit.ts'
import { admissionDesk } from '../quota/admission.ts'
import type { SessionRow } from './endSession.ts'

/** Seconds between two heartbeats of one session. */
const EVERY = 20

/** Keeps somebody's places, who is in the survey; returns until when. Throws 429 more than once in 20 seconds. */
export async function keepPlaces(services: Services, session: SessionRow): Promise<string | null> {
  await consume(services, [{ key: `seen:${session.rid}`, burst: 1, every: EVERY * 1000 }])
  const { rid, survey_id, partner_id, pid } = session
  const now = services.now()
  const { db } = services.database
  const hold = await db.selectFrom('quota_holds').select('state').where('rid', '=', rid).executeTakeFirst()
  // A hold that has lapsed stays so: its places may be somebody else's by now.
  if (hold && hold.state !== 'held') return session.until_at
  const [beat] = hold ? await admissionDesk(services).admit([{ survey_id, partner_id, pid, rid, profile: {} }]) : []
  const until_at = beat ? beat.hold_until : new Date(now.getTime() + DEFAULT_HOLD_MINUTES * 60_000).toISOString()
  const at = now.toISOString()
  await db
    .updateTable('field_sessions')
    .set({ last_seen_at: at, updated_at: at, until_at })
    .where('rid', '=', rid)
    .where('state', '=', 'admitted')
    .execute()
  return until_at
}
