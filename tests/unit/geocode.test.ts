import { expect, test } from 'vitest'
import { geocoder, positionOf } from '../../server/domain/place/geocode.ts'

const nowhere = { city: '', state: '', zip: '', latitude: null, longitude: null }

test('given coordinates are exact, whatever the address says', async () => {
  const where = { ...nowhere, zip: '02108', latitude: 40, longitude: -70 }
  expect(await positionOf(where)).toEqual({ latitude: 40, longitude: -70, position: 'exact' })
})

test('a ZIP, with four more digits too, is placed at its center', async () => {
  const boston = { latitude: 42.3576, longitude: -71.0684, position: 'zip' }
  expect(await positionOf({ ...nowhere, zip: '02108' })).toEqual(boston)
  expect(await positionOf({ ...nowhere, zip: '02108-1234' })).toEqual(boston)
})

test('an unknown ZIP falls back to its city, in any spelling', async () => {
  const found = await positionOf({ ...nowhere, zip: '00000', city: 'Saint Louis', state: 'MO' })
  expect(found.position).toBe('city')
  expect(found.latitude).toBeCloseTo(38.63, 0)
  expect(await positionOf({ ...nowhere, city: 'ST. LOUIS', state: 'mo' })).toEqual(found)
})

test('a city needs its state, and an unknown address has no position', async () => {
  expect(await positionOf({ ...nowhere, city: 'Springfield' })).toEqual({ latitude: null, longitude: null, position: 'none' })
})

test('the state of a ZIP is known', async () => {
  const { stateOf } = await geocoder()
  expect([stateOf('02108'), stateOf('99999'), stateOf('')]).toEqual(['MA', null, null])
})
