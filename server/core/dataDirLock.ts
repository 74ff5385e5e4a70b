import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from './makeFolder.ts'

/** Thrown if another server uses the data folder, or nobody can lock it. */
export class DataDirLocked extends Error {}

const BUSY = 5
/** Magic numbers of network file systems in statfs: NFS, SMB 1 to 3, 9P, AFS, Ceph. */
const NETWORK = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400])

/** How often a holder looks whether its lock is still in the folder, and for how many looks a starting process waits. */
const LOOKS_MS = 500
const LOOKS_AWAITED = 6

/**
 * Locks a data folder for this process and returns the release.
 * The lock is a transaction that stays open on a small SQLite file.
 * The kernel holds it across containers and ends it with the process, so no process id or clock is trusted.
 * If the file is deleted, the holder puts it back, and a process that starts waits for that.
 * `lost` is called if another process has locked the folder all the same. A test may look more often.
 */
export function acquireDataDir(
  folder: string,
  lost: (error: DataDirLocked) => void = (error) => {
    throw error
  },
  looksMs = LOOKS_MS,
): () => void {
  makeFolder(folder)
  awaitHolder(folder, LOOKS_AWAITED * looksMs)
  let held: DirLock | null = hold(folder)
  const looking = setInterval(() => {
    if (!held || held.isThere()) return
    // The lock on the deleted file stays until another is held.
    const before = held
    try {
      held = hold(folder)
      before.lock.close()
    } catch (error) {
      clearInterval(looking)
      lost(error as DataDirLocked)
    }
  }, looksMs).unref()
  return () => {
    clearInterval(looking)
    if (!held) return
    if (held.isThere()) rmSync(aboutIn(folder), { force: true })
    held.lock.close()
    held = null
  }
}

interface DirLock {
  lock: DatabaseSync
  isThere(): boolean
}
const lockIn = (folder: string): string => join(folder, 'server.lock.db')
/** Only the sentence of a second server reads it. */
const aboutIn = (folder: string): string => join(folder, 'server.lock')

function hold(folder: string): DirLock {
  let lock: DatabaseSync | null = null
  try {
    lock = new DatabaseSync(lockIn(folder))
    lock.exec('pragma journal_mode = memory; begin exclusive')
    writeFileSync(aboutIn(folder), `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}`)
  } catch (error) {
    lock?.close()
    throw new DataDirLocked(sentenceOf(error, folder, aboutIn(folder)))
  }
  const own = inodeOf(folder)
  return { lock, isThere: () => inodeOf(folder) === own }
}

const inodeOf = (folder: string): bigint | undefined => statSync(lockIn(folder), { bigint: true, throwIfNoEntry: false })?.ino

/** Waits while a folder that isn't new has no lock file: a server that runs there puts it back. */
function awaitHolder(folder: string, atMost: number): void {
  if (!readdirSync(folder).length) return
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < atMost && !existsSync(lockIn(folder)); waited += 50) Atomics.wait(sleeper, 0, 0, 50)
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
