import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ErrorCode } from '../../contract/errorCodes.ts'
import { withoutEnds } from '../../contract/textEnds.ts'
import { HttpError } from '../core/errors.ts'
import type { ContentSums, FileStore } from '../core/ports.ts'
import { randomToken } from '../core/secrets.ts'
import { sweepOld } from './sweep.ts'

/** Other S3 servers need the bucket in the path, and not all support the checksums of Amazon's client. */
const OTHER_SERVERS = {
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const
/** A store silent for this long (ms) is unavailable; without a limit, a request would wait forever. */
const TIMEOUTS = { connectionTimeout: 3000, socketTimeout: 15_000 }
/** Silences the client's console warnings; errors report what goes wrong. */
const silent = () => {}
const QUIET = { trace: silent, debug: silent, info: silent, warn: silent, error: silent }
/** Written at every start, because reading doesn't show whether the key may write. */
const PROBE = '.fieldwork'

/** Opens a bucket by address; its client loads only then, because it takes longer than everything else. */
export async function openBucket(url: URL): Promise<FileStore> {
  const { S3Client, PutObjectCommand, GetObjectCommand, HeadObjectCommand, DeleteObjectCommand, ListObjectsV2Command } =
    await import('@aws-sdk/client-s3')
  const parameter = (name: string) => url.searchParams.get(name) ?? undefined
  const endpoint = parameter('endpoint')
  // Without credentials in the address, the client finds its own: environment, profile or the machine's role.
  const credentials = url.username
    ? { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
    : undefined
  const client = new S3Client({
    region: parameter('region') ?? 'us-east-1',
    maxAttempts: 2,
    requestHandler: TIMEOUTS,
    logger: QUIET,
    ...(endpoint ? { endpoint, ...OTHER_SERVERS } : {}),
    ...(credentials ? { credentials } : {}),
  })
  const folder = withoutEnds(url.pathname, (sign) => sign === '/')
  const at = (key: string) => ({ Bucket: url.host, Key: folder ? `${folder}/${key}` : key })
  const remove = async (key: string) => void (await withSentence(() => client.send(new DeleteObjectCommand(at(key)))))

  const store: FileStore = {
    async put(key, content, mime) {
      if (typeof content === 'string' || content instanceof Uint8Array) {
        const Body = Buffer.from(content)
        await withSentence(() => client.send(new PutObjectCommand({ ...at(key), Body, ContentType: mime })))
        return { size: Body.length, sha256: createHash('sha256').update(Body).digest('hex') }
      }
      const { file, ...sums } = await spool(content)
      try {
        const what = { ...at(key), ContentLength: sums.size, ContentType: mime }
        // The client can't repeat a stream, so a connection that the store has just closed would fail the upload.
        const send = () => client.send(new PutObjectCommand({ ...what, Body: createReadStream(file) }))
        await withSentence(() => send().catch((error: unknown) => (isUnavailable(error) ? send() : Promise.reject(error))))
        return sums
      } catch (error) {
        await remove(key).catch(() => {})
        throw error
      } finally {
        await rm(file, { force: true })
      }
    },
    async read(key, part) {
      const Range = part ? `bytes=${part.from}-${part.to}` : undefined
      const { Body } = await withSentence(() => client.send(new GetObjectCommand({ ...at(key), Range })))
      return Body as Readable
    },
    remove,
    async size(key) {
      const head = await withSentence(() => client.send(new HeadObjectCommand(at(key)))).catch((error: unknown) => {
        if (statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket') return null
        throw error
      })
      return head && (head.ContentLength ?? 0)
    },
    async *list() {
      const Prefix = folder && `${folder}/`
      for (let ContinuationToken: string | undefined; ; ) {
        const page = await withSentence(() =>
          client.send(new ListObjectsV2Command({ Bucket: url.host, Prefix, ContinuationToken })),
        )
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
          if (LastModified) yield { key: Key.slice(Prefix.length), size: Size, at: LastModified }
        ContinuationToken = page.NextContinuationToken
        if (!ContinuationToken) return
      }
    },
    // Objects appear whole or not at all, so a killed process leaves only its temporary files here.
    async sweep() {
      const names = (await readdir(tmpdir())).filter((name) => name.startsWith(SPOOL))
      const swept = await sweepOld(
        names.map((name) => join(tmpdir(), name)),
        SPOOL_LEFT_MS,
      )
      return swept.length
    },
    async trouble() {
      const place = `the file store ${endpoint ? new URL(endpoint).host : 'of Amazon'} (FILES_URL)`
      try {
        await store.put(PROBE, 'Fieldwork keeps its files here.\n', 'text/plain')
        return null
      } catch (error) {
        const name = nameOf(causeOf(error))
        if (name === 'NoSuchBucket') return { fatal: true, sentence: `There is no bucket "${url.host}" in ${place}.` }
        if (isRefused(causeOf(error)))
          return { fatal: true, sentence: `The key was refused by ${place}: ${name}. It must read, write, list and delete.` }
        return { fatal: false, sentence: `Files can't be kept for now: ${place} can't be reached (${name}).` }
      }
    },
  }
  return store
}

/** Runs a store request; failures that the request didn't cause become a sentence, with the cause in the log. */
async function withSentence<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRefused(error) || nameOf(error) === 'NoSuchBucket')
      throw away('files_refused', 'The file store refuses this server. Its operator needs to check the log.', error)
    if (isUnavailable(error))
      throw away('files_away', 'The file store can’t be reached right now. Nothing was changed; please try again.', error)
    throw error
  }
}

const away = (code: ErrorCode, sentence: string, cause: unknown): HttpError =>
  Object.assign(new HttpError(503, code, sentence, { retry_after: 5 }), { cause })

interface StoreError {
  name?: string
  Code?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
}
const statusOf = (error: unknown): number => (error as StoreError)?.$metadata?.httpStatusCode ?? 0
const causeOf = (error: unknown): unknown => (error instanceof HttpError ? error.cause : error)
const nameOf = (error: unknown): string => {
  const { name, Code, code } = (error ?? {}) as StoreError
  return Code ?? (name && name !== 'Error' && name !== 'AggregateError' ? name : (code ?? name ?? 'no reason given'))
}
const isRefused = (error: unknown): boolean =>
  statusOf(error) === 401 || statusOf(error) === 403 || /CredentialsProvider|^InvalidAccessKeyId$/.test(nameOf(error))
const isUnavailable = (error: unknown): boolean =>
  statusOf(error) >= 500 ||
  statusOf(error) === 429 ||
  /^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|EHOST|ENET)|Timeout|SlowDown|NetworkingError/.test(
    `${(error as StoreError)?.code ?? nameOf(error)}`,
  )

/** Prefix of a stream's temporary file. */
export const SPOOL = 'fieldwork-spool-'
/** Longer than any upload takes, so its process must be gone. */
const SPOOL_LEFT_MS = 6 * 3_600_000

/** S3 needs the length first, so a stream is spooled to a temporary file instead of memory. */
async function spool(content: Readable): Promise<ContentSums & { file: string }> {
  const file = join(tmpdir(), `${SPOOL}${randomToken(12)}`)
  try {
    const hash = createHash('sha256')
    const summed = async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        hash.update(piece)
        yield piece
      }
    }
    await pipeline(content, summed, createWriteStream(file, { mode: 0o600 }))
    return { file, size: (await stat(file)).size, sha256: hash.digest('hex') }
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}
