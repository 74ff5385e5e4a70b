import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../support/engine.ts'
import { type Attack, assault, attacks, openVictim, residentOf, type Victim, watchLivez } from '../torture/input/freeze.ts'

/** In ms; on an idle machine `npm run torture -- freeze` holds it to 200, which other work there may exceed. */
const STANDS_STILL = 1000
/** As many at once do what one and eight do, too; `npm run test:all` tries those as well. */
const CALLERS = process.env.WHOLE === '1' ? [1, 8, 32] : [32]
/** An NDJSON batch of thousands of rows, all invalid; `npm run torture -- freeze` sends more. */
const LINES = 16 * 1024

let victim: Victim
let built: readonly Attack[]
let before: number
beforeAll(async () => {
  victim = await openVictim(await freshDatabase())
  // Once, as their bodies are of hundreds of megabytes.
  built = attacks(victim.target, LINES)
  before = residentOf(victim.server.pid)
})
afterAll(() => victim?.server.stop())

describe('/livez responds while every reader gets its limit, and more, from many concurrent callers', () => {
  test.each(attacks({ survey: 0, question: 0, activity: 0 }, LINES).map((attack) => attack.name))(
    '%s',
    async (name) => {
      const attack = built.find((one) => one.name === name)!
      for (const callers of CALLERS) {
        // A real freeze recurs every round; a delay by other work on the machine doesn't.
        let worst = Number.POSITIVE_INFINITY
        for (let round = 0; round < 8 && worst >= STANDS_STILL; round++) {
          const came = await assault(victim, attack, callers)
          expect(came.failed).toBe(0)
          expect([...new Set(came.statuses)].filter((status) => status !== 0 && !attack.answers.includes(status))).toEqual([])
          worst = Math.min(worst, came.worst)
        }
        expect(worst, `${callers} callers`).toBeLessThan(STANDS_STILL)
      }
    },
    600_000,
  )

  test('and its memory is released', async () => {
    await expect.poll(() => residentOf(victim.server.pid), { timeout: 30_000 }).toBeLessThan(before + 400)
  }, 60_000)
})

test('endless headers are given up after ten seconds, and block nobody', async () => {
  const meter = await watchLivez(victim.server.url)
  const { hostname, port } = new URL(victim.server.url)
  const answers = await Promise.all(
    Array.from(
      { length: 50 },
      () =>
        new Promise<string>((resolve) => {
          let heard = ''
          const socket = connect(Number(port), hostname, () => socket.write('POST /v3/portal/auth/sign_in HTTP/1.1\r\n'))
          const drip = setInterval(() => socket.writable && socket.write('x-slow: 1\r\n'), 500)
          socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
          // The server closed it while a header was on its way; what counts is the response before that.
          socket.on('error', () => {})
          socket.on('close', () => {
            clearInterval(drip)
            resolve(heard.slice(0, 12))
          })
        }),
    ),
  )
  expect([...new Set(answers)]).toEqual(['HTTP/1.1 408'])
  expect((await meter.stop()).failed).toBe(0)
}, 60_000)
