import { type ExpressionBuilder, sql } from 'kysely'
import { ANONYMOUS } from '../core/caller.ts'
import { SKEW_MS } from '../core/clockSkew.ts'
import type { JobKind, Queue, Services, Work, WorkEnd } from '../core/context.ts'
import { asSystem } from '../core/unitOfWork.ts'
import type { Schema } from '../db/schema.ts'
import { claim, JOBS, rowsOf } from './queue.ts'

/** Work isn't restarted once this many processes died while running it. */
const TRIES = 3
/** Rows brought forward in one look. */
const MOST_AHEAD = 1000

/** A process that claims work: its worker name, the kinds it knows, and what it is running. */
interface Taker {
  services: Services
  worker: string
  kinds: ReadonlyMap<string, JobKind>
  running: ReadonlyMap<string, { kind: string }>
}

/** The key of running work in its process. */
export const keyOf = (queue: Queue, { id }: Work): string => `${queue.table} ${id}`

/** Restarts or fails work of dead processes; `first` is this process's first look. */
export async function recoverLost({ services, worker, kinds, running }: Taker, queue: Queue, first: boolean): Promise<void> {
  const { database, now } = services
  // Only one process uses SQLite, so work that another left running is lost.
  const everyStranger = database.engine === 'sqlite' && first && queue.worker
  const { column, below, above } = queue.lost(now())
  const lost = (eb: ExpressionBuilder<Schema, 'jobs'>) =>
    everyStranger
      ? eb.or([eb(queue.worker as 'worker', 'is', null), eb(queue.worker as 'worker', '!=', worker)])
      : eb.or([eb(column as 'beat_at', '<', below), eb(column as 'beat_at', '>', above)])
  const runs = queue.running as 'running'
  for (const row of await rowsOf(queue, database.db).selectAll().where('status', '=', runs).where(lost).execute()) {
    const how = kinds.get(queue.kindOf(row))
    if (!how || running.has(keyOf(queue, row))) continue
    const fault = faultOf(how, row)
    const end: WorkEnd = fault ? { status: 'failed', error: fault } : { status: 'queued' }
    await asSystem(services, 'job.takeUp', ANONYMOUS, async (ctx) => {
      const taken = await ctx.tx
        .updateTable(queue.table as 'jobs')
        .set(queue.ended(row, end, ctx.now))
        .where('id', '=', row.id)
        .where('status', '=', runs)
        .where(lost)
        .executeTakeFirst()
      if (Number(taken.numUpdatedRows)) queue.emitChange(ctx, row)
    })
  }
}

/** The least time (ms) that a queue's work may wait for, beyond the pauses of its kinds. */
const LEAST_WAIT = 60_000
/** Webhooks spread their pauses by up to a fifth. */
const SPREAD = 1.2

/** Brings forward what waits longer than any work may: a clock that was ahead queued it. */
export async function bringForward({ services, kinds }: Taker, queue: Queue): Promise<void> {
  const { database, now } = services
  const at = now().getTime()
  const own = [...kinds.values()].filter((kind) => (kind.queue ?? JOBS) === queue)
  const longest = Math.max(LEAST_WAIT, ...own.flatMap(({ pauses = [] }) => pauses)) * SPREAD
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString()
  const isAhead = (eb: ExpressionBuilder<Schema, 'jobs'>) =>
    eb.and([
      eb('status', '=', 'queued'),
      eb('not_before', '>', iso(at + SKEW_MS)),
      eb.or([
        eb('not_before', '>', iso(at + longest + SKEW_MS)),
        eb.and([eb('created_at', '>', iso(at + SKEW_MS)), eb('not_before', '>=', eb.ref('created_at'))]),
      ]),
    ])
  const rows = await rowsOf(queue, database.db)
    .select(['id', 'created_at', 'not_before'])
    .where(isAhead)
    .limit(MOST_AHEAD)
    .execute()
  for (const { id, created_at, not_before } of rows) {
    const wait = Math.min(Math.max(0, Date.parse(not_before) - Date.parse(created_at)), longest)
    await database.db
      .updateTable(queue.table as 'jobs')
      .set({ not_before: iso(at + wait) })
      .where('id', '=', id)
      .where('not_before', '=', not_before)
      .where('status', '=', 'queued')
      .execute()
  }
}

