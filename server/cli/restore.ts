import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { decimal } from '../../contract/decimals.ts'
import { count } from '../../contract/format.ts'
import { assertKnown, holdRecovered, restoreBackup } from '../backup/load.ts'
import { checkBackup } from '../backup/readBackup.ts'
import { acquireDataDir } from '../core/dataDirLock.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings, SettingsError } from '../core/settings.ts'
import { openFiles } from '../files/fileStore.ts'
import { runCommand } from '../operatorCommand.ts'

const HELP = `Restores a backup into the database and the file store of the settings (DATA_DIR, DATABASE_URL, FILES_URL).

  npm run restore -- fieldwork-2026-11-21.tar.gz                     into an empty database
  npm run restore -- fieldwork-2026-11-21.tar.gz --replace           replaces existing data
  npm run restore -- fieldwork-2026-11-21.tar.gz --check             only checks the backup; exit code 2 if files are missing from it
  npm run restore -- fieldwork-2026-11-21.tar.gz --without-missing   goes on if the backup lacks nearly all of its files
  npm run restore -- --recovered                                     after the database was recovered to an earlier moment by its own means

A backup of either engine can be restored into either. Everybody has to sign in again. Queued emails and jobs are held, because they may have
been sent or done since, and rewards being paid are pending again; --resume continues all of them (after a move, when nothing happened since
the backup). The server must be stopped.`

/** Holds what may have been done since the moment to which this server's database was recovered. */
async function afterRecovery(): Promise<void> {
  const settings = readSettings(process.env)
  const leave = settings.databaseUrl ? () => {} : acquireDataDir(settings.dataDir)
  try {
    await holdRecovered(settings.directUrl ? { url: settings.directUrl } : { file: join(settings.dataDir, 'fieldwork.db') })
    console.log('Everybody is signed out; emails, jobs, rewards in payment and webhooks that were waiting are held.')
  } finally {
    leave()
  }
}

const OPTIONS = {
  replace: { type: 'boolean' },
  check: { type: 'boolean' },
  resume: { type: 'boolean' },
  'without-missing': { type: 'boolean' },
  recovered: { type: 'boolean' },
} as const

await runCommand(HELP, OPTIONS, 1, async (values, positionals) => {
  if (positionals.length !== (values.recovered ? 0 : 1)) throw new SettingsError(HELP)
  if (values.recovered) {
    await afterRecovery()
    process.exit(0)
  }
  const path = resolve(positionals[0]!)
  if (!existsSync(path)) throw new SettingsError(`There is no ${path}.`)
  const began = Date.now()
  const rowsOf = (tables: Record<string, { rows: number }>) =>
    count(Object.values(tables).reduce((sum, table) => sum + table.rows, 0))
  if (values.check) {
    const { manifest, lacking, named } = await checkBackup(path)
    assertKnown(manifest)
    const { made_at, engine, release, tables, files } = manifest
    const by = release === undefined ? '' : ` by release ${release}`
    const what = `${rowsOf(tables)} rows and ${count(files.count)} files of ${made_at}, from ${engine}${by}.`
    if (lacking) {
      console.error(`Not whole: ${what} ${count(lacking)} of ${count(named)} contents that its rows name are not in it.`)
      process.exitCode = 2
    } else console.log(`Whole: ${what}`)
  } else {
    const settings = readSettings(process.env)
    for (const sentence of restrictPermissions(settings)) console.error(sentence)
    const leave = settings.databaseUrl ? () => {} : acquireDataDir(settings.dataDir)
    try {
      const { made_at, tables, files, missing } = await restoreBackup(path, {
        where: settings.directUrl ? { url: settings.directUrl } : { file: join(settings.dataDir, 'fieldwork.db') },
        files: await openFiles(settings),
        replace: values.replace === true,
        resume: values.resume === true,
        withoutMissing: values['without-missing'] === true,
        progress: (what) => process.stdout.isTTY && process.stdout.write(`\r${what}\x1b[K`),
      })
      console.log(
        `${process.stdout.isTTY ? '\r\x1b[K' : ''}Restored ${rowsOf(tables)} rows and ${files.count} files of ${made_at} in ${decimal((Date.now() - began) / 1000, 1, 1)} s.`,
      )
      if (missing.length) console.error(`${count(missing.length)} contents that its rows name were not in the backup.`)
    } finally {
      leave()
    }
  }
})
