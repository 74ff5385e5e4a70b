import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Fields, readField, sentenceOf, shortLabelsOf } from '../../contract/fieldKinds.ts'
import { locationColumns, questionColumns, rewardColumns, venueColumns } from '../../contract/importFields.ts'
import { columnsOf } from '../../contract/questionSheet.ts'
import { geocoder } from '../../server/domain/place/geocode.ts'
import { recognize } from '../../server/imports/fileColumns.ts'
import { locationKind } from '../../server/imports/locations.ts'
import { rewardKind } from '../../server/imports/rewards.ts'
import { VENUE_COLUMNS } from '../../server/imports/venues.ts'
import { HOSTILE } from '../support/fieldTexts.ts'

const cell = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 400, unit: 'binary' }))

test.each([
  ['locations', locationColumns, locationKind.fields],
  ['venues', venueColumns, VENUE_COLUMNS],
  ['people to reward', rewardColumns, rewardKind.fields],
] as const)(
  'a file of %s may hold what the table says, and headings by its labels are recognized',
  (_, columns: Fields, fields) => {
    expect(fields.map(({ id }) => id).sort()).toEqual(Object.keys(columns).sort())
    const cells = Object.values(shortLabelsOf(columns))
    expect(recognize([{ line: 1, cells }], fields, { headed: true }).columns).toEqual(Object.keys(columns))
  },
)

test('headings by the labels of a question’s fields are recognized in a sheet', () => {
  expect(columnsOf([Object.values(shortLabelsOf(questionColumns))]).columns).toEqual(Object.keys(questionColumns))
})

describe('a line of a file is read as its fields are', () => {
  /** What is wrong with a field of a line, in the words of its kind. */
  const saidOf = (columns: Fields, name: string, text: string) => {
    const read = readField(columns[name]!, text)
    return 'fault' in read ? sentenceOf(columns[name]!.label, read.fault) : undefined
  }

  test('of a location’s', async () => {
    const geo = await geocoder()
    fc.assert(
      fc.property(cell, fc.constantFrom('name', 'address', 'city', 'state'), (text, name) => {
        const values = { name: 'Store', address: '12 Main St', city: 'Boston', state: 'MA', zip: '02108', [name]: text }
        const found = locationKind.read(values, 1, { geo, seen: new Map(), group_id: null, named: true })
        const message = Array.isArray(found) ? found.find(({ field }) => field === name)?.message : undefined
        expect(message).toBe(saidOf(locationColumns, name, text))
        if (!Array.isArray(found) && name === 'name')
          expect(found.name).toBe((readField(locationColumns.name, text) as { value: string }).value)
      }),
    )
  })

  test('of a reward’s', () => {
    fc.assert(
      fc.property(cell, fc.constantFrom('email', 'amount', 'note'), (text, name) => {
        const values = { email: 'ana@example.test', amount: '5', [name]: text }
        const state = { project_id: 1, import_id: 1, provider_id: 1, rewards: [], emails: new Map(), ips: new Map() }
        const found = rewardKind.read(values, 1, state)
        const message = Array.isArray(found) ? found.find(({ field }) => field === name)?.message : undefined
        // A cell has lost its blanks before.
        expect(message).toBe(saidOf(rewardColumns, name, text))
      }),
    )
  })
})
