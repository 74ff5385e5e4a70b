import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { Disk } from 'flydrive'
import type { DriverContract } from 'flydrive/types'
import { randomToken } from '../secrets.ts'
import type { Settings } from '../settings.ts'

/** Where the bytes of files lie; what they are called and whose they are stands in the `files` table. */
export interface FileStore {
  /** Keeps a content under a new key; answers its size in bytes. A failure leaves nothing behind. */
  put(key: string, content: Readable | Uint8Array | string, mime: string): Promise<number>
  /** The content as a stream; throws when there is none. */
  read(key: string): Promise<Readable>
  /** Removes a content; one that is not there is fine. */
  remove(key: string): Promise<void>
  /** Its size in bytes, or null when there is none. */
  size(key: string): Promise<number | null>
}

/** A new key in a folder: nobody can guess it, and no name given by a person is part of a path. */
export function newKey(folder: string, extension: string, now: Date): string {
  return `${folder}/${now.toISOString().slice(0, 7)}/${randomToken(18)}.${extension}`
}

/** Opens the file store of the settings: `FILES_URL` as `s3://bucket/folder?region=…&endpoint=…`, `file:///folder`, or DATA_DIR/files. */
export async function openFiles(settings: Pick<Settings, 'dataDir' | 'filesUrl'>): Promise<FileStore> {
  const url = settings.filesUrl ? new URL(settings.filesUrl) : null
  return url?.protocol === 's3:' ? openBucket(url) : openFolder(url ? fileURLToPath(url) : join(settings.dataDir, 'files'))
}

async function openFolder(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true })
  const { FSDriver } = await import('flydrive/drivers/fs')
  const driver = new FSDriver({ location: folder, visibility: 'private' })
  return storeOf(
    driver,
    '',
    (stream) => stream,
    (key, content) => writeInto(folder, key, content),
  )
}

/**
 * Streams a content into a folder: beside its place, onto the disk, and then into its place, so that it is there as a whole or not at all. By ourselves, as the
 * driver forgets why it failed (a full disk).
 */
async function writeInto(folder: string, key: string, content: Readable): Promise<void> {
  const path = resolve(folder, key)
  if (!path.startsWith(resolve(folder) + sep)) throw new Error(`${key} is no key of a file`)
  const draft = `${path}.part`
  await mkdir(dirname(path), { recursive: true })
  try {
    await pipeline(content, createWriteStream(draft, { flush: true }))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Servers that only speak S3 want the bucket in the path, and not all know the checksums that Amazon's client adds by itself. */
const OTHER_SERVERS = {
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const

/** Loaded only when it is asked for: the S3 client takes longer to start than all the rest. */
async function openBucket(url: URL): Promise<FileStore> {
  const [{ S3Driver }, { S3Client }] = await Promise.all([import('flydrive/drivers/s3'), import('@aws-sdk/client-s3')])
  const given = (name: string) => url.searchParams.get(name) ?? undefined
  const endpoint = given('endpoint')
  // Without a log-in in the address, the client finds its own: environment, profile or the machine's role.
  const credentials = url.username
    ? { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
    : undefined
  const client = new S3Client({
    region: given('region') ?? 'us-east-1',
    ...(endpoint ? { endpoint, ...OTHER_SERVERS } : {}),
    ...(credentials ? { credentials } : {}),
  })
  const folder = url.pathname.replace(/^\/+|\/+$/g, '')
  // Buckets without object ACLs are the rule today, and refuse a write that names one.
  const driver = new S3Driver({ client, bucket: url.host, visibility: 'private', supportsACL: false })
  return storeOf(driver, folder ? `${folder}/` : '', spool)
}

type Feed = (stream: Readable) => Readable | Promise<{ stream: Readable; length: number; done: () => Promise<void> }>

function storeOf(
  driver: DriverContract,
  prefix: string,
  feed: Feed,
  write: ((key: string, content: Readable) => Promise<void>) | null = null,
): FileStore {
  const disk = new Disk(driver)
  const sizeOf = async (key: string) =>
    (await disk.exists(prefix + key)) ? (await disk.file(prefix + key).getMetaData()).contentLength : null
  return {
    async put(key, content, mime) {
      const options = { contentType: mime }
      if (typeof content === 'string' || content instanceof Uint8Array) {
        await disk.put(prefix + key, content, options).catch(async (error: unknown) => {
          await disk.delete(prefix + key).catch(() => {})
          throw error
        })
        return Buffer.byteLength(content)
      }
      if (write) {
        await write(key, content)
        return (await sizeOf(key)) ?? 0
      }
      const fed = await feed(content)
      try {
        await disk.putStream(
          prefix + key,
          fed instanceof Readable ? fed : fed.stream,
          fed instanceof Readable ? options : { ...options, contentLength: fed.length },
        )
      } catch (error) {
        await disk.delete(prefix + key).catch(() => {})
        throw error
      } finally {
        if (!(fed instanceof Readable)) await fed.done()
      }
      return (await sizeOf(key)) ?? 0
    },
    read: (key) => disk.getStream(prefix + key),
    remove: (key) => disk.delete(prefix + key),
    size: sizeOf,
  }
}

/** S3 wants the length before the content: a stream waits in a temporary file, not in memory. */
async function spool(content: Readable) {
  const file = join(tmpdir(), `fieldwork-${randomToken(12)}`)
  const done = () => rm(file, { force: true })
  try {
    await pipeline(content, createWriteStream(file))
  } catch (error) {
    await done()
    throw error
  }
  return { stream: createReadStream(file), length: (await stat(file)).size, done }
}
