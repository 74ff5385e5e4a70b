import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface TestProxy {
  url: string
  /** Sets a server's URL, or null while it is replaced. */
  set(nth: number, url: string | null): void
  /** Responses by server, refused connections passed to the next one, and requests without a response (502). */
  figures(): { answered: number[]; refused: number; torn: number }
  stop(): Promise<void>
}

/** Headers of a single connection, which end at the proxy. */
const OWN = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'])

/**
 * A reverse proxy: round robin over kept connections, streams pass through, no upgrades.
 * Retries only connections refused before a byte was sent. Polls /healthz and skips servers without a 200.
 * Each response names its server in `x-served-by`.
 */
export async function startProxy(urls: readonly string[], watchMs = 100): Promise<TestProxy> {
  const places = urls.map((url) => placeOf(url))
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const answered = urls.map(() => 0)
  let [refused, torn, turn] = [0, 0, 0]

  /** The order in which this request tries servers: healthy ones, then the others. */
  const order = (): number[] => {
    turn++
    const round = places.map((_, nth) => (nth + turn) % places.length).filter((nth) => places[nth]!.url)
    return [...round.filter((nth) => places[nth]!.well), ...round.filter((nth) => !places[nth]!.well)]
  }

  const forward = (from: IncomingMessage, to: ServerResponse, nths: number[]): void => {
    const nth = nths.shift()
    if (nth === undefined) {
      giveUp(to)
      return
    }
    const place = places[nth]!
    const url = new URL(place.url!)
    const up = request({
      host: url.hostname,
      port: url.port,
      method: from.method,
      path: from.url,
      headers: headersOf(from),
      agent,
    })
    let sent = false
    const send = () => {
      sent = true
      from.pipe(up)
    }
    // Reads no body before connecting, so after a refusal the next server gets it whole.
    up.once('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()))
    up.once('response', (answer) => {
      answered[nth]!++
      to.writeHead(answer.statusCode!, { ...forwardedHeaders(answer), 'x-served-by': String(nth) })
      to.flushHeaders()
      answer.pipe(to)
      answer.once('error', () => to.destroy())
      answer.once('aborted', () => to.destroy())
    })
    up.once('error', (error: NodeJS.ErrnoException) => {
      if (to.headersSent) return void to.destroy()
      if (!sent && error.code === 'ECONNREFUSED') {
        refused++
        place.well = false
        return forward(from, to, nths)
      }
      giveUp(to)
    })
    to.once('close', () => up.destroy())
  }
  const giveUp = (to: ServerResponse) => {
    if (to.destroyed || to.headersSent) return
    torn++
    to.writeHead(502, { 'content-type': 'application/json' }).end('{"message":"No server answered."}')
  }

  const server = createServer((from, to) => {
    from.once('error', () => {})
    to.once('error', () => {})
    forward(from, to, order())
  })
  server.keepAliveTimeout = 60_000
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const watch = setInterval(() => {
    for (const place of places) if (place.url) void look(place)
  }, watchMs).unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(nth, url) {
      places[nth] = placeOf(url)
    },
    figures: () => ({ answered: [...answered], refused, torn }),
    async stop() {
      clearInterval(watch)
      agent.destroy()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

interface Place {
  url: string | null
  well: boolean
}
const placeOf = (url: string | null): Place => ({ url, well: true })

async function look(place: Place): Promise<void> {
  const answer = await fetch(`${place.url}/healthz`, { signal: AbortSignal.timeout(2000) }).catch(() => null)
  await answer?.arrayBuffer().catch(() => {})
  place.well = answer?.status === 200
}

const forwardedHeaders = (message: IncomingMessage) =>
  Object.fromEntries(Object.entries(message.headers).filter(([name, value]) => !OWN.has(name) && value !== undefined))

/** Appends the caller to X-Forwarded-For, as proxies do; what the caller sent stays before it. */
function headersOf(from: IncomingMessage) {
  const caller = (from.socket as Socket).remoteAddress ?? ''
  const before = from.headers['x-forwarded-for']
  return {
    ...forwardedHeaders(from),
    'x-forwarded-for': before ? `${String(before)}, ${caller}` : caller,
    'x-forwarded-proto': 'http',
  }
}
