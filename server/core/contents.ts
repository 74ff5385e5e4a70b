import type { FileStore } from './ports.ts'

/** The key of a content's copy without metadata. Another number makes them again, once more is taken out. */
export const plainCopy = (key: string): string => `${key}.plain-3`

/** Removes a content with its copy. */
export async function removeContent(files: FileStore, key: string): Promise<void> {
  await files.remove(key)
  await files.remove(plainCopy(key))
}