/** Why work of a dead process isn't restarted, or null. */
function faultOf({ once, pauses }: JobKind, { attempts }: Work): string | null {
  if (once) return 'The server stopped while it ran.'
  if (pauses) return attempts > pauses.length ? `The server stopped while it ran, in the last of ${attempts} tries.` : null
  return attempts >= TRIES ? `The server stopped ${attempts} times while it ran.` : null
}

/**
 * Claims and starts a due job of a kind with capacity; returns false if there is none.
 * The user with the fewest running jobs goes first, then the oldest job, so that nobody's exports block others.
 */
export async function claimNext(taker: Taker, start: (queue: Queue, row: Work) => void): Promise<boolean> {
  const { services, worker, kinds } = taker
  const { database, now } = services
  const open = [...kinds].filter(([kind, { queue }]) => !queue && roomFor(taker, kind) > 0).map(([kind]) => kind)
  if (!open.length) return false
  const due = await database.db
    .selectFrom('jobs')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('jobs')
          .select(({ fn, val }) => [fn.coalesce('created_by', val(0)).as('person'), fn.countAll<number>().as('busy')])
          .where('status', '=', 'running')
          .groupBy('person')
          .as('people'),
      (join) => join.on('people.person', '=', (eb) => eb.fn.coalesce('jobs.created_by', eb.val(0))),
    )
    .select('jobs.id')
    .where('jobs.status', '=', 'queued')
    .where('jobs.not_before', '<=', now().toISOString())
    .where('jobs.kind', 'in', open)
    .orderBy((eb) => eb.fn.coalesce('people.busy', eb.val(0)))
    .orderBy('jobs.id')
    .limit(1)
    .executeTakeFirst()
  if (!due) return false
  const rows = await claim(services, JOBS, worker, (tx) =>
    tx.selectFrom('jobs').select('id').where('id', '=', due.id).where('status', '=', 'queued'),
  )
  // If another process was faster, there may be another job.
  for (const row of rows) start(JOBS as Queue, row)
  return true
}

/** Claims and starts due work of a kind with its own table, oldest first, up to its capacity; false without any. */
export async function claimOwn(
  taker: Taker,
  kind: string,
  queue: Queue,
  start: (queue: Queue, row: Work) => void,
): Promise<boolean> {
  const { services, worker } = taker
  const room = roomFor(taker, kind)
  if (room <= 0) return false
  const due = (db: Services['database']['db']) =>
    rowsOf(queue, db).select('id').where('status', '=', 'queued').where('not_before', '<=', services.now().toISOString())
  // A claim is a write, and SQLite has one at a time.
  const few = queue.next ? await queue.next(services, room) : null
  if (few ? !few.length : !(await due(services.database.db).limit(1).executeTakeFirst())) return false
  const rows = await claim(services, queue, worker, (tx) =>
    few ? due(tx).where('id', 'in', few) : due(tx).orderBy('not_before').orderBy('id').limit(room),
  )
  for (const row of rows) start(queue, row)
  return rows.length > 0
}

const roomFor = ({ kinds, running }: Taker, kind: string): number =>
  (kinds.get(kind)?.width ?? 2) - [...running.values()].filter((one) => one.kind === kind).length

/** When the next work of a queue falls due, or null. */
export async function nextDue({ database, now }: Services, queue: Queue): Promise<Date | null> {
  const waiting = await rowsOf(queue, database.db)
    .select((eb) => eb.fn.min('not_before').as('at'))
    .where('status', '=', 'queued')
    .where('not_before', '>', now().toISOString())
    .executeTakeFirst()
  return waiting?.at ? new Date(waiting.at) : null
}

/** True if work of any queue is due before a moment: one statement, for looks after each commit. */
export async function isAnyDue(services: Services, queues: readonly Queue[], before: Date): Promise<boolean> {
  const due = (queue: Queue) =>
    rowsOf(queue, services.database.db)
      .select((eb) => eb.lit(1).as('one'))
      .where('status', '=', 'queued')
      .where('not_before', '<', before.toISOString())
      .limit(1)
  const isDue = sql<boolean>`${sql.join(
    queues.map((queue) => sql`exists (${due(queue)})`),
    sql` or `,
  )}`
  const { rows } = await sql<{ due: boolean }>`select ${isDue} as due`.execute(services.database.db)
  return rows[0]!.due
}
