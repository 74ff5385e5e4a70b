import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepToOneself } from '../core/ownFolder.ts'
import { readSettings, SettingsError } from '../core/settings.ts'
import { KEY_FILE, rotateSigningKey } from '../core/signingKey.ts'
import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { giveUp } from '../exitMessage.ts'

const HELP = `Makes a new key for signed links: downloads (15 minutes), partners' links (14 days), known browsers (180 days).

  npm run signing-key -- --rotate               every link that was given out ends: after the key was seen by somebody
  npm run signing-key -- --rotate --keep-links  links go on working for their own time

Restart the server afterwards, every process of it. With SIGNING_KEY in the environment the key is yours to change: put the new one first, and the
old one behind a comma as long as its links are to work.`

try {
  const options = { help: { type: 'boolean' }, rotate: { type: 'boolean' }, 'keep-links': { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  if (!values.rotate) throw new SettingsError(HELP)
  const settings = readSettings(process.env)
  if (settings.signingKeys.length)
    throw new SettingsError('The key is in SIGNING_KEY: change it there, the new one first, and restart.')
  for (const sentence of keepToOneself(settings)) console.error(sentence)
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
        ? 'it signs, and links of the old key work for their own time, 14 days at most.'
        : 'links of the old key open nothing.'
    }`,
  )
} catch (error) {
  giveUp(error)
}
