import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings, SettingsError } from '../core/settings.ts'
import { KEY_FILE, rotateSigningKey } from '../core/signingKey.ts'
import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { runCommand } from '../runCommand.ts'

const HELP = `Creates a new key for signed links: downloads (15 minutes), partners' links (14 days), known browsers (180 days).

  npm run signing-key -- --rotate               ends all existing links; use it if somebody has seen the key
  npm run signing-key -- --rotate --keep-links  existing links work until they expire

Restart every process of the server afterwards. If the key is in SIGNING_KEY, change it there: put the new one first, and the old one after a
comma while its links should work.`

const OPTIONS = { rotate: { type: 'boolean' }, 'keep-links': { type: 'boolean' } } as const

await runCommand(HELP, OPTIONS, 0, async (values) => {
  if (!values.rotate) throw new SettingsError(HELP)
  const settings = readSettings(process.env)
  if (settings.signingKeys.length)
    throw new SettingsError('The key is in SIGNING_KEY. Change it there, with the new one first, and restart.')
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  const file = join(settings.dataDir, 'fieldwork.db')
  if (!settings.directUrl && !existsSync(file))
    throw new SettingsError(`There is no database in ${settings.dataDir}: set DATA_DIR.`)
  const database = connect(settings.directUrl ? { url: settings.directUrl, poolSize: 1 } : { file })
  try {
    await migrate(database)
    await rotateSigningKey(database, settings.dataDir, values['keep-links'] === true, new Date())
  } finally {
    await database.close()
  }
  console.log(
    `A new key is in ${settings.databaseUrl ? 'the database' : join(settings.dataDir, KEY_FILE)}. Restart the server: from then on ${
      values['keep-links']
        ? 'it signs, and links of the old key work until they expire, at most 14 days.'
        : 'links of the old key no longer work.'
    }`,
  )
})
