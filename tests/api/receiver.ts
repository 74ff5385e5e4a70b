import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, vi } from 'vitest'
import { closeAfterFile } from '../support/after-file.ts'

/** A message as it arrived. */
export interface Arrived {
  headers: IncomingHttpHeaders
  text: string
  body: {
    id: string
    type: string
    timestamp: string
    sequence: number | null
    action: string | null
    data: Record<string, unknown>
    previous: Record<string, unknown>
  }
}

/** A webhook's receiver on this machine: keeps what arrives, and answers as it is told. */
export async function receiver() {
  const arrived: Arrived[] = []
  let answer: (response: ServerResponse, message: Arrived) => void = (response) => response.writeHead(204).end()
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const message = { headers: request.headers, text, body: JSON.parse(text || '{}') } as Arrived
    arrived.push(message)
    answer(response, message)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closeAfterFile(
    () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrived,
    answers: (how: number | typeof answer) => {
      answer = typeof how === 'number' ? (response) => response.writeHead(how).end() : how
    },
    /** Waits for the messages that meet a condition; as many as `count`, one by default. */
    async heard(meets: (message: Arrived) => boolean, count = 1): Promise<Arrived[]> {
      await vi.waitFor(() => expect(arrived.filter(meets).length).toBeGreaterThanOrEqual(count), {
        timeout: 15_000,
        interval: 20,
      })
      return arrived.filter(meets)
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof receiver>>

/** True if one of a message's signatures is by this secret, as Standard Webhooks has it. */
export function isSignedBy(secret: string, { headers, text }: Arrived): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const wanted = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
    .digest('base64')
  return String(headers['webhook-signature']).split(' ').includes(`v1,${wanted}`)
}
