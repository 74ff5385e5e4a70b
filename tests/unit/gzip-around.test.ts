import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { deflated, gzipAround } from '../../server/search-index/gzipAround.ts'

// Lengths around the longest block that is stored as it is.
test.each([
  [0, 0, 0],
  [45, 0, 4],
  [1, 200_000, 0],
  [45, 1_500_000, 65_535],
  [65_536, 3, 140_000],
])('a text compressed before, between others of %i, %i and %i bytes, is one gzip', async (before, middle, after) => {
  const words = Buffer.from('["project",4180,"Breakfast 2026","Acme · Active"],\n'.repeat(40_000)).subarray(0, middle)
  const [head, tail] = [randomBytes(before), randomBytes(after)]
  const known = await deflated(words)
  for (const end of [tail, Buffer.from(']}')])
    expect(gunzipSync(gzipAround(head, known, end)).equals(Buffer.concat([head, words, end]))).toBe(true)
  if (middle > 1000) expect(known.deflated.length).toBeLessThan(middle / 20)
})
