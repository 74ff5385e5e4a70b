import { type Outcome, payThrough } from '../../../server/domain/payout/provider.ts'

/** The server with a reward provider that is a service of its own (BANK), asked over HTTP by every process, as a real one would be. */
payThrough({
  async pay(payments) {
    const answer = await fetch(process.env.BANK!, { method: 'POST', body: JSON.stringify(payments) })
    return (await answer.json()) as Outcome[]
  },
})
await import('../../../server/main.ts')
