import { sql } from 'kysely'
import { type CellCount, freeOf, fullestOf, seatOf } from '../../../contract/quotaRules.ts'
import type { Database, Tx } from '../../db/connect.ts'
import { insertBulk } from '../runtime/insertBulk.ts'
import type { Respondent } from '../runtime/respondent.ts'
import { among, cellsIn, dueHolds, type HoldRow, Ledger, lapseDue } from './quotaLedger.ts'
import { countOf, livePlans, lockCells, type QuotaPlan } from './quotaPlans.ts'
import { profileOf } from './quotaProfile.ts'
import { newRid } from './rid.ts'

interface QuotaSurvey {
  id: number
  project_id: number
}
/** What a batch of respondents did to the plan of its survey. */
export interface Placed {
  plan_id: number
  /** Completes that found no place. */
  beyond: number
  /** The cell that the last of them lacked a place in; null if none has their profile. */
  full: string | null
}

/**
 * Takes the places of new respondents, where their survey has a live plan.
 * A complete uses its hold, takes a place if there is room, or counts beyond the plan; other outcomes release theirs.
 */
export async function takePlaces(
  database: Database,
  tx: Tx,
  survey: QuotaSurvey,
  rows: readonly Respondent[],
  now: Date,
): Promise<Placed | null> {
  if (!rows.some(({ outcome, rid }) => outcome === 'completes' || rid)) return null
  const live = tx.selectFrom('quota_plans').select('id').where('survey_id', '=', survey.id).where('state', '=', 'live')
  const known = await live.executeTakeFirst()
  if (!known) return null
  await lockCells(database, tx, known.id)
  // Read once its cells are locked, as it may have been edited before.
  const plan = (await livePlans(tx, [survey.id])).get(survey.id)
  return plan ? placeRows(database, tx, plan, rows, now) : null
}

/** Gives respondents places by a plan whose cells are locked. */
export async function placeRows(
  database: Database,
  tx: Tx,
  plan: QuotaPlan,
  rows: readonly Respondent[],
  now: Date,
): Promise<Placed> {
  const at = now.toISOString()
  const ledger = new Ledger(new Map([...plan.cells].map(([id, cell]) => [id, countOf(cell)])))
  const holds = await holdsByRid(database, tx, rows)
  const later = await laterHolds(database, tx, plan, [...holds.values()])
  const own = new Set([...holds.values(), ...later.values()].map(({ id }) => id))
  // Their own holds count even when they are due: they are here.
  const due = (await dueHolds(database, tx, [plan.row.id], at)).filter(({ id }) => !own.has(id))
  await lapseDue(
    database,
    tx,
    ledger,
    due.map(({ id }) => id),
    at,
  )
  const ends: [id: number, state: string, respondent_id: string | null, cells: string][] = []
  const added: unknown[][] = []
  let beyond = 0
  let full: string | null = null
  for (const row of rows) {
    const known = row.rid ? holds.get(row.rid) : undefined
    const hold = known?.plan_id === plan.row.id ? known : undefined
    if (row.outcome !== 'completes') {
      if (hold?.state !== 'held') continue
      ledger.add(cellsIn(hold.cells), { held: -1 })
      ends.push([hold.id, 'released', null, hold.cells])
      hold.state = 'released'
      continue
    }
    if (hold?.state === 'held') {
      ledger.add(cellsIn(hold.cells), { held: -1, completes: 1 })
      ends.push([hold.id, 'used', row.id, hold.cells])
      hold.state = 'used'
      continue
    }
    const again = hold && later.get(personOf(hold))
    if (again?.state === 'held') {
      // They were admitted a second time meanwhile, so they use the places that they hold now.
      ledger.add(cellsIn(again.cells), { held: -1, completes: 1 })
      ends.push([again.id, 'used', row.id, again.cells])
      again.state = 'used'
      continue
    }
    const returns = hold?.state === 'released' || hold?.state === 'lapsed'
    const profile = profileOf(row, row.partner_id, plan.against.questions)
    const seat = again
      ? { full: null }
      : returns && hold!.cells !== '[]'
        ? seatAgain(ledger, cellsIn(hold!.cells))
        : seatOfComplete(plan, ledger, profile)
    const cells = 'cells' in seat ? seat.cells : []
    const state = 'cells' in seat ? 'used' : 'beyond'
    if ('cells' in seat) ledger.add(cells, { completes: 1 })
    else {
      beyond++
      full = seat.full && plan.cells.get(seat.full.id)!.name
    }
    if (returns) {
      ends.push([hold!.id, state, row.id, JSON.stringify(cells)])
      hold!.state = state
      continue
    }
    const rid = row.rid && !known ? row.rid : newRid(now)
    if (row.rid && !known)
      holds.set(rid, { id: 0, rid, plan_id: plan.row.id, partner_id: 0, pid: '', cells: '[]', state: 'used' })
    added.push([
      ...[rid, plan.row.id, plan.row.survey_id, row.partner_id ?? 0, '', row.id, JSON.stringify(cells)],
      ...[JSON.stringify(profile), at, at, at, state],
    ])
  }
  await ledger.write(database, tx)
  await endHolds(database, tx, ends, at)
  await insertBulk(database, tx, {
    table: 'quota_holds',
    columns: {
      ...{ rid: 'text', plan_id: 'int', survey_id: 'int', partner_id: 'int', pid: 'text', respondent_id: 'text', cells: 'text' },
      ...{ profile: 'text', at: 'text', until_at: 'text', ended_at: 'text', state: 'text' },
    },
    rows: added,
  })
  return { plan_id: plan.row.id, beyond, full }
}

