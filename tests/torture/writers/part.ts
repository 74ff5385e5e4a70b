import type { Call } from '../../../contract/call.ts'
import type { CallId } from '../../../contract/calls.ts'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { deadlocksOf } from '../../support/postgres.ts'
import { inputFor } from '../input/generate.ts'
import { SHOT_CALLS } from '../input/request.ts'
import { right } from '../input/shot.ts'
import { type Random, randomOf } from '../random.ts'
import { openWorld, type World } from '../world.ts'

/** Writes that would only sign everybody else out, again and again. */
const LEAVING = /^(session|account)\./
const WRITES = SHOT_CALLS.filter(([id, row]) => row.method !== 'GET' && row.as !== 'multipart' && !LEAVING.test(id))

/**
 * The part `writers` of `npm run torture`: callers make generated writes at once, all over the same few records.
 * No two transactions wait for each other, and none is answered as if they had.
 */
export async function tortureWriters(how: How): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const random = randomOf(seed)
  how.say(`seed ${seed}`)
  const env = await how.database()
  const world = await openWorld(env)
  const statuses: Record<number, number> = {}
  const faults: string[] = []
  const done: Record<string, number> = {}
  let left = how.number('requests', 50_000)
  const write = async () => {
    while (left-- > 0) {
      if (left % 5000 === 0) how.say(`${left} requests left`)
      const [id, row] = random.pick(WRITES)
      const { statusCode, body } = await send(world, id, row, random)
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      if (statusCode < 300) done[id] = (done[id] ?? 0) + 1
      if (statusCode >= 500) faults.push(`${id} was answered ${statusCode}: ${body.slice(0, 300)}`)
      if (statusCode === 401) await world.revive()
    }
  }
  try {
    await Promise.all(Array.from({ length: how.number('callers', 12) }, write))
    faults.unshift(...(await deadlocksOf(env.DATABASE_URL!)).map((deadlock) => `deadlock: ${deadlock}`))
  } finally {
    await world.close()
  }
  return {
    figures: {
      'answers by status': Object.entries(statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
      'writes that were done (2xx)': Object.values(done).reduce((sum, count) => sum + count, 0),
      'kinds of writes that were done': `${Object.keys(done).length} of ${WRITES.length}`,
    },
    faults,
  }
}

function send(world: World, id: CallId, row: Call, random: Random) {
  const { method, url, headers, payload } = right({ id, row, input: inputFor(row.input, random), random })
  const who = random.chance(0.8) ? 'admin' : 'client'
  return world.app.inject({
    method: method as 'GET',
    url,
    headers: { ...world.headersOf(who), ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
}
