import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; one that is there is left as it is.
 * Node's own recursive `mkdir` never returns where an existing parent says that there is no such folder, as mount points do.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
