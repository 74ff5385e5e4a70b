import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseNdjson } from '../../server/domain/runtime/ndjson.ts'
import { readRespondent } from '../../server/domain/runtime/respondent.ts'
import { checkRows } from './rows.ts'

const against = { questions: new Set([4, 5, 6]), open: new Set([6]), options: new Map(), now: new Date('2026-03-10T12:00:00Z') }
const good = { respondent_id: 'r-1', outcome: 'completes', at: '2026-03-09T08:30:00-05:00' }
const read = (more: object) => readRespondent({ ...good, ...more }, against)

test('a minimal row has id, outcome and time; the rest is unknown', () => {
  expect(read({})).toMatchObject({
    id: 'r-1',
    outcome: 'completes',
    at: '2026-03-09T13:30:00.000Z',
    age: 0,
    gender: 0,
    hhi: 7,
    marital: -1,
    children: -1,
    latitude: null,
    answers: null,
  })
})

test('income 0 and no children are values, not gaps', () => {
  expect(read({ hhi: 0, children: '0' })).toMatchObject({ hhi: 0, children: 0 })
})

test('a time without a zone is UTC, and no time is now', () => {
  expect(read({ at: '2026-03-09 08:30' })).toMatchObject({ at: '2026-03-09T08:30:00.000Z' })
  expect(read({ at: undefined })).toMatchObject({ at: '2026-03-10T12:00:00.000Z' })
})

test('other names are accepted too', () => {
  expect(
    readRespondent({ id: 7, outcome: 'Terminates', time: '2026-03-09T08:30:00Z', dwell_minutes: 12.5, notice: 'yes' }, against),
  ).toMatchObject({ id: '7', outcome: 'terminates', minutes: 12.5, dwell: 3, notice: 1 })
})

test('a repeated answer counts once', () => {
  expect(read({ answers: { 4: ['Nuts', 'Nuts', 'Fruit'], 5: '' } })).toMatchObject({ answers: { 4: ['Nuts', 'Fruit'] } })
})

describe('a bad row names its field', () => {
  const faults: [string, object, string][] = [
    ['respondent_id', { respondent_id: ' ' }, 'respondent_id is required'],
    ['respondent_id', { respondent_id: 'x'.repeat(101) }, 'respondent_id must not be longer than 100 characters'],
    ['outcome', { outcome: 'complete' }, 'outcome must be one of completes, terminates, overquota, partials, not "complete"'],
    ['at', { at: 'yesterday' }, 'at must be a time such as 2026-03-01T14:05:00Z'],
    ['at', { at: '2026-13-01T14:05:00Z' }, 'at must be a time such as 2026-03-01T14:05:00Z'],
    ['at', { at: '2027-01-01T00:00:00Z' }, 'at is in the future'],
    [
      'age',
      { age: 8 },
      'age must be a code, not 8: send 1 (13 to 17), 2 (18 to 24), 3 (25 to 34), 4 (35 to 44), 5 (45 to 54), 6 (55 to 64), 7 (65+)',
    ],
    [
      'age',
      { age: 34 },
      'age must be a code, not 34: for 34 years send 3, of 1 (13 to 17), 2 (18 to 24), 3 (25 to 34), 4 (35 to 44), 5 (45 to 54), 6 (55 to 64), 7 (65+)',
    ],
    ['children', { children: 9 }, 'children must be a code, not 9: send 0 (0), 1 (1), 2 (2), 3 (3-4), 4 (4+)'],
    [
      'age',
      { age: true },
      'age must be a code, not true: send 1 (13 to 17), 2 (18 to 24), 3 (25 to 34), 4 (35 to 44), 5 (45 to 54), 6 (55 to 64), 7 (65+)',
    ],
    ['gender', { gender: 'x' }, 'gender must be one of female, male, other, not "x"'],
    ['latitude', { latitude: 91, longitude: 0 }, 'latitude must be a number from -90 to 90'],
    ['longitude', { latitude: 41 }, 'longitude is missing: a position needs both'],
    ['dma', { dma: 1.5 }, 'dma must be a whole number'],
    ['notice', { notice: 'perhaps' }, 'notice must be yes or no'],
    ['answers', { answers: ['Nuts'] }, 'answers must be an object of answers by question id'],
    ['answers.9', { answers: { 9: 'Nuts' } }, 'answers.9 is not a question of this survey'],
    ['answers.4', { answers: { 4: { text: 'Nuts' } } }, 'answers.4 must be a text'],
    ['email_hash', { email_hash: 'ann@example.com' }, 'email_hash must be a hash, not an address'],
    ['ip', { ip: '300.1.1.1' }, 'ip must be an IP address'],
  ]
  test('is refused with what is wrong and what would be right', () => {
    checkRows(faults, ([field, row, message]) => {
      expect(read(row)).toEqual({ errors: [{ code: expect.any(String), field, message }] })
    })
  })
})

test('an object in place of a value is refused', () => {
  checkRows(['age', 'hhi', 'children', 'notice', 'fraud', 'gender', 'dma'], (field) => {
    expect(read({ [field]: { toString: '', valueOf: 1 } })).toMatchObject({ errors: [{ field }] })
  })
})

test('any row is read or refused, and never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.record(
          { outcome: fc.jsonValue(), age: fc.jsonValue(), answers: fc.jsonValue(), at: fc.jsonValue(), latitude: fc.jsonValue() },
          { requiredKeys: [] },
        ),
      ),
      (row) => {
        const answer = readRespondent(row, against)
        expect('errors' in answer ? answer.errors.every(({ message }) => message.length > 0) : answer.id.length > 0).toBe(true)
      },
    ),
  )
})

test('only the broken NDJSON line is refused; blank lines and a byte order mark are ignored', () => {
  const rows = parseNdjson(
    `\uFEFF${JSON.stringify(good)}\r\n\n{"respondent_id": \n${JSON.stringify({ ...good, respondent_id: 'r-2' })}\n`,
  )
  expect(rows.map((row) => readRespondent(row, against))).toMatchObject([
    { id: 'r-1' },
    { errors: [{ field: 'line', message: 'line is not valid JSON' }] },
    { id: 'r-2' },
  ])
})

test('an answer has at most 200 characters, an open one 10,000', () => {
  const errorsOf = (answers: object) => (read({ answers }) as { errors?: unknown[] }).errors
  const tooLong = (field: string, most: number) => [
    { code: 'range', field, message: `${field} must not be longer than ${most} characters` },
  ]
  expect(errorsOf({ 4: 'a'.repeat(201) })).toEqual(tooLong('answers.4', 200))
  expect(read({ answers: { 4: 'a'.repeat(200), 6: 'a'.repeat(10_000) } })).not.toHaveProperty('errors')
  expect(errorsOf({ 6: 'a'.repeat(10_001) })).toEqual(tooLong('answers.6', 10_000))
})

test('a number is its digits, and nothing else that JavaScript makes a number of', () => {
  expect(read({ latitude: ' 42.36 ', longitude: '-71.06', hhi: '1', dwell: '12.5' })).toMatchObject({ latitude: 42.36, hhi: 1 })
  for (const strange of ['0x2A', '0b1', '1e1', 'Infinity', true, [1]]) {
    const fields = ['latitude', 'longitude', 'age', 'hhi', 'children', 'dma', 'dwell']
    const found = read({
      latitude: strange,
      longitude: strange,
      age: strange,
      hhi: strange,
      children: strange,
      dma: strange,
      dwell: strange,
    })
    expect([strange, 'errors' in found && found.errors.map(({ field }) => field).sort()]).toEqual([strange, fields.sort()])
  }
})
