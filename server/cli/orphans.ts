import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { count, fileSize } from '../../contract/format.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings, SettingsError } from '../core/settings.ts'
import { connect } from '../db/connect.ts'
import { openFiles } from '../files/fileStore.ts'
import { findOrphans } from '../files/orphans.ts'
import { runCommand } from '../runCommand.ts'

const HELP = `Lists contents of the file store (FILES_URL, DATA_DIR) that have no file in the database, left behind by servers that were killed during an
upload. The server may run meanwhile.

  npm run orphans                        lists those older than 7 days
  npm run orphans -- --days 30           lists those older than 30 days (at least 1)
  npm run orphans -- --delete            deletes them for good

Don't delete if another installation, such as a restored copy, uses the same folder or bucket: its files have no row here.`

const OPTIONS = { delete: { type: 'boolean' }, days: { type: 'string', default: '7' } } as const

await runCommand(HELP, OPTIONS, 0, async (values) => {
  const days = Number(values.days)
  if (!(days >= 1))
    throw new SettingsError('--days must be a number of at least 1, because newer contents may still get their rows.')
  const settings = readSettings(process.env)
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  const file = join(settings.dataDir, 'fieldwork.db')
  if (!settings.directUrl && !existsSync(file))
    throw new SettingsError(`There is no database in ${settings.dataDir}: set DATA_DIR.`)
  const database = connect(settings.directUrl ? { url: settings.directUrl, poolSize: 1 } : { file })
  try {
    const files = await openFiles(settings)
    const { orphans, named, young, others } = await findOrphans(database, files, new Date(Date.now() - days * 86_400_000))
    // An empty table beside a full store means the wrong database, not a store of orphans.
    if (values.delete && orphans.length && !named)
      throw new SettingsError(
        `Not one of ${count(orphans.length)} contents is in this database. Is it the right one? Nothing was deleted.`,
      )
    for (const { key, size, at } of orphans) {
      if (values.delete) await files.remove(key)
      console.log(`${at.toISOString().slice(0, 10)} ${String(size).padStart(10)} ${key}`)
    }
    const bytes = orphans.reduce((sum, { size }) => sum + size, 0)
    console.log(
      `${count(orphans.length)} contents without a file (${fileSize(bytes)})${values.delete ? ' were deleted' : ''}; ${count(named)} with one; ${count(young)} younger than ${days} days; ${count(others)} of somebody else.`,
    )
    if (orphans.length && !values.delete) console.log('Nothing was deleted. Add --delete to delete them.')
  } finally {
    await database.close()
  }
})
