import { rm, stat } from 'node:fs/promises'
import type { Services } from '../core/context.ts'
import { sweepChanges } from '../core/undo/changeSets.ts'
import { blankDeleted } from '../domain/user/deleted.ts'
import { lookForContents } from './lookForContents.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * At startup and daily, removes leftovers of killed processes.
 * Each hour, looks whether contents are there, and removes what can no longer be undone.
 * That is change sets with their files, and what deleted users have left.
 */
export function sweepDaily(services: Services): void {
  const sweep = async () => {
    try {
      const swept = await services.files.sweep()
      if (swept) services.log.info(`${swept} half-written ${swept === 1 ? 'file' : 'files'} of a killed process were removed`)
    } catch (error) {
      // The folder may be unavailable or not entirely ours; leftovers only take space.
      services.log.warn({ err: error }, 'looking for half-written files failed')
    }
  }
  const forget = async () => {
    try {
      await sweepChanges(services, true)
      await blankDeleted(services)
    } catch (error) {
      services.log.warn({ err: error }, 'removing what can’t be undone any more failed')
    }
  }
  const look = async () => {
    try {
      await lookForContents(services)
    } catch (error) {
      services.log.warn({ err: error }, 'looking for the contents of files failed')
    }
  }
  void look().then(sweep).then(forget)
  setInterval(look, HOUR_MS).unref()
  setInterval(sweep, DAY_MS).unref()
  setInterval(forget, HOUR_MS).unref()
}

/** Removes files untouched for this many milliseconds and returns them; concurrent sweeps are fine. */
export async function sweepOld(files: AsyncIterable<string> | Iterable<string>, left: number): Promise<string[]> {
  const swept: string[] = []
  for await (const file of files) {
    const found = await stat(file).catch(() => null)
    if (!found || Date.now() - found.mtimeMs <= left) continue
    await rm(file, { force: true })
    swept.push(file)
  }
  return swept
}
