import { sql } from 'kysely'
import type { SessionState } from '../../../contract/sessionRules.ts'
import type { Database, Tx } from '../../db/connect.ts'
import { among } from '../quota/quotaLedger.ts'
import { moveAnswers, recount, removeRow } from '../runtime/replaceRow.ts'
import { type Respondent, storedRespondent } from '../runtime/respondent.ts'
import { addSteps } from './entries.ts'

interface Survey {
  id: number
  project_id: number
}
const STATES: Readonly<Record<Respondent['outcome'], SessionState>> = {
  completes: 'complete',
  terminates: 'terminate',
  overquota: 'quota_full',
  partials: 'abandoned',
}

/**
 * Takes the bare respondents away that exits left of these rows' sessions, as the rows are their interviews.
 * Returns the rows whose places are taken already; those that contradict their session are left out.
 */
export async function replaceBare(
  database: Database,
  tx: Tx,
  survey: Survey,
  rows: readonly Respondent[],
  timeZone: string,
): Promise<{ placed: ReadonlySet<Respondent>; contradict: ReadonlySet<Respondent> }> {
  const placed = new Set<Respondent>()
  const contradict = new Set<Respondent>()
  const byRid = new Map(rows.flatMap((row) => (row.rid && row.rid !== row.id ? [[row.rid, row] as const] : [])))
  if (!byRid.size) return { placed, contradict }
  const { rows: bare } = await sql<{ respondent_id: string }>`select respondent_id from field_sessions
    where rid ${among(database, [...byRid.keys()])} and survey_id = ${survey.id} and respondent_id = rid`.execute(tx)
  for (const { respondent_id } of bare) {
    const row = byRid.get(respondent_id)!
    const found = await tx
      .selectFrom('respondents')
      .selectAll()
      .where('survey_id', '=', survey.id)
      .where('respondent_id', '=', respondent_id)
      .executeTakeFirst()
    if (!found) continue
    if (found.outcome !== row.outcome) {
      contradict.add(row)
      continue
    }
    const { taken_on, ordinal } = found
    const old = { ...storedRespondent(found), taken_on, ordinal: ordinal === null ? null : Number(ordinal) }
    await recount(database, tx, survey, { old, fresh: null, timeZone })
    await moveAnswers(database, tx, survey, old, null)
    await removeRow(tx, survey, old.id)
    await sql`update quota_holds set respondent_id = ${row.id} where survey_id = ${survey.id} and respondent_id = ${old.id}`.execute(
      tx,
    )
    await sql`update field_sessions set respondent_id = ${row.id} where rid = ${respondent_id}`.execute(tx)
    placed.add(row)
  }
  return { placed, contradict }
}

/** Ends the sessions of rows that came by a batch: the weakest proof, so what is known already stays. */
export async function endByIntake(
  database: Database,
  tx: Tx,
  survey: Survey,
  rows: readonly Respondent[],
  now: Date,
): Promise<void> {
  const byRid = new Map(rows.flatMap((row) => (row.rid ? [[row.rid, row] as const] : [])))
  if (!byRid.size) return
  const { rows: open } = await sql<{ rid: string }>`select rid from field_sessions
    where rid ${among(database, [...byRid.keys()])} and survey_id = ${survey.id} and test = 0
    and state in ('admitted', 'abandoned')`.execute(tx)
  const at = now.toISOString()
  const steps: unknown[][] = []
  for (const { rid } of open) {
    const row = byRid.get(rid)!
    const state = STATES[row.outcome]
    await sql`update field_sessions set state = ${state}, proof = 'import', ended_at = ${row.at}, updated_at = ${at},
      respondent_id = ${row.id} where rid = ${rid}`.execute(tx)
    steps.push([rid, 'outcome', state, 'import', at])
  }
  await addSteps(database, tx, steps)
}
