// Admissions in an open loop, latency from the due time, beside one transaction each and one durable commit:
// `node tests/bench/quotas.bench.ts [--rate 500] [--seconds 10] [--surveys 1] [--engine sqlite|postgres]`.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Services } from '../../server/core/context.ts'
import { connect, type Database, transact } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { type Arrival, admissionDesk } from '../../server/domain/quota/admission.ts'
import { startPostgres } from '../support/postgres.ts'
import { makeSurvey } from '../support/respondents.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
    surveys: { type: 'string', default: '1' },
    engine: { type: 'string', default: '' },
  },
})
const [RATE, SECONDS, SURVEYS] = [Number(values.rate), Number(values.seconds), Number(values.surveys)]
const AGES = [2, 3, 4, 5, 6, 7]
const GENDERS = ['female', 'male']

/** A survey with a live plan of a total, 6 ages and 6 × 2 interlocked cells, which all have room. */
async function livePlan(database: Database): Promise<number> {
  const { project, survey } = await makeSurvey(database)
  const at = new Date().toISOString()
  await transact(database, async (tx) => {
    const { id: plan_id } = await tx
      .insertInto('quota_plans')
      .values({
        ...{ project_id: project.id, survey_id: survey, state: 'live', total: 1_000_000, mode: 'exact', overage_percent: 0 },
        ...{ hold_minutes: 36, silent_minutes: 8, unknown: 'refuse', note: '', live_at: at, created_at: at, updated_at: at },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const room = { target: 1_000_000, ceiling: 1_000_000 }
    const add = async (name: string, kind: 'marginal' | 'interlock', cells: Record<string, (string | number)[]>[]) => {
      const { id: dimension_id } = await tx
        .insertInto('quota_dimensions')
        .values({ plan_id, position: 0, name, kind, fields: JSON.stringify(Object.keys(cells[0]!)) })
        .returning('id')
        .executeTakeFirstOrThrow()
      const rows = cells.map((conditions, position) => ({
        plan_id,
        dimension_id,
        position,
        name,
        conditions: JSON.stringify(conditions),
        ...room,
      }))
      await tx.insertInto('quota_cells').values(rows).execute()
    }
    await tx
      .insertInto('quota_cells')
      .values({ plan_id, dimension_id: null, position: 0, name: 'Total', conditions: '{}', ...room })
      .execute()
    await add(
      'Age',
      'marginal',
      AGES.map((age) => ({ age: [age] })),
    )
    await add(
      'Gender',
      'marginal',
      GENDERS.map((gender) => ({ gender: [gender] })),
    )
    await add(
      'Both',
      'interlock',
      AGES.flatMap((age) => GENDERS.map((gender) => ({ age: [age], gender: [gender] }))),
    )
  })
  return survey
}

let serial = 0
const arrival = (survey_id: number): Arrival => ({
  ...{ survey_id, pid: `p${++serial}`, partner_id: 0, rid: null },
  profile: { age: String(AGES[serial % 6]), gender: GENDERS[serial % 2]! },
})

/** Starts work at its due time, whether or not earlier work is done; returns the latencies in order. */
async function openLoop(work: (nth: number) => Promise<unknown>): Promise<number[]> {
  const began = performance.now()
  const times: Promise<number>[] = []
  for (let nth = 0; nth < RATE * SECONDS; nth++) {
    const due = began + (nth * 1000) / RATE
    if (due > performance.now()) await delay(due - performance.now())
    times.push(work(nth).then(() => performance.now() - due))
  }
  return (await Promise.all(times)).sort((a, b) => a - b)
}

const ms = (times: readonly number[], share: number) =>
  Number(times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1))
const line = (engine: string, path: string, times: readonly number[]) => ({
  ...{ engine, path, count: times.length, p50: ms(times, 0.5), p95: ms(times, 0.95), p99: ms(times, 0.99), most: ms(times, 1) },
})

async function measure(database: Database): Promise<void> {
  await migrate(database)
  const surveys: number[] = []
  for (let at = 0; at < SURVEYS; at++) surveys.push(await livePlan(database))
  const services = { database, now: () => new Date(), stopping: true } as unknown as Services
  const desk = admissionDesk(services)
  await desk.admit(surveys.map(arrival))
  const commits: number[] = []
  for (let nth = 0; nth < 100; nth++) {
    const began = performance.now()
    await transact(database, (tx) =>
      tx
        .updateTable('quota_plans')
        .set({ note: `${nth}` })
        .where('survey_id', '=', surveys[0]!)
        .execute(),
    )
    commits.push(performance.now() - began)
  }
  const lines = [
    line(
      database.engine,
      'one durable commit',
      commits.sort((a, b) => a - b),
    ),
  ]
  const failed: unknown[] = []
  const batched = await openLoop((nth) =>
    desk.admit([arrival(surveys[nth % SURVEYS]!)]).catch((error: unknown) => failed.push(error)),
  )
  lines.push(line(database.engine, 'batched', batched))
  // One transaction for each arrival, one after the other, as a desk without batches would.
  let turn: Promise<unknown> = Promise.resolve()
  const single = await openLoop((nth) => {
    turn = turn.then(() => desk.admit([arrival(surveys[nth % SURVEYS]!)])).catch((error: unknown) => failed.push(error))
    return turn
  })
  lines.push(line(database.engine, 'one transaction each', single))
  console.log(`${RATE} a second over ${SURVEYS} surveys, load ${loadavg()[0]!.toFixed(1)}, ${failed.length} not decided in time`)
  console.table(lines)
}

const folder = mkdtempSync(join(tmpdir(), 'fieldwork-quotas-'))
try {
  if (values.engine !== 'postgres') {
    const database = connect({ file: join(folder, 'fieldwork.db') })
    await measure(database)
    await database.close()
  }
  if (values.engine !== 'sqlite') {
    const postgres = await startPostgres(undefined, { durable: true })
    if ('reason' in postgres) console.log(`PostgreSQL left out: ${postgres.reason}`)
    else {
      const database = connect({ url: await postgres.url('quotas') })
      await measure(database)
      await database.close()
      await postgres.stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
