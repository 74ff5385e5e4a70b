import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { payThrough } from '../../../server/domain/payout/provider.ts'

/**
 * The server with an outside reward provider: each payment is a line of LEDGER, once per key, before or after a pause.
 * A kill between that line and our own record is the worst that can happen to a payout.
 */
const ledger = process.env.LEDGER!
const paid = new Set(
  existsSync(ledger)
    ? readFileSync(ledger, 'utf8')
        .split('\n')
        .map((line) => Number(line.split(' ')[0]))
    : [],
)
const pause = () => delay(Math.random() * 40)
payThrough({
  async pay(payments) {
    await pause()
    const fresh = payments.filter((payment) => !paid.has(payment.key))
    for (const payment of fresh) paid.add(payment.key)
    if (fresh.length) appendFileSync(ledger, fresh.map((payment) => `${payment.key} ${payment.amount_cents}\n`).join(''))
    await pause()
    return payments.map((payment) => ({ key: payment.key, paid: `L-${payment.key}` }))
  },
})
await import('../../../server/main.ts')
