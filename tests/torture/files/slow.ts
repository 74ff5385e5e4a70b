import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { formOf } from '../../api/uploading.ts'
import { leftover } from '../../support/leftovers.ts'
import { startS3 } from '../../support/s3.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { residentOf, watchLivez } from '../input/freeze.ts'
import { openPlace, type Place } from './place.ts'

/** The most that all slow connections together may take (MB). */
const MOST_MB = 100
/** Long enough for a server to fill what it would fill (ms). */
const HOLD_MS = 6000

/** The part `slow` of `npm run torture`: `--connections` that don't read what they ask for, from a folder and S3. */
export async function tortureSlow(how: How): Promise<Outcome> {
  const outcome: Outcome = { figures: {}, faults: [] }
  await fromStore('a folder', await how.database(), how, outcome)
  const s3 = await startS3()
  try {
    await fromStore('S3', { ...(await how.database()), FILES_URL: s3.filesUrl() }, how, outcome)
  } finally {
    await s3.stop()
  }
  return outcome
}

async function fromStore(store: string, env: Record<string, string>, how: How, { figures, faults }: Outcome): Promise<void> {
  const place = await openPlace(env)
  const server = await startServer(place.settings)
  try {
    // One after the other, as each would hide the growth of the next.
    for (const { who, link } of await photoOf(place, server)) {
      const taken = await hold(server, await link(), how.number('connections', 200), faults)
      figures[`${who}, from ${store}: resident before, with, after (MB), worst /livez (ms)`] = taken.join(', ')
      if (taken[1]! - taken[0]! >= MOST_MB) faults.push(`${who}, from ${store}: ${taken[1]! - taken[0]!} MB more`)
    }
  } finally {
    await server.stop()
  }
}

/** Who asks for a photo of almost the upload's limit, and how they get its link. */
async function photoOf(place: Place, server: TestServer): Promise<{ who: string; link(): Promise<string> }[]> {
  const { width, height } = { width: 1900, height: 1600 }
  const noise = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 97, chromaSubsampling: '4:4:4' })
    .withExif({ IFD0: { Make: 'Camera' } })
    .toBuffer()
  const call = async (
    path: string,
    headers: Record<string, string>,
    body?: unknown,
    method = body === undefined ? 'GET' : 'POST',
  ) => {
    const isForm = body instanceof Uint8Array
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isForm ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { data: never }
  }
  const { body, type } = await formOf([['photo.jpg', noise]])
  const form = new Uint8Array(body)
  await call(`/v3/portal/activities/${place.activity_id}/content`, { ...place.admin, 'content-type': type }, form)
  const linksOf = async (who: Record<string, string>) => {
    const { data } = await call(`/v3/portal/projects/${place.project_id}/files?file_type=photos`, who)
    return data as { id: number; url: string }[]
  }
  const document = (await call('/v3/portal/documents', { ...place.admin, 'content-type': type }, form)).data as { url: string }[]
  const linkFor = async (who: Record<string, string>) => (await linksOf(who))[0]!
  return [
    { who: 'a document', link: async () => document[0]!.url },
    { who: 'a client user’s photo', link: async () => (await linkFor(place.member)).url },
    {
      who: 'an administrator’s, rotated',
      async link() {
        const { id, url } = await linkFor(place.admin)
        await call(`/v3/portal/files/${id}`, place.admin, { rotation: 90 }, 'PUT')
        return url
      },
    },
    { who: 'a client user’s, rotated', link: async () => (await linkFor(place.member)).url },
  ]
}

/** Opens connections that read nothing; returns resident memory before, with and after them, and the worst /livez. */
async function hold(server: TestServer, link: string, connections: number, faults: string[]): Promise<number[]> {
  const { hostname, port } = new URL(server.url)
  const { pathname } = new URL(link, server.url)
  // The copy is made, and what is loaded with the first download is loaded.
  await (await fetch(new URL(link, server.url))).arrayBuffer()
  await delay(1000)
  const before = residentOf(server.pid)
  const meter = await watchLivez(server.url)
  const sockets = await Promise.all(
    Array.from({ length: connections }, async (_, nth) => {
      const range = nth % 2 ? 'range: bytes=100000-\r\n' : ''
      const socket = await new Promise<Socket>((resolve, reject) => {
        const opened = connect(Number(port), hostname, () => resolve(opened)).on('error', reject)
      })
      socket.pause()
      socket.write(`GET ${pathname} HTTP/1.1\r\nhost: x\r\n${range}\r\n`)
      return socket
    }),
  )
  const close = leftover(() => {
    for (const socket of sockets) socket.destroy()
  })
  let most = 0
  for (const until = Date.now() + HOLD_MS; Date.now() < until; await delay(200)) most = Math.max(most, residentOf(server.pid))
  const { worst, failed } = await meter.stop()
  if (failed) faults.push(`${failed} /livez were not answered`)
  await close()
  await delay(5000)
  return [before, most, residentOf(server.pid), worst].map(Math.round)
}
