import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps files in this folder in memory. */
const MEMORY = '/dev/shm'
/** More space than a run needs, in bytes; a container often has only 64 MB there. */
const ENOUGH = 4 * 1024 ** 3
const DAY_MS = 86_400_000

/**
 * Makes a folder for a run's data: in memory if there is space, else in the temporary folder.
 * SQLite writes each commit to the disk, which a test's server would wait for.
 */
export function openScratch(name: string): string {
  const base = memoryFolder() ?? tmpdir()
  sweep(base, `${name}-`)
  return mkdtempSync(join(base, `${name}-`))
}

/** The folder whose files stay in memory, if it has enough space and is open to all users; else undefined. */
export function memoryFolder(): string | undefined {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH && statSync(MEMORY).mode & 0o001 ? MEMORY : undefined
  } catch {
    return undefined
  }
}

/** Removes the folders of killed runs after a day. */
function sweep(base: string, prefix: string): void {
  for (const left of readdirSync(base).filter((one) => one.startsWith(prefix))) {
    const stale = Date.now() - (statSync(join(base, left), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > DAY_MS
    if (stale) rmSync(join(base, left), { recursive: true, force: true })
  }
}
