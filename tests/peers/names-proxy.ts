// A proxy that serves the palette's index at any size, for tests/peers/palette.bench.ts.
// It uses the server's format (server/search-index/sendIndex.ts): an entry per line, 4,000 at a time, gzip.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import type { Entity } from '../../src/search/types.ts'

function* indexText(entities: readonly Entity[]): Generator<string> {
  yield '{"cursor":1,"full":true,"drop":[],"put":[\n'
  for (let at = 0; at < entities.length; at += 4000) {
    const rows = entities
      .slice(at, at + 4000)
      // The palette can open only the workspace's own kinds.
      .map(({ kind, id, name, detail }) => JSON.stringify([kind === 'person' ? 'user' : kind, Number(id), name, detail]))
    yield `${at ? ',\n' : ''}${rows.join(',\n')}`
  }
  yield '\n]}\n'
}

/** Sends a request on to another server, and its response back. */
export function passOn(incoming: IncomingMessage, answer: ServerResponse, to: { hostname: string; port: string }): void {
  const onward = request({ ...to, path: incoming.url, method: incoming.method, headers: incoming.headers }, (come) => {
    answer.writeHead(come.statusCode ?? 502, come.headers)
    come.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

/** Starts a proxy whose index holds `entities`, compressed before: a server has a machine of its own. */
export async function startNamesProxy(target: string, entities: readonly Entity[]): Promise<{ url: string; stop(): void }> {
  const { hostname, port } = new URL(target)
  const whole = gzipSync([...indexText(entities)].join(''), { level: 3 })
  const pieces: Uint8Array[] = []
  for (let at = 0; at < whole.length; at += 65_536) pieces.push(whole.subarray(at, at + 65_536))
  const server: Server = createServer((incoming, answer) => {
    if (incoming.url?.startsWith('/v3/portal/palette/index')) {
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      if (incoming.url.includes('since=')) {
        answer.writeHead(200, headers)
        return void answer.end('{"cursor":1,"full":false,"put":[],"drop":[]}')
      }
      answer.writeHead(200, { ...headers, 'content-encoding': 'gzip' })
      return void pipeline(Readable.from(pieces), answer).catch(() => answer.destroy())
    }
    passOn(incoming, answer, { hostname, port })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
