import { expect, test } from 'vitest'
import { bytesOf, deviceSet, LEAF_MOST } from '../../server/domain/visit/deviceSet.ts'
import { hoursBytes } from '../../server/domain/visit/hours.ts'
import { NO_DEVICES, type PackEntry, packEntries, packOf } from '../../server/domain/visit/packs.ts'

test('a pack returns what every market area, preset and unknown place had, whatever its size', () => {
  const hours = (most: number) => hoursBytes(Array.from({ length: 168 }, (_, at) => (at * 977) % most))
  const entry = (market: number, visits: number, devices: number): PackEntry => ({
    market,
    visits,
    hours: hours(visits + 1),
    devices: devices ? bytesOf(deviceSet(Array.from({ length: devices }, (_, at) => at * 7_919_331)), LEAF_MOST) : NO_DEVICES,
  })
  const entries = [
    entry(-50, 3_000_000_000, 0),
    entry(-1, 1, 1),
    entry(0, 127, 0),
    entry(501, 128, 100),
    entry(881, 40_000, 9000),
  ]
  const plain = ({ market, visits, hours: of, devices }: PackEntry) => [market, visits, [...of], [...devices]]
  expect([...packEntries(packOf(entries))].map(plain)).toEqual(entries.map(plain))
  expect([...packEntries(packOf([]))]).toEqual([])
})
