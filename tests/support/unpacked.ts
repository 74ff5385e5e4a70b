import { accessSync, constants, statSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { leftover } from './leftovers.ts'

const COUNT = '.files'

/**
 * Makes the folder `fieldwork-<name>-<uid>` in the temporary folder once, and returns its path.
 * `fill` writes elsewhere first and the result is moved, so concurrent runs never see half of it.
 */
export async function unpackOnce(name: string, fill: (folder: string) => Promise<void>, root = tmpdir()): Promise<string> {
  const uid = userInfo().uid
  const place = join(root, `fieldwork-${name}-${uid}`)
  if (await isWhole(place, uid)) return place
  const staging = await mkdtemp(`${place}.`)
  const remove = leftover(() => staging !== used && rm(staging, { recursive: true, force: true }))
  let used: string | undefined
  try {
    await fill(staging)
    await writeFile(join(staging, COUNT), String(await countFiles(staging)))
    await chmod(staging, 0o755)
    used = await moveIntoPlace(staging, place, uid)
    return used
  } finally {
    await remove()
  }
}

async function moveIntoPlace(staging: string, place: string, uid: number): Promise<string> {
  try {
    await rename(staging, place)
    return place
  } catch {
    // Another run was faster, or an incomplete or foreign folder is in the way.
    if (await isWhole(place, uid)) {
      await rm(staging, { recursive: true, force: true })
      return place
    }
  }
  const aside = `${staging}.old`
  try {
    await rename(place, aside)
    await rm(aside, { recursive: true, force: true })
    await rename(staging, place)
    return place
  } catch {
    return (await isWhole(place, uid)) ? place : staging
  }
}

/** True if this user made the folder and no cleaner has removed anything from it. */
async function isWhole(place: string, uid: number): Promise<boolean> {
  try {
    if (uid >= 0 && statSync(place).uid !== uid) return false
    return (await countFiles(place)) - 1 === Number(await readFile(join(place, COUNT), 'utf8'))
  } catch {
    return false
  }
}

async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => !entry.isDirectory()).length
}

/** The first temporary folder that we can write and all users can traverse; undefined if there is none. */
export function openTemporaryFolder(): string | undefined {
  return [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].find((folder) => {
    try {
      accessSync(folder, constants.W_OK)
      for (let at = folder; ; at = dirname(at)) {
        if ((statSync(at).mode & 0o001) === 0) return false
        if (at === dirname(at)) return true
      }
    } catch {
      return false
    }
  })
}
