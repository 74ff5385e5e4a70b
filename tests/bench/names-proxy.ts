// The palette's index at any size, for tests/bench/palette.bench.ts: a plain proxy before the real server that answers the index itself.
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Entity } from '../../src/palette/search/types.ts'

/** Starts a proxy; `entities` are the names that the index holds. */
export async function startNamesProxy(target: string, entities: readonly Entity[]): Promise<{ url: string; stop(): void }> {
  const { hostname, port } = new URL(target)
  const server: Server = createServer((incoming, answer) => {
    if (incoming.url?.startsWith('/v3/portal/palette/index')) {
      answer.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      if (incoming.url.includes('since=')) return void answer.end('{"cursor":1,"full":false,"put":[],"drop":[]}')
      void (async () => {
        answer.write('{"cursor":1,"full":true,"put":[')
        for (let at = 0; at < entities.length; at += 5000) {
          const rows = entities.slice(at, at + 5000).map(({ kind, id, name, detail }) => [kind, Number(id), name, detail])
          const text = JSON.stringify(rows).slice(1, -1)
          if (!answer.write(at ? `,${text}` : text)) await new Promise((drained) => answer.once('drain', drained))
        }
        answer.end('],"drop":[]}')
      })()
      return
    }
    const onward = request({ hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers }, (come) => {
      answer.writeHead(come.statusCode ?? 502, come.headers)
      come.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
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
