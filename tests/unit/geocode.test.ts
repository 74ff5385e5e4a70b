import { expect, test } from 'vitest'
import { marketPlaces, nearestMarket } from '../../server/db/markets.ts'
import { geocoder } from '../../server/domain/place/geocode.ts'
import { checkRows } from './rows.ts'

const { positionOf, doubtOf, stateOf } = await geocoder()
const nowhere = { city: '', state: '', zip: '', latitude: null, longitude: null }

const boston = { ...nowhere, zip: '02108', city: 'Boston', state: 'MA' }
const seattle = { ...nowhere, zip: '98101', city: 'Seattle', state: 'WA' }

test('coordinates near their address are exact, and so are those of an address that says nothing', () => {
  checkRows(
    [boston, { ...boston, zip: '' }, { ...boston, city: '' }, { ...boston, zip: '00000', city: 'Nowhere' }, nowhere],
    (where) => {
      const sent = { ...where, latitude: 42.2, longitude: -71.2 }
      expect([positionOf(sent), doubtOf(sent)]).toEqual([{ latitude: 42.2, longitude: -71.2, position: 'exact' }, null])
    },
  )
  // A mistyped ZIP says nothing about coordinates in the right city.
  expect(doubtOf({ ...boston, zip: '10001', latitude: 42.36, longitude: -71.06 })).toBe(null)
  expect(doubtOf({ ...nowhere, city: 'Anchorage', state: 'AK', zip: '99501', latitude: 63.3, longitude: -149.9 })).toBe(null)
})

test('coordinates without a hint are questioned if only those with another sign, or changed over, are near a market area', () => {
  const doubt = (latitude: number, longitude: number, where = {}) => doubtOf({ ...nowhere, ...where, latitude, longitude })
  const meant = (likely: string, sent: string) => `${likely} is probably meant: no market area is near ${sent}`
  expect(doubt(39.74, 104.99)).toBe(meant('39.74, -104.99', '39.74, 104.99'))
  expect(doubt(-71.06, 42.36, { city: 'Boston' })).toBe(meant('42.36, -71.06', '-71.06, 42.36'))
  expect(positionOf({ ...nowhere, latitude: 39.74, longitude: 104.99 }).position).toBe('none')
  const elsewhere: [number, number, object?][] = [
    [48.86, 2.35],
    [43.65, -79.38],
    [13.47, 144.75],
    [39.9, 116.4, { state: 'Hebei' }],
  ]
  for (const [latitude, longitude, where] of elsewhere) expect(doubt(latitude, longitude, where)).toBe(null)
})

test('coordinates far from their address are questioned, with those that were probably meant', () => {
  checkRows<[where: Partial<typeof boston>, latitude: number, longitude: number, meant: string | null]>(
    [
      [boston, -71.06, 42.36, '42.36, -71.06'],
      [boston, 42.36, 71.06, '42.36, -71.06'],
      [boston, -42.36, -71.06, '42.36, -71.06'],
      [boston, -42.36, 71.06, '42.36, -71.06'],
      [boston, 71.06, 42.36, '42.36, -71.06'],
      [boston, 42.36, -91.06, null],
      [{ ...boston, zip: '' }, -71.06, 42.36, '42.36, -71.06'],
      [{ ...boston, zip: '', city: '' }, -71.06, 42.36, '42.36, -71.06'],
      [{ ...boston, zip: '00000', city: 'Nowhere', state: 'ma' }, 42.36, 71.06, '42.36, -71.06'],
      [seattle, 47.6, 122.3, '47.6, -122.3'],
      [seattle, 42.36, -71.06, null],
      [boston, 0, -71.06, null],
      [boston, 42.36, 0, null],
      [{ zip: '96813', city: 'Honolulu', state: 'HI' }, 21.3, 157.86, '21.3, -157.86'],
      [{ zip: '10200', city: '', state: '' }, 40.77, 73.95, '40.77, -73.95'],
    ],
    ([where, latitude, longitude, meant]) => {
      const sent = { ...nowhere, ...where, latitude, longitude }
      const doubt = doubtOf(sent)
      expect(doubt).toContain(`${latitude}, ${longitude} is `)
      expect(doubt?.match(/^(.+) is probably meant: /)?.[1] ?? null).toBe(meant)
      expect(positionOf(sent).position).not.toBe('exact')
    },
  )
})

test('0, 0 is no position, however it is written', () => {
  for (const zero of [0, -0, 0.0004]) {
    expect(positionOf({ ...boston, latitude: zero, longitude: -zero })).toMatchObject({ position: 'zip' })
    expect(positionOf({ ...nowhere, latitude: zero, longitude: zero })).toMatchObject({ latitude: null, position: 'none' })
  }
})

test('no market area is near a position abroad or at sea, and every main city is in its own', () => {
  for (const [code, city] of marketPlaces()) expect(nearestMarket(city)).toBe(code)
  for (const [latitude, longitude] of [
    [0, 0],
    [42.36, 71.06],
    [-71.06, 42.36],
    [52.5, 13.4],
    [30, -60],
    [18.4, -66],
  ])
    expect(nearestMarket({ latitude: latitude!, longitude: longitude! })).toBe(null)
  expect(nearestMarket({ latitude: 36.91, longitude: -111.46 }), 'Page, Arizona').toBe(839)
})

test('a ZIP, with four more digits too, is placed at its center', () => {
  const boston = { latitude: 42.3576, longitude: -71.0684, position: 'zip' }
  expect(positionOf({ ...nowhere, zip: '02108' })).toEqual(boston)
  expect(positionOf({ ...nowhere, zip: '02108-1234' })).toEqual(boston)
})

test('an unknown ZIP falls back to its city, in any spelling', () => {
  const found = positionOf({ ...nowhere, zip: '00000', city: 'Saint Louis', state: 'MO' })
  expect(found.position).toBe('city')
  expect(found.latitude).toBeCloseTo(38.63, 0)
  expect(positionOf({ ...nowhere, city: 'ST. LOUIS', state: 'mo' })).toEqual(found)
})

test('a city needs its state, and an unknown address has no position', () => {
  expect(positionOf({ ...nowhere, city: 'Springfield' })).toEqual({ latitude: null, longitude: null, position: 'none' })
})

test('the state of a ZIP is known', () => {
  expect([stateOf('02108'), stateOf('99999'), stateOf('')]).toEqual(['MA', null, null])
})
