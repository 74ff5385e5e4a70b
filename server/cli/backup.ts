import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { decimal } from '../../contract/decimals.ts'
import { count, fileSize } from '../../contract/format.ts'
import { DRAFT, writeBackup } from '../backup/writeBackup.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings, SettingsError } from '../core/settings.ts'
import { recordBackup } from '../domain/lastBackup.ts'
import { openFiles } from '../files/fileStore.ts'
import { sweepOld } from '../files/sweep.ts'
import { runCommand } from '../operatorCommand.ts'

const HELP = `Writes everything into one file while the server runs: all rows as of one moment, and the uploaded files.

  npm run backup -- fieldwork-2026-11-21.tar.gz
  npm run backup -- fieldwork-2026-11-21.tar.gz --replace           overwrites a file of that name
  npm run backup -- fieldwork-2026-11-21.tar.gz --without-missing   goes on without files that the store lacks

A file that the store lacks makes it fail, with a list, and write nothing. The moment of the last whole backup is stored in the database
(fieldwork_last_backup_timestamp_seconds in the metrics).

It contains password hashes and the key that signs links, so protect it like the database. Restore it with npm run restore.`

/** One untouched for this long was left behind by a killed process. */
const KILLED_MS = 6 * 3_600_000

const OPTIONS = { replace: { type: 'boolean' }, 'without-missing': { type: 'boolean' } } as const

await runCommand(HELP, OPTIONS, 1, async (values, positionals) => {
  if (positionals.length !== 1) throw new SettingsError(HELP)
  const settings = readSettings(process.env)
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  const file = join(settings.dataDir, 'fieldwork.db')
  if (!settings.directUrl && !existsSync(file))
    throw new SettingsError(`There is no database in ${settings.dataDir}: set DATA_DIR.`)
  const began = Date.now()
  const to = resolve(positionals[0]!)
  if (existsSync(to) && !values.replace) throw new SettingsError(`${to} already exists. Choose another name, or add --replace.`)
  assertFolder(dirname(to))
  for (const left of await sweepKilled(dirname(to))) console.error(`${left} of a killed backup was removed.`)
  const progress = (what: string) => process.stdout.isTTY && process.stdout.write(`\r${what}\x1b[K`)
  const where = settings.directUrl ? { url: settings.directUrl } : { file }
  const withoutMissing = values['without-missing'] === true
  const { made_at, tables, files, missing } = await writeBackup(where, await openFiles(settings), to, {
    progress,
    withoutMissing,
  })
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `${process.stdout.isTTY ? '\r\x1b[K' : ''}${to}: ${count(rows)} rows of ${Object.keys(tables).length} tables and ${count(files.count)} files, ${fileSize(statSync(to).size)}, in ${decimal((Date.now() - began) / 1000, 1, 1)} s`,
  )
  if (missing.length) console.error(`${count(missing.length)} contents are missing from the store and from the backup.`)
  else await recordBackup(where, made_at)
})

function assertFolder(folder: string): void {
  if (!existsSync(folder)) throw new SettingsError(`There is no folder ${folder}.`)
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new SettingsError(`This account can’t write to the folder ${folder}.`)
  }
}

/** Removes what killed backups left beside a new one; one that is under way writes all the time. */
async function sweepKilled(folder: string): Promise<string[]> {
  const left = readdirSync(folder).filter((name) => DRAFT.test(name))
  return sweepOld(
    left.map((name) => join(folder, name)),
    KILLED_MS,
  )
}
