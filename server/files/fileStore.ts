import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileStore } from '../core/ports.ts'
import { randomToken } from '../core/secrets.ts'
import type { Settings } from '../core/settings.ts'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'

/** A new key in a folder: unguessable, and without any part of a user's file name. */
export function newKey(folder: string, extension: string, now: Date): string {
  return `${folder}/${now.toISOString().slice(0, 7)}/${randomToken(18)}.${extension}`
}

/** Opens the store in `FILES_URL`: `s3://bucket/folder?region=…&endpoint=…` or `file:///folder`, or DATA_DIR/files. */
export async function openFiles(settings: Pick<Settings, 'dataDir' | 'filesUrl'>): Promise<FileStore> {
  const url = settings.filesUrl ? new URL(settings.filesUrl) : null
  return url?.protocol === 's3:' ? openBucket(url) : openFolder(url ? fileURLToPath(url) : join(settings.dataDir, 'files'))
}
