import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FileStore } from '../../server/core/ports.ts'
import { newKey, openFiles } from '../../server/files/fileStore.ts'

/** A bucket in memory with as much of S3 as the store needs, over plain HTTP. */
function bucketServer() {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const key = decodeURIComponent((request.url ?? '').split('?')[0] ?? '')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const held = objects.get(key)
    if (request.method === 'PUT') {
      objects.set(key, Buffer.concat(chunks))
      return response.writeHead(200, { etag: '"1"' }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    if (!held) return response.writeHead(404).end()
    response.writeHead(200, {
      'content-length': held.length,
      'content-type': 'text/plain',
      etag: '"1"',
      'last-modified': new Date().toUTCString(),
    })
    return response.end(request.method === 'HEAD' ? undefined : held)
  })
  return { server, objects }
}

const folder = mkdtempSync(join(tmpdir(), 'fieldwork-store-'))
/** This process's own temporary folder, separate from other servers on this machine. */
const temporary = mkdtempSync(join(tmpdir(), 'fieldwork-temporary-'))
const temporaryBefore = process.env.TMPDIR
process.env.TMPDIR = temporary
const { server, objects } = bucketServer()
const stores: Record<string, FileStore> = {}
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  stores['a local folder'] = await openFiles({ dataDir: folder, filesUrl: null })
  stores['a folder by its address'] = await openFiles({
    dataDir: folder,
    filesUrl: pathToFileURL(join(folder, 'else where')).href,
  })
  stores['an S3 bucket'] = await openFiles({
    dataDir: folder,
    filesUrl: `s3://key:se%2Fcret@bucket/inside?endpoint=http://127.0.0.1:${port}`,
  })
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  if (temporaryBefore === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = temporaryBefore
  for (const one of [folder, temporary]) rmSync(one, { recursive: true, force: true })
})

describe.each(['a local folder', 'a folder by its address', 'an S3 bucket'])('%s', (name) => {
  test('returns what was stored, with its size', async () => {
    const key = newKey('uploads', 'txt', new Date())
    const sha256 = createHash('sha256').update('Größe').digest('hex')
    expect(await stores[name]!.put(key, 'Größe', 'text/plain')).toEqual({ size: 7, sha256 })
    expect(await text(await stores[name]!.read(key))).toBe('Größe')
    expect(await stores[name]!.size(key)).toBe(7)
  })

  test('accepts a stream of unknown length', async () => {
    const key = newKey('exports', 'csv', new Date())
    const pages = async function* () {
      for (let page = 0; page < 500; page++) yield `${'x'.repeat(999)}\n`
    }
    const sha256 = createHash('sha256')
      .update(`${'x'.repeat(999)}\n`.repeat(500))
      .digest('hex')
    expect(await stores[name]!.put(key, Readable.from(pages()), 'text/csv')).toEqual({ size: 500_000, sha256 })
    expect((await text(await stores[name]!.read(key))).length).toBe(500_000)
  })

  test('keeps nothing of a broken stream', async () => {
    const key = newKey('exports', 'csv', new Date())
    const broken = async function* () {
      yield 'some'
      throw new Error('gone')
    }
    await expect(stores[name]!.put(key, Readable.from(broken()), 'text/csv')).rejects.toThrow()
    expect(await stores[name]!.size(key)).toBeNull()
  })

  test('has nothing to read where nothing was put', async () => {
    await expect(stores[name]!.read(newKey('uploads', 'txt', new Date()))).rejects.toThrow()
  })

  test('removes, even missing objects', async () => {
    const key = newKey('uploads', 'txt', new Date())
    await stores[name]!.put(key, 'short', 'text/plain')
    await stores[name]!.remove(key)
    await stores[name]!.remove(key)
    expect(await stores[name]!.size(key)).toBeNull()
  })
})

describe('a folder', () => {
  const one = () => stores['a local folder']!
  const inside = () => readdirSync(join(folder, 'files'), { recursive: true })

  test('keeps what it had when bytes that would replace it can’t be written', async () => {
    await one().put('exports/kept.csv', 'old', 'text/csv')
    // Bytes go to a temporary name first, which is taken here.
    mkdirSync(join(folder, 'files/exports/kept.csv.part'))
    await expect(one().put('exports/kept.csv', 'new', 'text/csv')).rejects.toThrow('EISDIR')
    rmdirSync(join(folder, 'files/exports/kept.csv.part'))
    expect(await text(await one().read('exports/kept.csv'))).toBe('old')
  })

  test('names the system’s error that kept it from writing', async () => {
    await one().put('exports/file', 'a file, not a folder', 'text/plain')
    await expect(one().put('exports/file/below.csv', 'x', 'text/csv')).rejects.toMatchObject({ code: 'EEXIST' })
  })

  test('accepts no key that leads out of it', async () => {
    const before = inside()
    for (const key of ['../out.txt', '/etc/out.txt', 'uploads/../../out.txt', ''])
      for (const work of [one().put(key, 'x', 'text/plain'), one().read(key)])
        await expect(work).rejects.toThrow('not a key of a file')
    expect(inside()).toEqual(before)
  })
})

test('a bucket’s objects are in its folder, and a stream’s temporary file is removed', () => {
  expect([...objects.keys()].every((key) => key.startsWith('/bucket/inside/'))).toBe(true)
  expect(readdirSync(temporary)).toEqual([])
})

test('a folder syncs a long content as it comes, so that no commit of SQLite waits for all of it', async () => {
  const some = await open(folder)
  const handle = Object.getPrototypeOf(some) as typeof some
  await some.close()
  const [written, synced] = [vi.spyOn(handle, 'writeFile'), vi.spyOn(handle, 'datasync')]
  try {
    const pieces = Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(1_000_000)))
    expect(await stores['a local folder']!.put(newKey('exports', 'csv', new Date()), pieces, 'text/csv')).toMatchObject({
      size: 20_000_000,
    })
    expect(written).toHaveBeenCalledTimes(20)
    expect(synced).toHaveBeenCalledTimes(5)
    expect(synced.mock.invocationCallOrder[0]).toBeLessThan(written.mock.invocationCallOrder[4]!)
  } finally {
    vi.restoreAllMocks()
  }
})
