import { sql } from 'kysely'
import { addDays, civilToday } from '../../../contract/pacing.ts'
import type { Services } from '../../core/context.ts'
import { type Database, type Db, type Tx, transact } from '../../db/connect.ts'
import { settingsOf } from '../organization.ts'
import { clockOf } from './clock.ts'
import { monthsKept } from './months.ts'
import { dayNumberOf } from './serviceList.ts'

const CLOSED_ROW = 'visits_closed_before'
const KEEP_ROW = 'visits_keep'
/** A shorter retention waits this long, so that a slip can be undone. */
const WAIT_MS = 24 * 3_600_000
/** Rows deleted in one transaction on SQLite. */
const AT_ONCE = 5000

/** The retention in effect in months, and a shorter one that was requested. */
interface Keep {
  months: number
  asked: { months: number; at: string } | null
}

/** The day before which visits are refused because raw visits were deleted; null if none were. */
export async function closedBefore(db: Db | Tx): Promise<string | null> {
  return (await read(db, CLOSED_ROW)) ?? null
}

/** Closes the time before a day, whose raw visits are deleted: it accepts no visits and isn't rebuilt. */
export async function closeBefore(tx: Tx, cut: string): Promise<void> {
  const closed = await closedBefore(tx)
  if (closed === null || closed < cut) await put(tx, CLOSED_ROW, cut)
}

/** The retention of raw visits, and what a shorter one would delete and when; 0 months keep everything. */
export async function retentionOf(db: Db | Tx, today: string) {
  const { months, asked } = await keepOf(db, (await settingsOf(db)).visits_keep_months)
  return {
    months,
    closed_before: await closedBefore(db),
    asked: asked && {
      months: asked.months,
      from: new Date(Date.parse(asked.at) + WAIT_MS).toISOString(),
      drops_before: cutOf(today, asked.months),
    },
  }
}

async function read(db: Db | Tx, key: string): Promise<string | undefined> {
  return (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
}

async function put(tx: Tx, key: string, value: string): Promise<void> {
  const row = { key, value }
  await tx
    .insertInto('meta')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** The retention in effect by the setting; the first check adopts it as it is. */
async function keepOf(db: Db | Tx, setting: number): Promise<Keep> {
  const stored = await read(db, KEEP_ROW)
  return stored ? (JSON.parse(stored) as Keep) : { months: setting, asked: null }
}

/** The first day whose raw visits are kept; null if all are. */
function cutOf(today: string, months: number): string | null {
  if (!months) return null
  const [year, month] = today.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10)
}

const isShorter = (one: number, other: number): boolean => one !== 0 && (other === 0 || one < other)

/** Applies the setting: a longer one at once, a shorter one a day after the request; returns the months in effect. */
export async function followKeep(database: Database, now: Date): Promise<number> {
  const setting = (await settingsOf(database.db)).visits_keep_months
  const before = await keepOf(database.db, setting)
  const after = nextKeep(before, setting, now)
  if (JSON.stringify(before) !== JSON.stringify(after) || (await read(database.db, KEEP_ROW)) === undefined)
    await transact(database, (tx) => put(tx, KEEP_ROW, JSON.stringify(after)))
  return after.months
}

function nextKeep({ months, asked }: Keep, setting: number, now: Date): Keep {
  if (!isShorter(setting, months)) return { months: setting, asked: null }
  if (asked?.months !== setting) return { months, asked: { months: setting, at: now.toISOString() } }
  return now.getTime() - Date.parse(asked.at) >= WAIT_MS ? { months: setting, asked: null } : { months, asked }
}

/** Deletes raw visits before a day and closes that time; counters stay. Returns true if anything was deleted. */
export async function dropBefore(database: Database, cut: string, timeZone: string): Promise<boolean> {
  const until = clockOf(timeZone).startOf(dayNumberOf(cut))
  const close = () => transact(database, (tx) => closeBefore(tx, cut))
  return database.engine === 'postgres' ? dropMonths(database, until, close) : deleteOld(database, until, close)
}

async function dropMonths(database: Database, until: number, close: () => Promise<void>): Promise<boolean> {
  const over = (await monthsKept(database, database.db)).filter(({ to }) => to <= until)
  if (!over.length) return false
  await close()
  for (const { name } of over)
    await transact(database, async (tx) => {
      // Gives up soon if a long read holds a lock, because other statements would queue behind this one.
      await sql`set local lock_timeout = '3s'`.execute(tx)
      await sql.raw(`drop table if exists "${name}"`).execute(tx)
    })
  return true
}

/** Deletes by venue, the table's own order, in batches that hardly delay other writers. */
async function deleteOld(database: Database, until: number, close: () => Promise<void>): Promise<boolean> {
  let dropped = false
  const venues = await database.db.selectFrom('venues').select('id').orderBy('id').execute()
  for (const { id } of venues) {
    for (;;) {
      const old = database.db.selectFrom('visits').select('at').where('venue_id', '=', id).where('at', '<', until).orderBy('at')
      if (!(await old.limit(1).executeTakeFirst())) break
      if (!dropped) await close()
      dropped = true
      const last = await old.limit(1).offset(AT_ONCE).executeTakeFirst()
      await transact(database, (tx) =>
        tx
          .deleteFrom('visits')
          .where('venue_id', '=', id)
          .where('at', '<', last ? Math.min(last.at + 1, until) : until)
          .execute(),
      )
    }
  }
  return dropped
}

/** The last day on which a process checked for visits to delete. */
const looked = new WeakMap<Services, string>()

/** Applies the setting, and once a night deletes what is past its retention. */
export async function keepVisits(services: Services): Promise<void> {
  const { database, settings, log } = services
  const now = services.now()
  const months = await followKeep(database, now)
  const today = civilToday(settings.timeZone, now)
  const hour = clockOf(settings.timeZone).hourOf(Math.floor(now.getTime() / 1000))
  const night = hour >= 2 ? today : addDays(today, -1)
  if (looked.get(services) === night) return
  looked.set(services, night)
  const cut = cutOf(today, months)
  if (!cut) return
  try {
    if (await dropBefore(database, cut, settings.timeZone)) log.info(`visits before ${cut} were deleted; their counts stay`)
  } catch (error) {
    looked.delete(services)
    throw error
  }
}
