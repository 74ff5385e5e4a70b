import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesOf,
  DeviceCounter,
  type DeviceSet,
  deviceSet,
  LEAF_MOST,
  ROLLUP_MOST,
  readSet,
  SketchUnion,
  sizeOf,
  sketchOf,
  union,
  unionOfBytes,
  withDevices,
} from '../../server/domain/visit/deviceSet.ts'
import { rounds } from './rounds.ts'

/** Devices like those of an intake: 48 bits of a hash. */
const devices = (from: number, count: number) => Array.from({ length: count }, (_, at) => deviceOf(from + at))
const hashes = new Map<number, number>()
function deviceOf(number: number): number {
  const hash = hashes.get(number) ?? createHash('sha256').update(`device ${number}`).digest().readUIntBE(0, 6)
  hashes.set(number, hash)
  return hash
}
/** Random 48-bit devices, the same for a seed; faster than a hash for many. */
function* randomDevices(seed: number, count: number) {
  let state = seed
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 8
  }
  for (let at = 0; at < count; at++) yield next() * 2 ** 24 + next()
}
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** A set of few or many devices in one of its forms. */
const someSet: fc.Arbitrary<DeviceSet> = fc
  .record({ from: fc.nat(3000), count: fc.nat(400), form: fc.constantFrom('list', 'sketch', 'bytes') })
  .map(({ from, count, form }) => {
    const list = deviceSet(devices(from, count))
    return form === 'list' ? list : form === 'sketch' ? sketchOf(list) : readSet(bytesOf(list, 200))
  })
const same = (one: DeviceSet, other: DeviceSet) => expect(hex(bytesOf(one, LEAF_MOST))).toBe(hex(bytesOf(other, LEAF_MOST)))

