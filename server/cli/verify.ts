import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { count } from '../../contract/format.ts'
import { checkDatabase } from '../backup/checkDatabase.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings } from '../core/settings.ts'
import { connect, type Database } from '../db/connect.ts'
import { isTooOld, newerMigrations, pendingMigrations, TOO_OLD } from '../db/migrate.ts'
import { miscounted } from '../domain/miscounted.ts'
import { Refused } from '../exitMessage.ts'
import { checkFiles } from '../files/checkFiles.ts'
import { openFiles } from '../files/fileStore.ts'
import { runCommand } from '../operatorCommand.ts'

const HELP = `Checks the database, the files and the counters of the settings (DATA_DIR, DATABASE_URL, FILES_URL), and changes nothing. The server may
run meanwhile; what it counts at that moment can differ then, so check again before you believe it.

  npm run verify              reads everything; exit code 0 if all is well, 2 if not, 1 if it couldn't check
  npm run verify -- --quick   compares the sizes of files instead of reading them`

/** The counters, as a sentence for each kind that differs. */
async function checkCounters(database: Database): Promise<{ faults: string[]; sentence: string }> {
  const { off, kinds } = await miscounted(database.db, database.engine)
  return {
    faults: off.map(
      ({ what, count: differing, first }) =>
        `The stored ${what} aren’t what is counted: ${count(differing)} ${differing === 1 ? 'differs' : 'differ'}, first at ${first}.`,
    ),
    sentence: `The counters are right: ${count(kinds)} kinds were counted again.`,
  }
}

await runCommand(HELP, { quick: { type: 'boolean' } }, 0, async (values) => {
  const settings = readSettings(process.env)
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  const where = settings.directUrl ? { url: settings.directUrl } : { file: join(settings.dataDir, 'fieldwork.db') }
  let faults = 0
  const say = (sentence: string, fault = false) => {
    if (fault) faults++
    console.log(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${sentence}`)
  }
  const { well, sentence } = await checkDatabase(where)
  // Opening what isn't there would create it.
  if (where.file !== undefined && !existsSync(where.file)) throw new Refused(sentence)
  say(sentence, !well)
  const database = connect(where.url === undefined ? where : { ...where, poolSize: 1 })
  /** A part that can't be checked because of damage says so, and the others are checked all the same. */
  const part = async (name: string, check: () => Promise<{ faults: string[]; sentence: string }>) => {
    try {
      const found = await check()
      for (const fault of found.faults) say(fault, true)
      if (!found.faults.length) say(found.sentence)
    } catch (error) {
      if (!database.isDamaged(error)) throw error
      say(`The ${name} couldn’t be checked, because the database can’t be read.`, true)
    }
  }
  try {
    if (well) {
      if (await isTooOld(database)) throw new Refused(TOO_OLD)
      const differing = [...(await pendingMigrations(database)), ...(await newerMigrations(database))]
      if (differing.length)
        throw new Refused(`The files and counters weren’t checked: the database is of another release (${differing.join(', ')}).`)
    }
    const progress = (what: string) => process.stdout.isTTY && process.stdout.write(`\r${what}\x1b[K`)
    await part('files', async () => checkFiles(database, await openFiles(settings), values.quick === true, progress))
    await part('counters', () => checkCounters(database))
  } finally {
    await database.close().catch(() => {})
  }
  if (faults) {
    console.log(`${count(faults)} ${faults === 1 ? 'thing is' : 'things are'} wrong.`)
    process.exitCode = 2
  }
})
