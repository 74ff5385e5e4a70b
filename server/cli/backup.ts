import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { decimal } from '../../contract/decimals.ts'
import { count, fileSize } from '../../contract/format.ts'
import { writeBackup } from '../backup/writeBackup.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings, SettingsError } from '../core/settings.ts'
import { runCommand } from '../exitMessage.ts'
import { openFiles } from '../files/fileStore.ts'

const HELP = `Writes everything into one file while the server runs: all rows as of one moment, and the uploaded files.

  npm run backup -- fieldwork-2026-11-21.tar.gz
  npm run backup -- fieldwork-2026-11-21.tar.gz --replace   overwrites a file of that name

It contains password hashes and the key that signs links, so protect it like the database. Restore it with npm run restore.`

await runCommand(async () => {
  const options = { help: { type: 'boolean' }, replace: { type: 'boolean' } } as const
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  if (positionals.length !== 1) throw new SettingsError(HELP)
  const settings = readSettings(process.env)
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  const file = join(settings.dataDir, 'fieldwork.db')
  if (!settings.directUrl && !existsSync(file))
    throw new SettingsError(`There is no database in ${settings.dataDir}: set DATA_DIR.`)
  const began = Date.now()
  const to = resolve(positionals[0]!)
  if (existsSync(to) && !values.replace) throw new SettingsError(`${to} already exists. Choose another name, or add --replace.`)
  const progress = (what: string) => process.stdout.isTTY && process.stdout.write(`\r${what}\x1b[K`)
  const where = settings.directUrl ? { url: settings.directUrl } : { file }
  const { tables, files, missing } = await writeBackup(where, await openFiles(settings), to, progress)
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `${process.stdout.isTTY ? '\r\x1b[K' : ''}${to}: ${count(rows)} rows of ${Object.keys(tables).length} tables and ${count(files.count)} files, ${fileSize(statSync(to).size)}, in ${decimal((Date.now() - began) / 1000, 1, 1)} s`,
  )
  if (missing.length) console.log(`${count(missing.length)} files have no content in the store and are not in the backup.`)
})
