import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SPOOL } from '../../server/files/bucket.ts'
import { openFiles } from '../../server/files/fileStore.ts'
import { engine } from '../support/engine.ts'
import { type S3, startS3 } from '../support/s3.ts'
import { type Answer, type Fieldwork, fieldwork } from './support.ts'

/** Files don't involve the engine, so one is enough. */
describe.runIf(engine === 'sqlite')('files in a real S3 server', () => {
  let s3: S3
  /** Temporary files of other tests, or of killed processes. */
  let others: Set<string>
  let app: Fieldwork
  let base: string
  beforeAll(async () => {
    others = new Set(readdirSync(tmpdir()))
    s3 = await startS3()
    app = await fieldwork({ FILES_URL: s3.filesUrl() })
    base = await app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await s3?.stop()
  })
  const open = (other?: Parameters<S3['filesUrl']>[0]) => openFiles({ dataDir: tmpdir(), filesUrl: s3.filesUrl(other) })
  const form = (content: string) => {
    const edge = 'edge-of-the-form'
    const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="Maß & Größe.txt"\r\n\r\n`
    return { type: `multipart/form-data; boundary=${edge}`, body: Buffer.from(`${head}${content}\r\n--${edge}--\r\n`) }
  }
  const bring = (content: string) => {
    const { type, body } = form(content)
    return app.as('admin').raw('POST', '/v3/portal/files', body, { 'content-type': type })
  }
  const linkOf = (answer: Answer) => (JSON.parse(answer.text) as { data: { url: string }[] }).data[0]!.url
  const spooled = () => readdirSync(tmpdir()).filter((name) => name.startsWith(SPOOL) && !others.has(name))

  test('are stored, measured, read in full and in part, and removed, under any name', async () => {
    const store = await open()
    const key = 'odd/ö ü+&?#%=\'"(1).txt'
    expect(await store.put(key, 'Größe', 'text/plain')).toMatchObject({ size: 7 })
    expect(await store.size(key)).toBe(7)
    expect(await text(await store.read(key))).toBe('Größe')
    expect(await text(await store.read(key, { from: 1, to: 3 }))).toBe('rö')
    expect(s3.keys()).toContain(`files/${key}`)
    await store.remove(key)
    await store.remove(key)
    expect(await store.size(key)).toBeNull()
  })

  test('of 40 MB go through as a stream of unknown length', async () => {
    const store = await open()
    const piece = Buffer.alloc(1_000_000, 'abcdefg')
    const pieces = function* () {
      for (let nth = 0; nth < 40; nth++) yield piece
    }
    expect(await store.put('big', Readable.from(pieces()), 'text/csv')).toMatchObject({ size: 40_000_000 })
    const back = await buffer(await store.read('big'))
    expect(back.length).toBe(40_000_000)
    expect(back.subarray(-1_000_000).equals(piece)).toBe(true)
    await store.remove('big')
  })

  test('of unknown length arrive though the store closes the first connection under them', async () => {
    const { port } = new URL(new URL(s3.filesUrl()).searchParams.get('endpoint')!)
    let cut = 0
    const proxy = createServer((client) => {
      if (cut++ === 0) return void client.once('data', () => client.resetAndDestroy())
      const server = connect(Number(port), '127.0.0.1')
      client.pipe(server).pipe(client)
      for (const socket of [client, server]) socket.on('error', () => {})
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    onTestFinished(() => void proxy.close())
    const through = s3.filesUrl().replace(`${port}`, `${(proxy.address() as AddressInfo).port}`)
    const store = await openFiles({ dataDir: tmpdir(), filesUrl: through })
    expect(await store.put('cut', Readable.from(['all of it']), 'text/plain')).toMatchObject({ size: 9 })
    expect(cut).toBeGreaterThan(1)
    expect(await text(await store.read('cut'))).toBe('all of it')
    await store.remove('cut')
  })

  test('are all listed, from this installation’s folder only, however many there are', async () => {
    const store = await open()
    // A page of a listing holds a thousand.
    const keys = Array.from({ length: 1003 }, (_, nth) => `uploads/2026-11/${1000 + nth}.txt`)
    s3.plant([...keys.map((key) => `files/${key}`), 'files-of-others/uploads/a.txt'], 'seven b')
    const listed = new Map<string, number>()
    for await (const { key, size, at } of store.list()) if (Date.now() - at.getTime() < 600_000) listed.set(key, size)
    expect(keys.filter((key) => listed.get(key) !== 7)).toEqual([])
    expect([...listed.keys()].filter((key) => key.includes('uploads/'))).toHaveLength(1003)
    for (const folder of ['files/uploads', 'files-of-others']) s3.prune(folder)
  })

  test('leave nothing anywhere when their upload breaks off', async () => {
    const before = s3.keys()
    const { type, body } = form('x'.repeat(200_000))
    await new Promise<void>((resolve) => {
      const sent = request(`${base}/v3/portal/files`, {
        method: 'POST',
        headers: { ...app.as('admin').headers, 'content-type': type, 'content-length': body.length },
      })
      sent.on('error', () => resolve())
      sent.write(body.subarray(0, 120_000))
      // Aborts once the server has begun to store it.
      void vi
        .waitFor(() => expect(spooled()).not.toEqual([]), { timeout: 10_000, interval: 5 })
        .finally(() => sent.destroy(new Error('gone')))
    })
    await expect.poll(spooled).toEqual([])
    expect(s3.keys()).toEqual(before)
    expect(await app.db.selectFrom('files').select('id').execute()).toEqual([])
  })

  test('left half-written by a killed server are removed by a later one', async () => {
    const [old, young] = [`${SPOOL}old`, `${SPOOL}young`].map((name) => join(tmpdir(), `${name}-${process.pid}`)) as [
      string,
      string,
    ]
    for (const file of [old, young]) writeFileSync(file, 'half')
    utimesSync(old, new Date(Date.now() - 7 * 3_600_000), new Date(Date.now() - 7 * 3_600_000))
    await (await open()).sweep()
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
    rmSync(young)
  })

  test('are downloaded in parts, so a broken download resumes', async () => {
    const link = linkOf(await bring('0123456789'))
    const get = (headers: Record<string, string>) => app.as('stranger').raw('GET', link, undefined, headers)
    const whole = await get({})
    expect([whole.status, whole.text, whole.headers['accept-ranges']]).toEqual([200, '0123456789', 'bytes'])
    const etag = String(whole.headers.etag)
    const part = await get({ range: 'bytes=4-', 'if-range': etag })
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '456789', 'bytes 4-9/10'])
    expect((await get({ range: 'bytes=-3' })).text).toBe('789')
    // If the content changed, it is sent whole; invalid and multiple ranges are ignored.
    expect((await get({ range: 'bytes=4-', 'if-range': '"other"' })).text).toBe('0123456789')
    for (const range of ['bytes=7-2', 'bytes=1-2,4-5', 'lines=1']) expect((await get({ range })).text).toBe('0123456789')
    const none = await get({ range: 'bytes=10-' })
    expect([none.status, none.headers['content-range']]).toEqual([416, 'bytes */10'])
  })

  test('of an unreachable store are refused with a message, and available once it is back', async () => {
    const link = linkOf(await bring('kept'))
    await s3.away()
    const [up, down] = [await bring('lost'), await app.as('stranger').raw('GET', link)]
    for (const answer of [up, down]) {
      expect(answer.status).toBe(503)
      expect(answer.body).toMatchObject({ code: 'files_away', message: expect.stringMatching(/file store can’t be reached/) })
      expect(answer.headers['retry-after']).toBe('5')
    }
    expect((await app.services.files.trouble())!.fatal).toBe(false)
    expect(spooled()).toEqual([])
    await s3.back()
    expect((await app.as('stranger').raw('GET', link)).text).toBe('kept')
    expect((await bring('again')).status).toBe(200)
  })

  test.each([
    ['a wrong secret', { secret: 'wrong' }, /The key was refused by the file store .*SignatureDoesNotMatch/],
    ['a wrong key', { key: 'WRONG' }, /The key was refused by the file store .*InvalidAccessKeyId/],
    ['a bucket that is not there', { bucket: 'nowhere' }, /There is no bucket "nowhere"/],
  ])('with %s are an error message at startup and a 503 later', async (_, other, sentence) => {
    const store = await open(other)
    expect(await store.trouble()).toEqual({ fatal: true, sentence: expect.stringMatching(sentence) })
    await expect(store.put('x', 'y', 'text/plain')).rejects.toMatchObject({ status: 503, code: 'files_refused' })
  })
})
