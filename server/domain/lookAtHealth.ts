import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { decimal } from '../../contract/decimals.ts'
import { count, counted, fileSize } from '../../contract/format.ts'
import type { HealthLine } from '../../contract/health.ts'
import { certificatesOf } from '../core/certificates.ts'
import { networkWarning } from '../core/dataDirLock.ts'
import { KEEP_DAYS } from '../core/keepDays.ts'
import type { Mailer } from '../core/ports.ts'
import { mailWarning, type Settings } from '../core/settings.ts'
import type { Database } from '../db/connect.ts'
import { isTooOld, migrationNames, newerMigrations, oneWayMigrations, pendingMigrations, TOO_OLD } from '../db/migrate.ts'
import type { Schema } from '../db/schema.ts'
import { ENDINGS } from './endings.ts'
import { lastBackup } from './lastBackup.ts'
import { organizationOf, senderOf } from './organization.ts'

const DAY_MS = 86_400_000
/** As in docs/monitoring/alerts.yml. */
const BACKUP_OLD_MS = 36 * 3_600_000
const CERTIFICATE_ENDS_MS = 21 * DAY_MS
const CLOCK_OFF_MS = 3000
const DISK_LOW = 1_073_741_824

/** Takes a line; it is `well` unless it says otherwise. */
export type Say = (part: string, sentence: string, state?: HealthLine['state']) => void

/** What is looked at. */
interface Installation {
  settings: Settings
  mailer: Mailer
  /** Opens the database; null if there is none yet. */
  database(): Database | null
  /** Looks for contents in the store. */
  contents(database: Database): Promise<{ trouble: string } | { looked: number; missing: number }>
  /** Tables of SQLite are counted up to so many rows; all if it is null. */
  countTo: number | null
  /** The sentence of an error that a part ends with. */
  sentenceOf(error: unknown): string
}

/** Looks at everything that an installation needs, and says how it is; it changes nothing. */
export async function lookAtHealth(installation: Installation, say: Say): Promise<void> {
  const { settings, mailer, sentenceOf } = installation
  /** A part that fails is wrong, and the others are looked at all the same. */
  const look = async (part: string, work: () => Promise<void> | void) => {
    try {
      await work()
    } catch (error) {
      say(part, sentenceOf(error), 'wrong')
    }
  }
  await look('folder', () => lookAtFolder(settings, say))
  await look('database', () => lookAtDatabase(installation, say, look))
  await look('mail', async () => {
    const trouble = (await mailer.trouble()) ?? mailWarning(settings)
    say(
      'mail',
      trouble ?? (mailer.sends ? 'The SMTP server lets this one sign in.' : 'SMTP_URL is not set: emails stay in the Outbox.'),
      trouble ? 'wrong' : 'well',
    )
  })
  await look('certificates', async () => {
    for (const { name, until, fault } of await certificatesOf(settings)) {
      const soon = until !== null && until.getTime() - Date.now() < CERTIFICATE_ENDS_MS
      const ends = until ? `valid until ${until.toISOString().slice(0, 10)}` : 'not seen'
      // From inside a network, its public address may not be reached.
      const state = until === null || (soon && !fault) ? 'look' : fault ? 'wrong' : 'well'
      say('certificate', `${name}: ${ends}${fault ? `; ${fault}` : ''}.`, state)
    }
  })
}

function lookAtFolder(settings: Settings, say: Say): void {
  const { dataDir } = settings
  if (!existsSync(dataDir)) {
    say('folder', `There is no ${dataDir}: the first start creates it, or DATA_DIR is wrong.`, 'look')
    return
  }
  accessSync(dataDir, constants.R_OK | constants.W_OK)
  const mode = statSync(dataDir).mode & 0o777
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const network = networkWarning(dataDir)
  if (network) say('folder', network, 'wrong')
  if (mode & 0o077 && process.platform !== 'win32')
    say('folder', `${dataDir} can be read by other accounts (mode ${mode.toString(8)}): make it 700.`, 'wrong')
  say('folder', `${dataDir}, mode ${mode.toString(8)}, ${fileSize(free)} free.`, free < DISK_LOW ? 'wrong' : 'well')
}

