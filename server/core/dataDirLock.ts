import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Thrown if another server uses the data folder, or nobody can lock it. */
export class DataDirLocked extends Error {}

const BUSY = 5
/** Magic numbers of network file systems in statfs: NFS, SMB 1 to 3, 9P, AFS, Ceph. */
const NETWORK = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400])

/**
 * Locks a data folder for this process and returns the release.
 * The lock is a transaction that stays open on a small SQLite file.
 * The kernel holds it across containers and ends it with the process, so no process id or clock is trusted.
 */
export function acquireDataDir(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const about = join(folder, 'server.lock')
  let lock: DatabaseSync | null = null
  try {
    lock = new DatabaseSync(join(folder, 'server.lock.db'))
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock?.close()
    throw new DataDirLocked(sentenceOf(error, folder, about))
  }
  // Only the sentence of a second server reads it.
  writeFileSync(about, `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}`)
  let held: DatabaseSync | null = lock
  return () => {
    if (!held) return
    rmSync(about, { force: true })
    held.close()
    held = null
  }
}

/** A warning for operators if the folder is on a network file system; null otherwise. */
export function networkWarning(folder: string): string | null {
  if (!NETWORK.has(Number(BigInt.asUintN(32, BigInt(statfsSync(folder).type))))) return null
  return `${folder} is on a network file system, where neither its lock nor SQLite can be relied on. Set DATA_DIR to a local disk.`
}

function sentenceOf(error: unknown, folder: string, about: string): string {
  if ((error as { errcode?: number }).errcode !== BUSY)
    return `${folder} can’t be locked (${(error as Error).message}): it must be a folder on a local disk that this account can write to. Set DATA_DIR to another one.`
  return `Another Fieldwork server (${holderOf(about)}) runs on ${folder}. Stop it first, or set DATA_DIR to another folder.`
}

function holderOf(about: string): string {
  try {
    return readFileSync(about, 'utf8').slice(0, 200)
  } catch {
    return 'just starting'
  }
}
