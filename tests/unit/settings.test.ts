import { expect, test } from 'vitest'
import { readSettings } from '../../server/core/settings.ts'

const DATABASE_URL = 'postgres://fieldwork@primary/fieldwork'

test('read replicas are separated by spaces or commas', () => {
  const [one, two] = ['postgres://fieldwork@one/fieldwork', 'postgres://fieldwork@two/fieldwork']
  expect(readSettings({ DATABASE_URL, DATABASE_READ_URL: `${one} ${two}` }).readUrls).toEqual([one, two])
  expect(readSettings({ DATABASE_URL }).readUrls).toEqual([])
})

test('a wrong address of a replica is refused without repeating its password', () => {
  const refused = () => readSettings({ DATABASE_URL, DATABASE_READ_URL: 'mysql://fieldwork:secret@one/fieldwork' })
  expect(refused).toThrow(/DATABASE_READ_URL/)
  expect(refused).not.toThrow(/secret/)
})

test('replicas without a database of PostgreSQL are refused', () => {
  expect(() => readSettings({ DATABASE_READ_URL: DATABASE_URL })).toThrow(/DATABASE_READ_URL needs DATABASE_URL/)
})
