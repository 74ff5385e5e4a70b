import { sql } from 'kysely'
import { wordOf } from '../../contract/nounOf.ts'
import { addDays, civilToday } from '../../contract/pacing.ts'
import { hashPassword } from '../core/passwords.ts'
import type { FileStore } from '../core/ports.ts'
import type { Database, Tx } from '../db/connect.ts'
import type { DemoSize } from '../domain/demoState.ts'
import { advance, begin, type DemoState } from '../domain/demoState.ts'
import { ingest } from '../domain/runtime/intake.ts'
import { closeBefore } from '../domain/visit/retention.ts'
import { storeVisits } from '../domain/visit/store.ts'
import { calendarOf } from './calendar.ts'
import { amountsOf } from './demoNouns.ts'
import { type Piece, piecesOf, respondentsOf } from './field.ts'
import { type Market, planMarket } from './market.ts'
import { DEMO_LOGINS } from './people.ts'
import type { ProjectPlan } from './plan.ts'
import { demoQuotas } from './quotas.ts'
import { seedSessions } from './sessions.ts'
import { visitsOf, windowsOf } from './visits.ts'
import { APART, marketRows, projectRows, type RowWriter, rowsApart, rowWriter } from './writeRows.ts'

export interface SeedOptions {
  size: DemoSize
  /** The same seed, day and size make the same data on both engines. */
  seed?: string
  now?: Date
  timeZone?: string
  /** The store for the demo files' contents; without it, files have only rows. */
  files?: FileStore | null
  progress?: (at: SeedProgress) => void
}
export interface SeedProgress {
  /** Sessions and reward entries written so far, and their total. */
  done: number
  total: number
  what: string
}
/** Thrown if a database has data other than demo data. */
export class NotEmpty extends Error {}

interface Step {
  what: string
  weight: number
  run(tx: Tx): Promise<void>
}

/** Projects in one transaction; sessions or entries in one transaction. */
const CHUNK = 60
const BATCH = 10_000

/**
 * Fills an empty database with the demo data of decisions.md 12; throws NotEmpty.
 * Every step is a transaction that records itself in `meta`, so that an interrupted seed continues where it stopped.
 */
export async function seed(database: Database, options: SeedOptions): Promise<DemoState> {
  const now = options.now ?? new Date()
  const fresh: DemoState = {
    size: options.size,
    seed: options.seed ?? 'fieldwork',
    now: now.toISOString(),
    timeZone: options.timeZone ?? 'America/New_York',
    passwords: { admin: await hashPassword(DEMO_LOGINS.password), client: await hashPassword(DEMO_LOGINS.password) },
    next: 0,
    whole: false,
  }
  const filling = await begin(database, fresh)
  if (filling.is !== 'demo') throw new NotEmpty('The database is not empty: demo data goes into an empty one only.')
  let { state } = filling
  if (state.whole) return state
  const moment = new Date(state.now)
  const calendar = calendarOf(moment, civilToday(state.timeZone, moment), state.timeZone)
  const market = planMarket(state.seed, amountsOf(state.size), calendar, state.passwords)
  const steps = stepsOf(database, market, state, await rowWriter(database, options.files ?? null))
  const total = steps.reduce((sum, step) => sum + step.weight, 0)
  let done = steps.slice(0, state.next).reduce((sum, step) => sum + step.weight, 0)
  while (!state.whole) {
    let step: Step | undefined
    state = await advance(database, async (tx, at) => {
      step = steps[at.next]!
      await step.run(tx)
      return { ...at, next: at.next + 1, whole: at.next + 1 === steps.length }
    })
    done += step?.weight ?? 0
    options.progress?.({ done, total, what: step?.what ?? '' })
  }
  // Neither engine plans well for tables without statistics.
  await sql`analyze`.execute(database.db)
  return state
}

function stepsOf(database: Database, market: Market, state: DemoState, rows: RowWriter): Step[] {
  const steps: Step[] = [{ what: 'people and places', weight: 500, run: (tx) => rows.write(tx, marketRows(market)) }]
  for (let from = 0; from < market.plans.length; from += CHUNK) {
    const plans = market.plans.slice(from, from + CHUNK)
    steps.push({ what: 'projects', weight: plans.length * 30, run: (tx) => rows.write(tx, projectRows(market, plans)) })
    const pieces = plans.flatMap((plan) =>
      plan.activities.flatMap((activity) =>
        activity.survey?.sessions ? piecesOf(activity.survey).map((piece) => ({ plan, piece, activity })) : [],
      ),
    )
    for (const batch of batches(pieces, (one) => one.piece.sessions)) {
      const take = async (tx: Tx) => {
        for (const { plan, piece, activity } of batch)
          await ingestBatch(database, tx, market, state.timeZone, plan, piece, activity)
      }
      steps.push({ what: 'respondents', weight: batch.reduce((sum, one) => sum + one.piece.sessions, 0), run: take })
    }
    for (const { noun, weight } of APART) {
      for (const batch of batches(
        plans.filter((plan) => weight(plan, market) > 0),
        (plan) => weight(plan, market),
      ))
        steps.push({
          what: wordOf(noun, true),
          weight: batch.reduce((sum, plan) => sum + weight(plan, market), 0),
          run: (tx) => rows.write(tx, rowsApart(market, noun, batch)),
        })
    }
  }
  for (const window of windowsOf(market)) {
    const run = async (tx: Tx) => {
      await storeVisits(database, tx, visitsOf(market, window), state.timeZone, { raw: window.raw })
      // A rebuild counts raw visits only, so the time without them is closed to it.
      if (!window.raw) await closeBefore(tx, addDays(window.to, 1))
    }
    steps.push({ what: 'visits', weight: Math.ceil(window.weight / 20), run })
  }
  steps.push({ what: 'sessions', weight: 500, run: (tx) => seedSessions(tx, state.seed, state.now) })
  // Tests make the plans that they need.
  if (state.size !== 'test') steps.push({ what: 'quota plans', weight: 50, run: (tx) => demoQuotas(database, tx, market) })
  steps.push({ what: 'the last touches', weight: 100, run: (tx) => rows.raiseIdentities(tx) })
  return steps
}

async function ingestBatch(
  database: Database,
  tx: Tx,
  market: Market,
  timeZone: string,
  plan: ProjectPlan,
  piece: Piece,
  activity: ProjectPlan['activities'][number],
): Promise<void> {
  const rows = respondentsOf(market.seed, plan, piece, market.audienceOf(plan, activity), market.brandOf(plan), market.calendar)
  await ingest(database, tx, { id: piece.survey.id, project_id: plan.id }, rows, { trusted: true, timeZone })
}

/** Groups neighbors up to the batch size; a bigger one is a batch of its own. */
function* batches<T>(list: readonly T[], sizeOf: (one: T) => number): Generator<T[]> {
  let batch: T[] = []
  let size = 0
  for (const one of list) {
    if (batch.length && size + sizeOf(one) > BATCH) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(one)
    size += sizeOf(one)
  }
  if (batch.length) yield batch
}
