import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { fire } from './fire.ts'

/** The part `input` of `npm run torture`: `--requests` requests from `--seed` (0: random, printed). */
export async function tortureInput(how: How): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const requests = how.number('requests', 100_000)
  how.say(`seed ${seed}: --seed ${seed} replays it`)
  const fired = await fire(await how.database(), {
    seed,
    requests,
    onProgress: (done, { faults }) => {
      if (done % 10_000 === 0) how.say(`${done} requests, ${faults.length} broken`)
    },
  })
  return {
    figures: {
      requests: fired.requests,
      'answers by status': Object.entries(fired.statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
      'right requests that were done (2xx)': fired.taken,
      'slowest answers (ms)': fired.slowest.map(({ ms, call, kind }) => `${ms} ${call} (${kind})`).join(', '),
    },
    faults: fired.faults.map(
      ({ nth, why, shot, answer }) =>
        `request ${nth} (${shot.id} as ${shot.who}, ${shot.kind}): ${why}\n    ${shot.method} ${shot.url}\n    ${shot.payload ?? ''}\n    ${answer}`,
    ),
  }
}
