import { appendFileSync } from 'node:fs'
import pino from 'pino'
import { readSettings } from '../../server/core/settings.ts'
import { payThrough, recordingProvider } from '../../server/domain/payout/provider.ts'
import { createServices } from '../../server/services.ts'

/**
 * A process that slowly pays the queued payout jobs of its environment's database, until it is killed.
 * Every key its provider is asked to pay becomes a line of the file ASKED.
 */
const services = await createServices(readSettings(process.env), pino({ level: 'error' }))
const provider = recordingProvider(services.database, services.now)
let asked = 0
payThrough({
  async pay(payments) {
    const outcomes = await provider.pay(payments)
    appendFileSync(process.env.ASKED!, payments.map((payment) => `${payment.key}\n`).join(''))
    asked += payments.length
    // Paid, but not recorded yet, is the worst moment to be killed, so it waits here.
    if (asked >= 400) await new Promise(() => {})
    return outcomes
  },
})
services.jobs.wake()
setInterval(() => {}, 1000)
