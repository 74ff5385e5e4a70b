import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** A reward provider for several servers: pays each key once, however often asked; each payment is a ledger line. */
export interface Bank {
  url: string
  /** How often a key that was already paid was requested. */
  again(): number
  stop(): Promise<void>
}

export async function openBank(ledger: string): Promise<Bank> {
  const paid = new Set<number>()
  let again = 0
  const pause = () => delay(Math.random() * 40)
  const server = createServer(async (request, response) => {
    const payments = (await json(request)) as { key: number; amount_cents: number }[]
    await pause()
    for (const { key, amount_cents } of payments) {
      if (paid.has(key)) again++
      else appendFileSync(ledger, `${key} ${amount_cents}\n`)
      paid.add(key)
    }
    // Paid, but not recorded yet, is the worst moment to kill a server.
    await pause()
    response.end(JSON.stringify(payments.map(({ key }) => ({ key, paid: `B-${key}` }))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    again: () => again,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
