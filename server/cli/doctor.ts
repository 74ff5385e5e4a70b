import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { count, fileSize } from '../../contract/format.ts'
import { networkWarning } from '../core/dataDirLock.ts'
import { RELEASE } from '../core/release.ts'
import { KEEP_DAYS } from '../core/retention.ts'
import { mailWarning, readSettings, SETTINGS, type Settings } from '../core/settings.ts'
import { connect, type Database } from '../db/connect.ts'
import { newerMigrations, pendingMigrations } from '../db/migrate.ts'
import type { Schema } from '../db/schema.ts'
import { contentSamples } from '../domain/file/fileRows.ts'
import { lastBackup } from '../domain/lastBackup.ts'
import { organizationOf, senderOf } from '../domain/organization.ts'
import { ENDINGS } from '../domain/retention.ts'
import { sentenceOf } from '../exitMessage.ts'
import { openFiles } from '../files/fileStore.ts'
import { openMailer } from '../mail/mailer.ts'
import { runCommand, settingsFromFile } from '../runCommand.ts'
import { certificatesOf } from './certificates.ts'

const HELP = `Looks at everything that this installation needs, and says how it is, one line each; it changes nothing. The server may run meanwhile.

  npm run doctor    exit code 0 if nothing is wrong, 2 if something is, 1 if the settings can't be read`

const DAY_MS = 86_400_000
/** As in docs/monitoring/alerts.yml. */
const BACKUP_OLD_MS = 36 * 3_600_000
const CERTIFICATE_ENDS_MS = 21 * DAY_MS
const CLOCK_OFF_MS = 3000
const DISK_LOW = 1_073_741_824

type Say = (what: string, sentence: string, state?: 'well' | 'look' | 'wrong') => void
const MARKS = { well: 'ok   ', look: 'LOOK ', wrong: 'WRONG' }

await runCommand(HELP, {}, 0, async () => {
  let wrong = 0
  const say: Say = (what, sentence, state = 'well') => {
    if (state === 'wrong') wrong++
    console.log(`${MARKS[state]} ${what.padEnd(12)} ${sentence}`)
  }
  /** A part that fails is wrong, and the others are looked at all the same. */
  const part = async (what: string, look: () => Promise<void> | void) => {
    try {
      await look()
    } catch (error) {
      say(what, sentenceOf(error), 'wrong')
    }
  }
  const settings = readSettings(process.env)
  say(
    'release',
    `Fieldwork ${RELEASE} on Node ${process.version}, ${process.platform} ${process.arch}, as ${userInfo().username}.`,
  )
  saySettings(say)
  await part('folder', () => lookAtFolder(settings, say))
  await part('database', () => lookAtDatabase(settings, say, part))
  await part('mail', async () => {
    const mailer = openMailer(settings)
    const trouble = (await mailer.trouble()) ?? mailWarning(settings)
    mailer.close()
    say(
      'mail',
      trouble ?? (mailer.sends ? 'The SMTP server lets this one sign in.' : 'SMTP_URL is not set: emails stay in the Outbox.'),
      trouble ? 'wrong' : 'well',
    )
  })
  await part('certificates', async () => {
    for (const { name, until, fault } of await certificatesOf(settings)) {
      const soon = until !== null && until.getTime() - Date.now() < CERTIFICATE_ENDS_MS
      const ends = until ? `valid until ${until.toISOString().slice(0, 10)}` : 'not seen'
      say('certificate', `${name}: ${ends}${fault ? `; ${fault}` : ''}.`, fault ? 'wrong' : soon ? 'look' : 'well')
    }
  })
  if (wrong) {
    console.log(`${count(wrong)} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`)
    process.exitCode = 2
  }
})