async function lookAtDatabase(
  installation: Installation,
  say: Say,
  look: (part: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { settings, countTo } = installation
  const file = join(settings.dataDir, 'fieldwork.db')
  const database = installation.database()
  if (!database) return say('database', `There is no ${file}: no server has run here yet.`, 'look')
  const [about, now] = await (database.engine === 'postgres' ? aboutPostgres(database) : aboutSqlite(database, file))
  say('database', about)
  if (await isTooOld(database)) return say('migrations', TOO_OLD, 'wrong')
  const [pending, newer] = [await pendingMigrations(database), await newerMigrations(database)]
  if (newer.length) say('migrations', `A newer release has run ${newer.join(', ')}.`, 'look')
  if (pending.length === migrationNames(database.engine).length) {
    say('migrations', `The database is empty: the first start runs all ${count(pending.length)}.`, 'look')
    return
  }
  if (pending.length) {
    const oneWay = await oneWayMigrations(database)
    const back = oneWay.length
      ? ` There is no way back from ${oneWay.join(', ')} but a backup.`
      : ' The older release can be started again.'
    say('migrations', `The next start runs ${count(pending.length)}: ${pending.join(', ')}.${back}`, 'look')
    return
  }
  if (!newer.length) say('migrations', 'None is pending.')
  if (now) {
    const off = Math.abs(now.at.getTime() - now.here)
    say('clock', `${decimal(off / 1000, 1, 1)} s from the database’s.`, off > CLOCK_OFF_MS ? 'wrong' : 'well')
  }
  await look('files', async () => {
    const contents = await installation.contents(database)
    if ('trouble' in contents) return say('files', contents.trouble, 'wrong')
    const { looked, missing } = contents
    say(
      'files',
      `Of ${count(looked)} files that were looked for, ${count(missing)} have no content in the store.`,
      missing ? 'wrong' : 'well',
    )
  })
  const last = await lastBackup(database.db)
  const old = !last || Date.now() - last.getTime() > BACKUP_OLD_MS
  say(
    'backup',
    last ? `The last whole one by npm run backup is of ${last.toISOString()}.` : 'npm run backup has made none.',
    old ? 'look' : 'well',
  )
  const { address } = senderOf(await organizationOf(database.db)).from
  say('sender', `Emails come from ${address}.`, settings.smtpUrl && address.endsWith('.test') ? 'wrong' : 'well')
  await sayGrowing(settings, database, countTo, say)
}

type About = [about: string, now: { at: Date; here: number } | null]

async function aboutPostgres(database: Database): Promise<About> {
  const { rows } = await sql<{ version: string; role: string; size: string; standby: boolean; replicas: string; at: Date }>`
    select current_setting('server_version') as version, current_user as role, pg_database_size(current_database()) as size,
      pg_is_in_recovery() as standby, (select count(*) from pg_stat_replication) as replicas, clock_timestamp() as at`.execute(
    database.db,
  )
  const { version, role, size, standby, replicas, at } = rows[0]!
  const what = `PostgreSQL ${version}, role ${role}, ${fileSize(Number(size))}, ${standby ? 'a standby' : `${replicas} replicas`}.`
  return [what, { at: new Date(at), here: Date.now() }]
}

async function aboutSqlite(database: Database, file: string): Promise<About> {
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(database.db)
  return [`SQLite ${rows[0]!.version}, ${file}, ${fileSize(statSync(file).size)}.`, null]
}

/** The tables that grow by themselves, how many rows they have, and what ends them. */
async function sayGrowing(settings: Settings, database: Database, countTo: number | null, say: Say): Promise<void> {
  const byItself = (Object.entries(ENDINGS) as [keyof Schema, string][]).filter(([, ending]) => !/^(a|its) /.test(ending))
  for (const [table, ending] of byItself)
    say('grows', `${table}: ${await rowsOf(database, table, countTo)}; kept ${howLong(ending, settings)}.`)
}

/** How long the rows of a table are kept, and which setting says so. */
function howLong(ending: string, { keepDays, historyYears, eventMonths }: Settings): string {
  const years = historyYears ? counted(historyYears, 'year') : 'for good'
  const months = `${eventMonths ? `${counted(eventMonths, 'month')}, ` : ''}up to a fixed number`
  if (ending === 'HISTORY_YEARS') return `${years} (HISTORY_YEARS=${historyYears})`
  if (ending === 'EVENT_MONTHS') return `${months} (EVENT_MONTHS=${eventMonths})`
  if (!(ending in KEEP_DAYS)) return ending
  const days = keepDays[ending as keyof typeof KEEP_DAYS]
  return `${days ? counted(days, 'day') : 'for good'} (KEEP_DAYS=${ending}=${days})`
}

/** How many rows a table has: PostgreSQL's estimate, or of SQLite a count up to `countTo`. */
async function rowsOf({ db, engine }: Database, table: keyof Schema, countTo: number | null): Promise<string> {
  if (engine === 'postgres') {
    const { rows } = await sql<{ n: string }>`select coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint as n from pg_class c
      where c.oid = ${table}::regclass or c.oid in (select inhrelid from pg_inherits where inhparent = ${table}::regclass)`.execute(
      db,
    )
    return `about ${counted(Number(rows[0]!.n), 'row')}`
  }
  // A negative limit is none.
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from ${sql.table(table)} limit ${
    countTo === null ? -1 : countTo + 1
  })`.execute(db)
  const { n } = rows[0]!
  return countTo !== null && n > countTo ? `more than ${count(countTo)} rows` : counted(n, 'row')
}
