import { expect, test } from 'vitest'
import { HOSTILE, READERS, timeOf } from '../support/strangersTexts.ts'

/** What is faster isn't compared: a collection of garbage would decide, and quadratic time takes far longer. */
const LEAST_MS = 10
/** Twice the text takes at most that much longer; a slow moment is tried again. */
const MOST = 2.5
const TRIES = 12

test.each(Object.entries(READERS))(
  '%s is read in a time that grows no faster than it',
  { timeout: 120_000 },
  async (_, { longest, read }) => {
    const faults: string[] = []
    for (const unit of HOSTILE)
      for (const end of ['', '!', ' x@y.test']) {
        const [half, whole] = [longest / 2, longest].map((size) => unit.repeat(Math.ceil(size / unit.length)) + end) as [
          string,
          string,
        ]
        let ratio = 0
        for (let tries = 0; tries < TRIES; tries++) {
          const time = await timeOf(read, whole)
          ratio = time < LEAST_MS ? 0 : time / (await timeOf(read, half))
          if (ratio <= MOST) break
        }
        if (ratio > MOST)
          faults.push(`${JSON.stringify(unit)} and ${JSON.stringify(end)}: ${ratio.toFixed(1)} times for twice the length`)
      }
    expect(faults).toEqual([])
  },
)