/** The settings that are set, and where; of those with secrets only that they are. */
function saySettings(say: Say): void {
  const named = SETTINGS.filter((name) => process.env[name]?.trim())
  const shown = named.map((name) => {
    return `${name}=${withoutSecret(process.env[name]!.trim(), name)}${settingsFromFile.has(name) ? ' (file)' : ''}`
  })
  say('settings', shown.length ? `${shown.join(', ')}.` : 'None is set; all are as usual.')
}

/** A value without what may be secret: of an address its host and path, of a key only that it is set. */
function withoutSecret(value: string, name: string): string {
  if (/KEY|PASSWORD|READ_URL/.test(name)) return '(set)'
  if (!/:\/\//.test(value)) return value
  return URL.canParse(value) ? `${new URL(value).protocol}//${new URL(value).host}${new URL(value).pathname}` : '(set)'
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
  settings: Settings,
  say: Say,
  part: (what: string, look: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const file = join(settings.dataDir, 'fieldwork.db')
  if (!settings.directUrl && !existsSync(file)) return say('database', `There is no ${file}: no server has run here yet.`, 'look')
  const database = connect(settings.directUrl ? { url: settings.directUrl, poolSize: 1 } : { file })
  try {
    const [about, now] = await (database.engine === 'postgres' ? aboutPostgres(database) : aboutSqlite(database, file))
    say('database', about)
    const [pending, newer] = [await pendingMigrations(database), await newerMigrations(database)]
    if (newer.length) say('migrations', `A newer release has run ${newer.join(', ')}.`, 'look')
    if (pending.length) {
      say('migrations', `The next start runs ${pending.length}: ${pending.join(', ')}. Back up first.`, 'look')
      return
    }
    if (!newer.length) say('migrations', 'None is pending.')
    if (now) {
      const off = Math.abs(now.at.getTime() - now.here)
      say('clock', `${(off / 1000).toFixed(1)} s from the database’s.`, off > CLOCK_OFF_MS ? 'wrong' : 'well')
    }
    await part('files', () => lookAtFiles(settings, database, say))
    const last = await lastBackup(database.db)
    const old = !last || Date.now() - last.getTime() > BACKUP_OLD_MS
    say(
      'backup',
      last ? `The last whole one by npm run backup is of ${last.toISOString()}.` : 'npm run backup has made none.',
      old ? 'look' : 'well',
    )
    const { address } = senderOf(await organizationOf(database.db)).from
    say('sender', `Emails come from ${address}.`, settings.smtpUrl && address.endsWith('.test') ? 'wrong' : 'well')
    await sayGrowing(settings, database, say)
  } finally {
    await database.close()
  }
}

async function lookAtFiles(settings: Settings, database: Database, say: Say): Promise<void> {
  const files = await openFiles(settings)
  const trouble = await files.trouble()
  if (trouble) return say('files', trouble.sentence, 'wrong')
  const samples = await contentSamples(database)
  let missing = 0
  for (const { storage_key } of samples) if ((await files.size(storage_key)) === null) missing++
  say(
    'files',
    `Of ${count(samples.length)} files that were looked for, ${count(missing)} have no content in the store.`,
    missing ? 'wrong' : 'well',
  )
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
async function sayGrowing(settings: Settings, database: Database, say: Say): Promise<void> {
  const byItself = (Object.entries(ENDINGS) as [keyof Schema, string][]).filter(([, ending]) => !/^(a|its) /.test(ending))
  for (const [table, ending] of byItself) {
    const { rows } = await (database.engine === 'postgres'
      ? sql<{ n: number }>`select coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint as n from pg_class c
            where c.oid = ${table}::regclass or c.oid in (select inhrelid from pg_inherits where inhparent = ${table}::regclass)`
      : sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`
    ).execute(database.db)
    const rule =
      ending in KEEP_DAYS ? `${settings.keepDays[ending as keyof typeof KEEP_DAYS] || 'all'} days (KEEP_DAYS=${ending})` : ending
    say('grows', `${table}: ${database.engine === 'postgres' ? 'about ' : ''}${count(Number(rows[0]!.n))} rows; ends by ${rule}.`)
  }
}
