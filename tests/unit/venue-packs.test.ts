import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachVenue, venuePack } from '../../server/domain/visit/venuePacks.ts'

it('a pack of venues returns what was packed, for any ids and numbers', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.nat(2 ** 31 - 1), fc.nat()), { selector: ([venue]) => venue }), (venues) => {
      const entries = venues.sort(([a], [b]) => a - b)
      const read: [number, number][] = []
      eachVenue(venuePack(entries), (venue, visits) => read.push([venue, visits]))
      expect(read).toEqual(entries)
    }),
  )
})
