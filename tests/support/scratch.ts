import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps what is in this folder in memory. */
const MEMORY = '/dev/shm'
/** Room that a run never fills, in bytes: a container often has 64 MB there. */
const ENOUGH = 4 * 1024 ** 3
const DAY_MS = 86_400_000

/**
 * Makes a folder for a run's data: in memory where there is room, else in the temporary folder.
 * SQLite writes each commit through to the disk, and a server of a test would wait for it.
 */
export function openScratch(name: string): string {
  const base = hasRoom() ? MEMORY : tmpdir()
  sweep(base, `${name}-`)
  return mkdtempSync(join(base, `${name}-`))
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}

/** Removes what runs that were killed left a day ago. */
function sweep(base: string, prefix: string): void {
  for (const left of readdirSync(base).filter((one) => one.startsWith(prefix))) {
    const stale = Date.now() - (statSync(join(base, left), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > DAY_MS
    if (stale) rmSync(join(base, left), { recursive: true, force: true })
  }
}
