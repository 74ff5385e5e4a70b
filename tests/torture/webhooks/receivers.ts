import { createHmac } from 'node:crypto'
import { createServer as createHttp, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'

/** A receiver that means no good, by what it does; each listens on a port of this machine. */
export type Hostile = 'redirects' | 'silent' | 'drips' | 'endless' | 'garbage' | 'long headers' | 'resets' | 'errors'

/** The good receiver: verifies each message and keeps how often each came. */
export interface Good {
  port: number
  /** How often each message came, with its event. */
  came: Map<string, { times: number; sequence: number | null }>
  /** Some messages as they came. */
  samples: { id: string; text: string }[]
  /** Messages whose signature or time was wrong. */
  wrong: string[]
  /** What to verify by, once it is known. */
  secrets: string[]
  close(): Promise<void>
}

const SAMPLES = 100

const listen = (server: Server | ReturnType<typeof createTcp>): Promise<number> =>
  new Promise((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)))

/** Opens the good receiver, which loses one answer in twenty after it took the message. */
export async function openGood(): Promise<Good> {
  const came: Good['came'] = new Map()
  const [wrong, secrets]: [string[], string[]] = [[], []]
  const samples: Good['samples'] = []
  const server = createHttp(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': given } = request.headers
    const signed = secrets.some((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      return String(given)
        .split(' ')
        .includes(`v1,${createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')}`)
    })
    if (!signed || Math.abs(Date.now() / 1000 - Number(seconds)) > 60) wrong.push(`${id}`)
    const { sequence } = JSON.parse(text) as { sequence: number | null }
    if (samples.length < SAMPLES) samples.push({ id: String(id), text })
    const known = came.get(String(id))
    came.set(String(id), { times: (known?.times ?? 0) + 1, sequence })
    if (Math.random() < 0.05) request.socket.destroy()
    else response.writeHead(204).end()
  })
  const port = await listen(server)
  return { port, came, samples, wrong, secrets, close: () => ended(server) }
}

/** Opens a canary, to which only a followed redirect leads. */
export async function openCanary() {
  let calls = 0
  const server = createHttp((_request, response) => {
    calls++
    response.writeHead(204).end()
  })
  return { port: await listen(server), calls: () => calls, close: () => ended(server) }
}

/** Opens a hostile receiver. */
export async function openHostile(what: Hostile, canary: number) {
  const sockets = new Set<Socket>()
  const byTcp = (act: (socket: Socket) => void) =>
    createTcp((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
      act(socket)
    })
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'
  const again = (socket: Socket, text: string, ms: number) => {
    const timer = setInterval(() => socket.write(text), ms)
    socket.on('close', () => clearInterval(timer))
  }
  const servers = {
    redirects: () =>
      byTcp((socket) => socket.end(`HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:${canary}/\r\nContent-Length: 0\r\n\r\n`)),
    silent: () => byTcp((socket) => socket.resume()),
    drips: () => byTcp((socket) => again(socket.resume(), 'H', 500)),
    endless: () =>
      byTcp((socket) => {
        socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
        again(socket.resume(), `10000\r\n${'x'.repeat(65_536)}\r\n`, 1)
      }),
    garbage: () => byTcp((socket) => socket.end(Buffer.from([0, 255, 1, 254, 10, 13, 10]))),
    'long headers': () => byTcp((socket) => socket.end(`${head}X: ${'y'.repeat(1_000_000)}\r\n\r\n`)),
    resets: () => byTcp((socket) => socket.resetAndDestroy()),
    errors: () => byTcp((socket) => socket.end('HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n')),
  } as const
  const server = servers[what]()
  const port = await listen(server)
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await ended(server)
    },
  }
}

function ended(server: Server | ReturnType<typeof createTcp>): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
}
