import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Thrown if another server uses the data folder. */
export class DataDirLocked extends Error {}

/** Locks a data folder for this process and returns the release; locks of dead processes are taken over. */
export function acquireDataDir(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'server.lock')
  for (let attempt = 0; ; attempt++) {
    try {
      const file = openSync(path, 'wx')
      writeSync(file, String(process.pid))
      closeSync(file)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const pid = Number(readFileSync(path, 'utf8'))
      if (attempt > 2 || (pid && pid !== process.pid && isAlive(pid)))
        throw new DataDirLocked(
          `Another Fieldwork server (process ${pid}) runs on ${folder}. Stop it first, or set DATA_DIR to another folder.`,
        )
      rmSync(path, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
