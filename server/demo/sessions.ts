import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { insertMany, type Tx } from '../db/connect.ts'

/** The most projects with links, and respondents of one of them, so that a seed stays as long as it was. */
const MOST_PROJECTS = 25
const MOST_RESPONDENTS = 3000

/** The partners of a project whose quote was approved, with what each gets for a complete. */
interface Share {
  project_id: number
  survey_id: number
  survey_link: string
  status: string
  partner_id: number
  cpi_cents: number
}

/**
 * Gives some projects in field, and some that are over, an entry link for each chosen partner.
 * Their respondents came by these: a session each, so that traffic agrees with the figures there are.
 */
export async function seedSessions(tx: Tx, seed: string, at: string): Promise<void> {
  for (const [project_id, shares] of Map.groupBy(await sharesOf(tx), (share) => share.project_id)) {
    for (const [nth, share] of shares.entries()) {
      const link_id = await addLink(tx, seed, share, at)
      await addSessions(tx, { share, link_id, nth, of: shares.length })
    }
    if (!shares[0]!.survey_link)
      await tx
        .updateTable('surveys')
        .set({ survey_link: `https://survey.example.com/run/${project_id}` })
        .where('id', '=', shares[0]!.survey_id)
        .execute()
  }
}

/** The shares of the first projects whose only survey has respondents, but not too many. */
async function sharesOf(tx: Tx): Promise<Share[]> {
  const { rows } = await sql<Share>`select p.id as project_id, s.id as survey_id, s.survey_link, p.status, f.partner_id,
      max(q.cpi_cents) as cpi_cents
    from (select project_id, min(id) as survey_id from surveys where deleted_at is null group by project_id having count(*) = 1) one
    join surveys s on s.id = one.survey_id join projects p on p.id = s.project_id
    join proffers f on f.project_id = p.id join quote_shares q on q.proffer_id = f.id
    where p.deleted_at is null and p.status in ('active', 'completed') and p.delivered > 0
      and (select count(*) from respondents r where r.survey_id = s.id) between 1 and ${sql.lit(MOST_RESPONDENTS)}
    group by p.id, s.id, s.survey_link, p.status, f.partner_id order by p.id, f.partner_id`.execute(tx)
  const projects = new Set([...new Set(rows.map(({ project_id }) => project_id))].slice(0, MOST_PROJECTS))
  return rows.filter(({ project_id }) => projects.has(project_id))
}

async function addLink(tx: Tx, seed: string, { project_id, survey_id, partner_id, status }: Share, at: string): Promise<number> {
  const hash = createHash('sha256').update(`${seed} ${project_id} ${partner_id}`).digest('base64url')
  const exit = (name: string) => `https://panel.example.com/${name}?id={pid}&t={t}&sig={sig}`
  const { id } = await tx
    .insertInto('entry_links')
    .values({
      ...{ project_id, survey_id, partner_id, token: hash.slice(0, 22), name: 'Main' },
      ...{ state: status === 'active' ? ('active' as const) : ('paused' as const), s2s_url: '', param_map: '{}' },
      ...{ return_complete: exit('complete'), return_terminate: exit('screenout'), return_quota_full: exit('full') },
      ...{ return_security: exit('refused'), exclude_project_ids: '[]', require_signature: 0, max_entrants_minute: 600 },
      // Nobody has the secrets of the demo data: rotating makes new ones.
      ...{ secret: '', secret_before: null, secret_before_until: null, partner_secret: '', partner_secret_before: null },
      ...{ partner_secret_before_until: null, deleted_at: null, created_at: at, updated_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const STATES = { completes: 'complete', terminates: 'terminate', overquota: 'quota_full', partials: 'abandoned' } as const

/** Every `of`th respondent came by this link. */
async function addSessions(
  tx: Tx,
  { share, link_id, nth, of }: { share: Share; link_id: number; nth: number; of: number },
): Promise<void> {
  const { survey_id, project_id, partner_id, cpi_cents } = share
  const respondents = await tx
    .selectFrom('respondents')
    .select(['respondent_id', 'outcome', 'at', 'started_at'])
    .where('survey_id', '=', survey_id)
    .orderBy('respondent_id')
    .execute()
  const mine = respondents.filter((_, at) => at % of === nth)
  const steps: {
    rid: string
    kind: 'entered' | 'outcome' | 'lapsed' | 'claimed'
    reason: string
    proof: 'none' | 's2s' | 'redirect'
    at: string
  }[] = []
  const sessions = mine.map(({ respondent_id, outcome, at, started_at }, place) => {
    const state = STATES[outcome]
    const rid = `demo-${respondent_id}`
    const entered_at = started_at ?? at
    const proof = state === 'abandoned' ? ('none' as const) : place % 4 === 3 ? ('redirect' as const) : ('s2s' as const)
    // Now and then somebody who left says without a signature that they completed.
    const isClaimed = state === 'abandoned' && place % 9 === 0
    steps.push({ rid, kind: 'entered', reason: '', proof: 'none', at: entered_at })
    if (isClaimed) steps.push({ rid, kind: 'claimed', reason: '', proof: 'none', at })
    steps.push({ rid, kind: state === 'abandoned' ? 'lapsed' : 'outcome', reason: state === 'abandoned' ? '' : state, proof, at })
    return {
      ...{ rid, survey_id, project_id, link_id, partner_id, pid: `${respondent_id.toLowerCase()}`, early: '', test: 0 },
      ...{ state, reason: '', proof, entered_at, admitted_at: entered_at, until_at: null, last_seen_at: null, ended_at: at },
      ...{ updated_at: at, seconds: 300 + ((place * 37) % 900), ip: '', device_hash: '', profile: '{}', entries: 1 },
      ...{ claimed_at: isClaimed ? at : null, conflicts: 0, cpi_cents, respondent_id },
    }
  })
  await insertMany(tx, 'field_sessions', [...sessions, ...sessions.slice(0, 3).map(sentAway)])
  await insertMany(tx, 'session_steps', steps)
}

/** Somebody who came when the link was closed, and is no entrant. */
const sentAway = <S extends { rid: string; pid: string; entered_at: string }>(like: S) => ({
  ...like,
  ...{ rid: `${like.rid}-away`, pid: `${like.pid}-away`, early: 'closed', state: 'quota_full', reason: 'closed', proof: 'none' },
  ...{ admitted_at: null, ended_at: like.entered_at, seconds: null, claimed_at: null, respondent_id: null },
})
