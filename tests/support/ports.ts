import { createServer } from 'node:net'

/** A free TCP port on 127.0.0.1; use it at once, and retry if another process was faster. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.unref()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address && typeof address === 'object') resolve(address.port)
        else reject(new Error('The system gave no port.'))
      })
    })
  })
}
