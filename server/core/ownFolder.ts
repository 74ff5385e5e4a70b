import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeFolder } from './makeFolder.ts'
import type { Settings } from './settings.ts'

/** Permissions of other accounts, in a file's mode. */
const OTHERS = 0o077

/**
 * Restricts the data to the server's own account: umask 077, folders 700, database and key files 600.
 * Returns a sentence for each path that stays readable by others because its mode can't be changed.
 */
export function restrictPermissions({ dataDir, filesUrl }: Pick<Settings, 'dataDir' | 'filesUrl'>): string[] {
  if (process.platform === 'win32') return []
  process.umask(OTHERS)
  makeFolder(dataDir)
  const files = filesUrl?.startsWith('file:') ? fileURLToPath(filesUrl) : null
  const inside = readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile())
  return [
    narrow(dataDir, 0o700),
    ...inside.map((entry) => narrow(join(dataDir, entry.name), 0o600)),
    files && narrow(files, 0o700),
  ].filter((sentence) => sentence !== null)
}

function narrow(path: string, mode: number): string | null {
  const before = modeOf(path)
  if (before === null || !(before & OTHERS)) return null
  try {
    chmodSync(path, mode)
  } catch {
    // Someone else's folder, or a file system without modes: the check below reports it.
  }
  const after = modeOf(path)
  if (after === null || !(after & OTHERS)) return null
  return `${path} can be read by other accounts of this machine (mode ${after.toString(8)}), and this account can't change that: make it ${mode.toString(8)}, because it contains password hashes, personal data and keys.`
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return null
  }
}
