import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leftover } from './leftovers.ts'

/** A disk that can be filled and freed while a server uses it. */
export interface SmallDisk {
  /** A real disk, or just a limit on the server's file size where nothing may be mounted. */
  is: 'disk' | 'limit'
  folder: string
  /** Leaves this many bytes for the server with that pid. */
  fill(pid: number, left?: number): void
  free(pid: number): void
  remove(): Promise<void>
}

/** A tmpfs of this many MB if we may mount one (root on Linux), else null. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  const ballast = join(folder, 'ballast')
  return {
    is: 'disk',
    folder,
    fill(_pid, left = 0) {
      writeFileSync(ballast, '')
      const { bavail, bsize } = statfsSync(folder)
      try {
        appendFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)))
      } catch (error) {
        // The server took the last of the space first, so the disk is full anyway.
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(ballast),
    remove: leftover(() => {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    }),
  }
}

/** The same by a file size limit (`prlimit` of util-linux), for users who may not mount; null without that program. */
export function limitFiles(): SmallDisk | null {
  const limit = (pid: number, size: string) => execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`])
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
  } catch {
    return null
  }
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-small-'))
  return {
    is: 'limit',
    folder,
    fill: (pid, left = 65_536) => limit(pid, String(left)),
    free: (pid) => limit(pid, 'unlimited'),
    remove: leftover(() => rmSync(folder, { recursive: true })),
  }
}

/** The best this machine offers. */
export const smallDisk = (megabytes: number): SmallDisk | null => mountSmallDisk(megabytes) ?? limitFiles()
