import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { count } from '../../contract/format.ts'
import { RELEASE } from '../core/release.ts'
import { readSettings, SETTINGS, type Settings } from '../core/settings.ts'
import { connect, type Database } from '../db/connect.ts'
import { contentSamples } from '../domain/file/fileRows.ts'
import { lookAtHealth, type Say } from '../domain/lookAtHealth.ts'
import { sentenceOf } from '../exitMessage.ts'
import { openFiles } from '../files/fileStore.ts'
import { openMailer } from '../mail/mailer.ts'
import { runCommand, settingsFromFile } from '../operatorCommand.ts'

const HELP = `Looks at everything that this installation needs, and says how it is, one line each; it changes nothing. The server may run meanwhile.

  npm run doctor    exit code 0 if nothing is wrong, 2 if something is, 1 if the settings can't be read`

const MARKS = { well: 'ok   ', look: 'LOOK ', wrong: 'WRONG' }

await runCommand(HELP, {}, 0, async () => {
  let wrong = 0
  const say: Say = (part, sentence, state = 'well') => {
    if (state === 'wrong') wrong++
    console.log(`${MARKS[state]} ${part.padEnd(12)} ${sentence}`)
  }
  const settings = readSettings(process.env)
  say('release', `Fieldwork ${RELEASE} on Node ${process.version}, ${process.platform} ${process.arch}, as ${accountName()}.`)
  saySettings(say)
  const mailer = openMailer(settings)
  let opened: Database | null = null
  try {
    await lookAtHealth(
      {
        settings,
        mailer,
        database: () => (opened = databaseOf(settings)),
        contents: (database) => lookForContents(settings, database),
        countTo: null,
        sentenceOf,
      },
      say,
    )
  } finally {
    await (opened as Database | null)?.close()
    await mailer.close()
  }
  if (wrong) {
    console.log(`${count(wrong)} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`)
    process.exitCode = 2
  }
})

/** The account that this runs as; a container's may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.()}`
  }
}

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

function databaseOf({ directUrl, dataDir }: Settings): Database | null {
  const file = join(dataDir, 'fieldwork.db')
  if (!directUrl && !existsSync(file)) return null
  return connect(directUrl ? { url: directUrl, poolSize: 1 } : { file })
}

async function lookForContents(settings: Settings, database: Database) {
  const files = await openFiles(settings)
  const trouble = await files.trouble()
  if (trouble) return { trouble: trouble.sentence }
  const samples = await contentSamples(database)
  let missing = 0
  for (const { storage_key } of samples) if ((await files.size(storage_key)) === null) missing++
  return { looked: samples.length, missing }
}