describe('sets of devices', () => {
  it('give the same result in their in-memory form, whether a union begins with it or adds it', () => {
    for (const count of [300, 20_000]) {
      const [one, other, again] = [new SketchUnion(), new SketchUnion(), new SketchUnion()]
      one.addSet(deviceSet(randomDevices(1, count)))
      other.addSet(deviceSet(randomDevices(2, count)))
      again.addBytes(one.quick())
      expect([again.size(), sum(again.bytes())]).toEqual([one.size(), sum(one.bytes())])
      again.addBytes(other.quick())
      const both = sketchOf(union([one.set(), other.set()]))
      expect([again.size(), sum(again.bytes())]).toEqual([sizeOf(both), sum(bytesOf(both, 0))])
      expect(sum(bytesOf(readSet(one.quick()), 0))).toBe(sum(one.bytes()))
    }
  })

  it('count as their union would on reused tables, two at a time', () => {
    const [counter, whole, sketch] = [new DeviceCounter(), new DeviceCounter(), new SketchUnion()]
    whole.clear(4000)
    for (const from of [0, 700]) {
      const lists = [devices(from, 900), devices(from + 300, 900), [0]].map((list) => deviceSet(list))
      counter.clear(2000)
      sketch.clear()
      for (const set of lists) counter.addBytes(bytesOf(set, LEAF_MOST), whole)
      expect(counter.size()).toEqual(sizeOf(union(lists)))
      for (const set of lists) sketch.addBytes(bytesOf(set, from ? LEAF_MOST : 200))
      expect(sketch.size()).toEqual(sizeOf(sketchOf(union(lists))))
      expect(hex(sketch.bytes())).toBe(hex(bytesOf(sketchOf(union(lists)), 0)))
    }
    expect(whole.size().unique).toBe(1901)
    expect(() => counter.addBytes(Uint8Array.of(9))).toThrow('unknown form')
  })

  it('are counted as an estimate if one of them is a sketch, and exactly again afterwards', () => {
    const [counter, whole] = [new DeviceCounter(), new DeviceCounter()]
    const sets = [deviceSet(devices(0, 500)), deviceSet(devices(300, 9000)), deviceSet(devices(9200, 300))]
    counter.clear(20_000)
    whole.clear(20_000)
    for (const set of sets) counter.addBytes(bytesOf(set, LEAF_MOST), whole)
    const size = sizeOf(sketchOf(union(sets)))
    expect([size.exact, size.error]).toEqual([false, 0.006])
    expect([counter.size(), whole.size(), counter.size()]).toEqual([size, size, size])
    counter.clear(500)
    counter.addBytes(bytesOf(sets[0]!, LEAF_MOST))
    expect(counter.size()).toEqual({ unique: 500, exact: true, error: 0 })
  })

  it('are counted completely even with more devices than announced', () => {
    const counter = new DeviceCounter()
    for (const promised of [0, 100, 3]) {
      counter.clear(promised)
      counter.addBytes(bytesOf(deviceSet([0, ...devices(0, 5000)]), LEAF_MOST))
      expect(counter.size()).toEqual({ unique: 5001, exact: true, error: 0 })
    }
  })

  it('count a list exactly, each device once', () => {
    const set = deviceSet([...devices(0, 500), ...devices(250, 500)])
    expect(sizeOf(set)).toEqual({ unique: 750, exact: true, error: 0 })
    expect(sizeOf(readSet(bytesOf(set, ROLLUP_MOST)))).toEqual({ unique: 750, exact: true, error: 0 })
  })

  it('are a list up to its maximum length, and a sketch beyond', () => {
    const list = bytesOf(deviceSet(devices(0, ROLLUP_MOST)), ROLLUP_MOST)
    const sparse = bytesOf(deviceSet(devices(0, ROLLUP_MOST + 1)), ROLLUP_MOST)
    expect(list.length).toBe(1 + 6 * ROLLUP_MOST)
    expect(sparse.length).toBeLessThanOrEqual(1 + 3 * (ROLLUP_MOST + 1))
    expect(sizeOf(readSet(sparse))).toMatchObject({ exact: false, error: 0.006 })
  })

  it('are estimated within one per cent, at any size', () => {
    const counts = [3000, 20_000, 70_000, 131_072, 500_000]
    for (const [seed, count] of counts.slice(0, rounds(4, 5)).entries()) {
      const exact = new Set(randomDevices(seed * 1_000_003, count))
      const { unique } = sizeOf(readSet(bytesOf(deviceSet(exact), LEAF_MOST / 8)))
      expect(Math.abs(unique / exact.size - 1), `${count} devices`).toBeLessThan(0.01)
    }
  })

  it('are at most 96 KB', () => {
    expect(bytesOf(deviceSet(randomDevices(7, 200_000)), LEAF_MOST).length).toBe(1 + 96 * 1024)
  })

  it('have a union that is independent of order, grouping and repeats', () => {
    fc.assert(
      fc.property(someSet, someSet, someSet, (one, two, three) => {
        same(union([one, two]), union([two, one]))
        same(union([union([one, two]), three]), union([one, union([two, three])]))
        same(union([one, one]), one)
        same(union([one, two, one]), union([one, two]))
        same(unionOfBytes([one, two].map((set) => bytesOf(set, LEAF_MOST))), union([one, two]))
      }),
      { numRuns: rounds(20, 60) },
    )
  })

  it('are the same whether devices are added at once or in parts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3000), { maxLength: 600 }), fc.array(fc.nat(3000), { maxLength: 600 }), (one, two) => {
        const [first, second] = [one.map(deviceOf), two.map(deviceOf)]
        const before = withDevices(null, first, 300)!
        const after = withDevices(before, second, 300) ?? before
        same(readSet(after), readSet(bytesOf(deviceSet([...first, ...second]), 300)))
        expect(withDevices(after, first, 300)).toBeNull()
      }),
      { numRuns: rounds(20, 60) },
    )
  })

  it('keep the bytes that earlier releases stored', () => {
    expect(hex(bytesOf(deviceSet([2 ** 48 - 1, 0, 1, 0x0123456789ab]), LEAF_MOST))).toBe(
      '010000000000000000000000010123456789abffffffffffff',
    )
    // Register 0 has the highest rank because no bit is set; the last register has the lowest.
    expect(hex(bytesOf(deviceSet([2 ** 48 - 1, 0, 1, 0x0123456789ab]), 0))).toBe('020000200091817fffc1')
    expect(sum(bytesOf(deviceSet(devices(0, 10_000)), LEAF_MOST))).toBe('fc4ddef4389ef3fb')
    expect(sum(bytesOf(deviceSet(devices(0, 60_000)), LEAF_MOST))).toBe('e70aacd215a6a1c7')
  })
})