/** The places of somebody who comes back after a release: the same ones, if all have room. */
function seatAgain({ counts }: Ledger, cells: readonly number[]): { cells: readonly number[] } | { full: CellCount | null } {
  const own = cells.flatMap((id) => counts.get(id) ?? [])
  const full = own.filter((cell) => freeOf(cell) < 1)
  return full.length ? { full: fullestOf(full) } : { cells: own.map(({ id }) => id) }
}

/** The places of a complete without an admission: what isn't known of it counts in no cell. */
function seatOfComplete(
  { matcher }: QuotaPlan,
  { counts }: Ledger,
  profile: ReturnType<typeof profileOf>,
): { cells: readonly number[] } | { full: CellCount | null } {
  const match = matcher.match(profile, 'admit')
  return match.mismatch ? { full: null } : seatOf(match, counts)
}

const personOf = ({ partner_id, pid }: HoldRow): string => `${partner_id} ${pid}`

/** The holds that people of released ones have got since then, by person. */
async function laterHolds(
  database: Database,
  tx: Tx,
  { row }: QuotaPlan,
  holds: readonly HoldRow[],
): Promise<Map<string, HoldRow>> {
  const pids = holds.flatMap(({ pid, state }) => (pid && (state === 'released' || state === 'lapsed') ? pid : []))
  if (!pids.length) return new Map()
  const { rows } = await sql<HoldRow>`select id, rid, plan_id, partner_id, pid, cells, state from quota_holds
    where plan_id = ${row.id} and pid ${among(database, pids)} and state in ('held', 'used') and pid <> ''`.execute(tx)
  return new Map(rows.map((hold) => [personOf(hold), hold]))
}

async function holdsByRid(database: Database, tx: Tx, rows: readonly Respondent[]): Promise<Map<string, HoldRow>> {
  const rids = rows.flatMap(({ rid }) => rid ?? [])
  if (!rids.length) return new Map()
  const holds =
    await sql<HoldRow>`select id, rid, plan_id, partner_id, pid, cells, state from quota_holds where rid ${among(database, rids)}`.execute(
      tx,
    )
  return new Map(holds.rows.map((row) => [row.rid, row]))
}

/** Ends holds in one statement. */
async function endHolds(
  database: Database,
  tx: Tx,
  ends: readonly (readonly [id: number, state: string, respondent_id: string | null, cells: string])[],
  at: string,
): Promise<void> {
  if (!ends.length) return
  const rows = sql`${JSON.stringify(ends)}`
  await (database.engine === 'postgres'
    ? sql`update quota_holds set state = d.row->>1, respondent_id = d.row->>2, cells = d.row->>3, ended_at = ${at}
        from (select value as row from jsonb_array_elements(${rows}::jsonb)) as d where quota_holds.id = (d.row->>0)::bigint`.execute(
        tx,
      )
    : sql`update quota_holds set state = d.s, respondent_id = d.r, cells = d.c, ended_at = ${at}
        from (select json_extract(value, '$[0]') as h, json_extract(value, '$[1]') as s, json_extract(value, '$[2]') as r,
          json_extract(value, '$[3]') as c from json_each(${rows})) as d where quota_holds.id = d.h`.execute(tx))
}

/**
 * Gives the places of a stored complete back, also in plans of its survey that have ended; returns the last plan.
 * A complete that stays one keeps those of ended plans, where it couldn't take any again.
 * Its hold has no cells any more, so that it is matched again if it comes back.
 */
export async function giveBackPlaces(
  database: Database,
  tx: Tx,
  survey: QuotaSurvey,
  respondent_id: string,
  { now, stays = false }: { now: Date; stays?: boolean },
): Promise<number | null> {
  const ofRespondent = () =>
    tx
      .selectFrom('quota_holds')
      .innerJoin('quota_plans', 'quota_plans.id', 'quota_holds.plan_id')
      .select(['quota_holds.id', 'plan_id', 'cells', 'quota_holds.state'])
      .where('quota_holds.survey_id', '=', survey.id)
      .where('respondent_id', '=', respondent_id)
      .$if(stays, (query) => query.where('quota_plans.state', '=', 'live'))
      .orderBy('plan_id')
      .execute()
  const plans = (await ofRespondent()).map(({ plan_id }) => plan_id)
  for (const plan_id of plans) await lockCells(database, tx, plan_id)
  for (const hold of plans.length ? await ofRespondent() : []) {
    if (hold.state === 'used') {
      const cells = await tx.selectFrom('quota_cells').selectAll().where('plan_id', '=', hold.plan_id).execute()
      const ledger = new Ledger(new Map(cells.map((cell) => [cell.id, countOf(cell)])))
      ledger.add(cellsIn(hold.cells), { completes: -1 })
      await ledger.write(database, tx)
    }
    await endHolds(database, tx, [[hold.id, 'released', null, '[]']], now.toISOString())
  }
  return plans.at(-1) ?? null
}
