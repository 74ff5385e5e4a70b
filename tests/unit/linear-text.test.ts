import { expect, test } from 'vitest'
import { HOSTILE, READERS, timeOf } from '../support/strangersTexts.ts'

/** What is faster isn't compared: a collection of garbage would decide, and quadratic time takes far longer. */
const LEAST_MS = 10
/** Twice the text takes at most that much longer; a slow moment is tried again. */
const MOST = 2.5
const TRIES = 5
/** How much processor time (ms) a text is read for: some systems count it in steps of 4 ms. */
const LONG_MS = 80

/** The mean processor time of reading a text again and again, in ms; other work on the machine doesn't count. */
async function processorTimeOf(read: (text: string) => unknown, text: string): Promise<number> {
  const before = process.threadCpuUsage()
  for (let times = 1; ; times++) {
    await read(text)
    const { user, system } = process.threadCpuUsage(before)
    if (user + system >= LONG_MS * 1000) return (user + system) / 1000 / times
  }
}

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
        if ((await timeOf(read, whole)) < LEAST_MS) continue
        let ratio = Number.POSITIVE_INFINITY
        for (let tries = 0; tries < TRIES && ratio > MOST; tries++)
          ratio = (await processorTimeOf(read, whole)) / (await processorTimeOf(read, half))
        if (ratio > MOST)
          faults.push(`${JSON.stringify(unit)} and ${JSON.stringify(end)}: ${ratio.toFixed(1)} times for twice the length`)
      }
    expect(faults).toEqual([])
  },
)
