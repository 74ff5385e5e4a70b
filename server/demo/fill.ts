import { type Settings, SettingsError } from '../core/settings.ts'
import type { Database } from '../db/connect.ts'
import { fillingOf } from '../domain/demoState.ts'
import { openFiles } from '../files/fileStore.ts'
import { type SeedProgress, seed } from './seed.ts'

/**
 * Fills an empty database with demo data at startup, or finishes a partial one; returns whether it is a demo.
 * Throws a SettingsError if others can reach the server and DEMO isn't set, because the demo password is public.
 */
export async function fillWhenEmpty(
  database: Database,
  settings: Pick<Settings, 'demo' | 'demoChosen' | 'publicBecause' | 'timeZone' | 'dataDir' | 'filesUrl'>,
  progress: (at: SeedProgress) => void = barOf('Filling the database with the demo marketplace'),
): Promise<boolean> {
  const filling = await fillingOf(database.db)
  if (filling.is === 'own') return false
  if (filling.is === 'demo' && filling.state.whole) return true
  if (filling.is === 'empty' && settings.demo === 'none') return false
  const size = filling.is === 'demo' ? filling.state.size : settings.demo
  if (size === 'none') return false
  const { demoChosen, publicBecause } = settings
  if (publicBecause.length && !demoChosen)
    throw new SettingsError(
      `Others can reach this server (${publicBecause.join(', ')}), and its database is empty: it would be filled with demo data, whose administrator's password everybody knows. ` +
        'Set DEMO=none and make the first administrator with `npm run admin -- you@example.com`, or set DEMO=demo for a demo that is open to all.',
    )
  await seed(database, { size, timeZone: settings.timeZone, files: await openFiles(settings), progress })
  return true
}

/** Shows progress as a bar on a terminal, else as a few lines. */
export function barOf(title: string): (at: SeedProgress) => void {
  const began = Date.now()
  let printed = -1
  return ({ done, total, what }) => {
    const share = total ? done / total : 1
    const seconds = (Date.now() - began) / 1000
    if (process.stdout.isTTY) {
      const bar = '█'.repeat(Math.floor(share * 30)).padEnd(30, '░')
      const left = share > 0.02 ? `, ${Math.max(0, Math.round((seconds / share) * (1 - share)))} s left` : ''
      process.stdout.write(
        `\r${title}  ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${what}${left}\x1b[K${done >= total ? '\n' : ''}`,
      )
      return
    }
    const tenth = Math.floor(share * 4)
    if (tenth === printed) return
    printed = tenth
    console.log(`${title}: ${Math.floor(share * 100)} % (${seconds.toFixed(1)} s)`)
  }
}
