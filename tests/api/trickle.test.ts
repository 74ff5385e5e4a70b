import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { inStore } from './uploading.ts'

/** Short enough to wait for: NDJSON gets five times as long, an upload fifteen. */
const BODY_SECONDS = 0.3
/** Longer than any of them plus the time to hang up: a connection that is open then will never be closed. */
const NEVER = 10_000

let app: Fieldwork
let port: number
let survey: number
beforeAll(async () => {
  app = await fieldwork({ BODY_SECONDS: String(BODY_SECONDS) })
  port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
  survey = (await app.make.survey({ project_id: (await app.make.project({ client_id: app.client.id })).id })).id
})

interface Trickle {
  path: string
  type: string
  who?: Person
  /** What to send at once, and what to repeat. */
  first: string
  drop: string
  /** True to send it without a length. */
  chunked?: boolean
  method?: string
}

/** Sends a request whose body never ends, piece by piece. */
function trickle({ path, type, who, first, drop, chunked, method = 'POST' }: Trickle) {
  const headers = { ...who?.headers, host: `127.0.0.1:${port}`, 'content-type': type }
  const lines = Object.entries({ ...headers, ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': '5000' }) })
  const piece = (text: string) => (chunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text)
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return drip(head + piece(first), piece(drop), NEVER)
}

/** Sends bytes, then pieces whatever the response, until the connection closes; fails if open after `never` ms. */
function drip(first: string, drop: string, never: number) {
  return new Promise<{ answer: string; ms: number }>((resolve, reject) => {
    const began = performance.now()
    let answer = ''
    // The sender notices the end but doesn't hang up.
    let drops: NodeJS.Timeout | undefined
    // Pieces written before the socket is connected would be sent ahead of `first`.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(first)
      drops = setInterval(() => socket.writable && socket.write(drop), 50)
    })
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after ${never} ms; it said ${answer.slice(0, 200)}`))
    }, never)
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    // The connection is cut while writing.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(drops)
      clearTimeout(late)
      resolve({ answer, ms: performance.now() - began })
    })
  })
}
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>
const json = { type: 'application/json', first: '{"a":', drop: ' ' }
const form = { type: 'application/x-www-form-urlencoded', first: 'a=', drop: 'b' }

// Tests that mostly wait run concurrently, because none keeps the server busy.
test.concurrent('endless headers are given up: 408 after ten seconds, and the connection closes even if the sender stays', async () => {
  const { answer, ms } = await drip('POST /v3/portal/auth/sign_in HTTP/1.1\r\n', 'x-slow: 1\r\n', 30_000)
  expect(answer.slice(0, 12)).toBe('HTTP/1.1 408')
  expect(bodyOf(answer).message).toBe('The request took too long to arrive.')
  expect(ms).toBeGreaterThan(9000)
}, 40_000)

describe.concurrent('a slow body is given up: 408 in the usual error format, and the connection closes', () => {
  test.each<[string, () => Trickle]>([
    ['JSON of a stranger', () => ({ ...json, path: '/v3/portal/switch_back' })],
    ['JSON whose length is not said', () => ({ ...json, path: '/v3/portal/switch_back', chunked: true })],
    ['JSON of somebody signed in', () => ({ ...json, path: '/v3/portal/exports', who: app.as('client') })],
    ['a form', () => ({ ...form, path: '/v3/portal/switch_back' })],
    [
      'a batch as NDJSON',
      () => ({
        path: `/v3/portal/surveys/runtime/${survey}/responses`,
        type: 'application/x-ndjson',
        who: app.as('admin'),
        first: '{"a":1}\n',
        drop: ' ',
      }),
    ],
  ])(
    '%s',
    async (_name, of) => {
      const { answer, ms } = await trickle(of())
      expect(answer.slice(0, 12)).toBe('HTTP/1.1 408')
      expect(bodyOf(answer)).toMatchObject({
        message: 'The request took too long to arrive.',
        errors: ['The request took too long to arrive.'],
        code: 'bad_request',
        fields: {},
        field_codes: {},
      })
      expect(ms).toBeGreaterThan(BODY_SECONDS * 1000)
    },
    30_000,
  )

  test('an upload, which leaves nothing', async ({ expect }) => {
    const before = inStore(app)
    const { answer } = await trickle({
      path: '/v3/portal/files',
      type: 'multipart/form-data; boundary=b',
      who: app.as('client'),
      first: `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${'a'.repeat(4200)}`,
      drop: 'a',
    })
    expect(answer.slice(0, 12)).toBe('HTTP/1.1 408')
    await expect.poll(() => inStore(app), { timeout: 10_000 }).toBe(before)
    expect((await app.db.selectFrom('files').select('id').execute()).length).toBe(0)
  }, 30_000)
})

describe.concurrent('an unread body ends its connection too', () => {
  test.each<[string, number, () => Trickle]>([
    ['of an unknown address', 404, () => ({ ...json, path: '/v3/portal/nowhere' })],
    ['of somebody who is not let in', 401, () => ({ ...json, path: '/v3/portal/exports' })],
    ['of a page', 405, () => ({ ...json, path: '/dashboard' })],
    ['of a sign-out, which takes none', 401, () => ({ ...json, method: 'DELETE', path: '/v3/portal/auth/sign_out' })],
    ['behind a read', 200, () => ({ ...json, method: 'GET', path: '/v3/portal/config' })],
  ])(
    '%s',
    async (_name, status, of) => {
      const { answer } = await trickle(of())
      expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
    },
    30_000,
  )
})

test('and none of these connections is left at the server', async () => {
  const open = () => new Promise<number>((resolve) => app.app.server.getConnections((_error, count) => resolve(count)))
  await expect.poll(open, { timeout: 10_000 }).toBe(0)
})

test('a slow batch within the limit is read', async () => {
  const body = '{"respondent_id":"slow"}\n'
  const headers = { ...app.as('admin').headers, 'content-type': 'application/x-ndjson', host: '127.0.0.1', connection: 'close' }
  const lines = Object.entries({ ...headers, 'content-length': String(body.length) })
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', async () => {
      socket.write(
        `POST /v3/portal/surveys/runtime/${survey}/responses HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      )
      for (const letter of body) {
        socket.write(letter)
        await new Promise((next) => setImmediate(next))
      }
    })
    let heard = ''
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
    socket.on('error', reject)
    socket.on('end', () => resolve(heard))
  })
  expect(answer.slice(0, 12)).not.toBe('HTTP/1.1 408')
  expect(answer).toContain('"refused":')
})
