import { type Outcome, payThrough } from '../../../server/domain/payout/provider.ts'

/** The server with a reward provider as a separate service (BANK), which every process calls over HTTP. */
payThrough({
  async pay(payments) {
    const answer = await fetch(process.env.BANK!, { method: 'POST', body: JSON.stringify(payments) })
    return (await answer.json()) as Outcome[]
  },
})
await import('../../../server/main.ts')
