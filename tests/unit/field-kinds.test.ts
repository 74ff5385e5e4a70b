import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { personFields } from '../../contract/accountFields.ts'
import { createShape, needing } from '../../contract/fieldInput.ts'
import {
  type Field,
  type FieldKind,
  faultOf,
  faultsOf,
  field,
  isBlank,
  newFaults,
  pick,
  readField,
  sentenceOf,
  textOf,
  typesOf,
  wireOf,
} from '../../contract/fieldKinds.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { postFields } from '../../contract/occasionFields.ts'
import { surveyFields } from '../../contract/surveyFields.ts'
import { demographicFields } from '../../contract/targetFields.ts'
import { userFields } from '../../contract/userFields.ts'
import { brandFields, serviceFields } from '../../contract/visitationFields.ts'
import { AGES, GENDERS } from '../../contract/vocabulary.ts'
import { columnsIn } from '../../server/core/fieldColumns.ts'
import type { Ask } from '../../src/commands/command.ts'
import { wrongWith } from '../../src/commands/commandQuestions.ts'
import { answered, asksOf } from '../../src/commands/fieldAsks.ts'
import { editsOf } from '../../src/list/fieldEdit.ts'
import { readDraft } from '../../src/palette/steps.ts'
import { HOSTILE } from '../support/fieldTexts.ts'

/*
 * A field's value is the same in a form, an inline cell, the palette, a call and a file.
 * Each of them is tried with the same hostile texts; results and sentences are compared.
 */

const typed = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 260, unit: 'binary' }))

const NUMBERS: readonly FieldKind[] = ['money', 'integer', 'percent', 'day', 'record']
/** Kinds of lists are tried below. */
const LISTS = ['records', 'rows', 'several', 'lines', 'file', 'files'] as const
type List = (typeof LISTS)[number]
/** A field of each kind, and every field of a noun. */
const words = { wrong: 'is wrong', unread: 'is unread' }
const SAMPLES: { readonly [K in Exclude<FieldKind, List | 'coordinates'>]: Field } & Record<string, Field> = {
  text: field.text('Text', { max: 50 }),
  name: field.name('Name', { required: 'Name cannot be blank' }),
  email: field.email('Email', words),
  phone: field.phone('Phone', words),
  url: field.url('Link', words),
  zip: field.zip('ZIP', { max: 20 }),
  money: field.money('Amount', { ...words, column: 'amount_cents' }),
  plainInteger: field.integer('Ordered', { min: 1, max: 5000 }),
  integer: field.integer('Goal', { ...words, min: 1, max: 5000 }),
  percent: field.percent('Incidence', { ...words, min: 1, max: 100 }),
  day: field.day('Start', {}),
  choice: field.choice('Choice', { options: [{ value: 'feed', label: 'Feed' }], wrong: 'is feed' }),
  numbered: field.choice('Provider', { options: [{ value: 600, label: 'Second' }] }),
  flag: field.flag('Tell', {}),
  record: field.record('Client', { of: 'client', required: 'Choose a client' }),
}
const all: [string, Field][] = [
  ...Object.entries(SAMPLES),
  ...Object.entries(fieldTables).flatMap(([noun, fields]) =>
    Object.entries(fields).flatMap(([name, one]): [string, Field][] =>
      ([...LISTS, 'coordinates'] as FieldKind[]).includes(one.kind) ? [] : [[`${noun}.${name}`, one]],
    ),
  ),
]

/** What a form sends, or its sentence. */
function ofForm(one: Field, text: string) {
  const fault = faultOf(one, text)
  return fault ? { fault } : { sent: wireOf(one, 'it', { it: text }).it }
}
/** What the palette sends for an answer, or its sentence; typing in the palette turns "1.2k" into a number besides. */
function ofPalette(one: Field, text: string) {
  const ask = asksOf({ it: one }).it as Ask
  const typed = ask.type === 'option' || ask.type === 'entity' ? text : readDraft(ask, text, '2026-11-29')
  const fault = wrongWith(ask, typed, {})
  return fault ? { fault } : { sent: answered({ it: one }, { it: typed }) as { it?: unknown } }
}
/** What a call's handler gets, or the sentence about it. */
function ofCall(one: Field, sent: unknown) {
  const read = z.object(createShape({ it: one } as never)).safeParse({ it: sent })
  return read.success
    ? { value: (read.data as { it?: unknown }).it }
    : { fault: sentenceOf(one.label, read.error.issues[0]!.message) }
}

describe.each(all)('%s', (_, declared) => {
  // Conditions and fillings are about other fields.
  const one = { ...declared, when: undefined, needed: undefined, against: undefined, fill: undefined, usual: undefined } as Field
  const optional = one.required === undefined
  test('is read alike by forms, calls and files, with the same sentence', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const form = ofForm(one, text)
        const file = readField(one, text)
        expect('fault' in form, `the form, and a file’s cell: ${JSON.stringify(file)}`).toBe('fault' in file)
        // A blank optional value that isn't a text is left out of a call.
        if (optional && isBlank(text)) return void expect(form).toEqual({ sent: wireOf(one, 'it', { it: '' }).it })
        const palette = ofPalette(one, text)
        // It reads words for days, units and thousands (1k), and no digits of other kinds.
        if (!('sent' in palette && NUMBERS.includes(one.kind)))
          expect('fault' in palette, `palette: ${JSON.stringify(palette)}`).toBe('fault' in file)
        if ('fault' in palette && 'fault' in form) expect(palette).toEqual(form)
        if ('sent' in palette && !('fault' in form)) expect(palette.sent).toEqual({ it: form.sent })
        const call = ofCall(one, text)
        if ('fault' in form) {
          if (one.kind === 'day') return void expect(call).toHaveProperty('fault')
          return void expect(call).toEqual(form)
        }
        // The call reads what a form sends as what was typed, and a second time as the first.
        expect(ofCall(one, form.sent)).toEqual(call)
        expect(call).toEqual({ value: 'value' in file ? file.value : null })
      }),
    )
  })
  test('is refused by a cell with the sentence of the form', async () => {
    const row = { id: 1, lock_version: 1 }
    const cell = editsOf('brand', { it: one })('it')
    for (const text of HOSTILE) {
      const fault = faultOf(one, text, { it: text }, row)
      if (fault) await expect(cell.save(row, text), JSON.stringify(text)).rejects.toThrow(fault)
    }
  })
  test('is shown as what reads as the same value', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const read = readField(one, text)
        if ('fault' in read || read.value === null) return
        const column = one.kind === 'money' ? one.column : 'it'
        const shown = textOf(one, 'it', { [column]: read.value }) as string
        expect(readField(one, shown)).toEqual(read)
      }),
    )
  })
})

test('coordinates are read as two, and shown as they were typed', () => {
  const one = field.coordinates('Coordinates', { both: 'Give both coordinates, or none.' })
  expect(wireOf(one, 'it', { it: ' 42.36,-71.06 ' })).toEqual({ latitude: 42.36, longitude: -71.06 })
  expect(wireOf(one, 'it', { it: '' })).toEqual({ latitude: null, longitude: null })
  expect(textOf(one, 'it', { latitude: 42.36, longitude: -71.06, position: 'exact' })).toBe('42.36, -71.06')
  for (const text of ['0x1,2', '1e1 2', '91, 0', '1,2,3', ', 1', '5']) expect(readField(one, text), text).toHaveProperty('fault')
})

test('a name that shows nothing is blank, and one that does loses what nobody sees', () => {
  const { name } = SAMPLES
  for (const text of ['\u200b', ' \u2060\ufeff ', '\u202e\u202c', '\u3164', '\u2800', '\u0000', '\u200d'])
    expect(readField(name!, text), JSON.stringify(text)).toEqual({ fault: 'Name cannot be blank' })
  expect(readField(name!, ' Wave\u00a0\u200b 1\n\u202eabc ')).toEqual({ value: 'Wave 1 abc' })
  expect(readField(name!, '👩‍👩‍👧 e\u0301')).toEqual({ value: '👩‍👩‍👧 é' })
})

test('an end is judged beside its start: in a form, in the palette, and in the cells of both', async () => {
  const [start_dt, early] = ['2026-03-02', '2026-03-01']
  expect(faultOf(brandFields.end_dt, early, { start_dt })).toBe(MESSAGES.startBeforeEnd)
  expect(faultOf(brandFields.end_dt, '2/3/2026', { start_dt })).toBe(MESSAGES.startBeforeEnd)
  expect(faultOf(brandFields.end_dt, start_dt, { start_dt })).toBeNull()
  expect(faultOf(brandFields.end_dt, '', { start_dt })).toBeNull()
  expect(wrongWith(asksOf(brandFields).end_dt, early, { start_dt })).toBe(MESSAGES.startBeforeEnd)
  const row = { id: 1, lock_version: 1, name: 'Acme', status: 'active', start_dt, end_dt: start_dt }
  const edit = editsOf('brand', brandFields)
  await expect(edit('end_dt').save(row, early)).rejects.toThrow(MESSAGES.startBeforeEnd)
  await expect(edit('start_dt').save(row, '2026-03-03')).rejects.toThrow(MESSAGES.startBeforeEnd)
  await expect(edit('start_dt').save(row, '')).rejects.toThrow(MESSAGES.occasionStart)
})

test('a text that doesn’t look as its pattern says is refused, and so are more rows than a field takes', () => {
  const bucket = serviceFields.s3_bucket
  for (const text of ['acme-visits', 's3://acme/2026', '']) expect(faultOf(bucket, text), text).toBeNull()
  expect(faultOf(bucket, 'Two words')).toBe('S3 bucket is not a bucket name or s3:// address')
  expect(ofCall(bucket, 'Two words')).toEqual({ fault: 'S3 bucket is not a bucket name or s3:// address' })
  const rows = field.rows('Venues', { most: 1 })
  expect(faultOf(rows, [{ code: '1' }])).toBeNull()
  expect(faultOf(rows, [{ code: '1' }, { code: '2' }])).toBe('Venues needs at most 1')
})

test('a column that the table lacks, or has another type of, does not compile', () => {
  const fits = { name: field.name('Name', {}), amount: field.money('Amount', { ...words, column: 'amount_cents' }) }
  expect(columnsIn('rewards', fits, { name: 'A', amount: 500 })).toEqual({ name: 'A', amount_cents: 500 })
  // @ts-expect-error rewards have no such column
  columnsIn('rewards', { internal_code: field.text('Internal code', {}) }, {})
  // @ts-expect-error its column is a number
  columnsIn('rewards', { amount_cents: field.text('Amount', {}) }, {})
})

test('an invited user may lack a name or phone, in cells and in the palette; nobody else may lose one', async () => {
  const user = { id: 1, lock_version: 1, first_name: 'Ana', last_name: 'Diaz', phone: '2125550100' }
  const [invited, active] = [
    { ...user, status: 'invited' },
    { ...user, status: 'active' },
  ]
  for (const [name, message] of [
    ['first_name', MESSAGES.firstName],
    ['last_name', MESSAGES.lastName],
    ['phone', MESSAGES.phoneBlank],
  ] as const) {
    const ask = asksOf(userFields, 'edit')[name] as Ask
    const of = (record: object) => [{ kind: 'user' as const, id: 1, name: 'Ana', record: record as Record<string, unknown> }]
    expect(faultOf(userFields[name], '', {}, invited), name).toBeNull()
    expect(ask.check!('', {}, of(invited)), name).toBeNull()
    expect(ask.check!('', {}, of(active)), name).toBe(message)
    await expect(editsOf('user', userFields)(name).save(active, ''), name).rejects.toThrow(message)
    expect(ofCall(personFields[name], ''), `${name} of one’s own account`).toEqual({ fault: message })
  }
  expect(faultOf(userFields.phone, '', {}, { status: 'active', phone: '' }), 'lacked before').toBeNull()
})

test('a form’s file is the last one that was added, and a record’s own by its name', () => {
  const { file_id } = postFields
  const stored = { id: 7, original_name: 'sign.png', size: 12 }
  const shown = textOf(file_id, 'file_id', { file_id: 7, file: stored })
  expect(shown).toEqual([{ id: 7, name: 'sign.png', bytes: 12 }])
  expect(textOf(file_id, 'file_id', { file_id: 8, file: stored })).toEqual([{ id: 8, name: 'File 8', bytes: 0 }])
  expect(textOf(file_id, 'file_id', { file_id: null, file: null })).toEqual([])
  const added = [...(shown as object[]), { id: 9, name: 'new.png', bytes: 1 }]
  expect(wireOf(file_id, 'file_id', { file_id: added })).toEqual({ file_id: 9 })
  expect(wireOf(file_id, 'file_id', { file_id: [] })).toEqual({ file_id: null })
  for (const [content_type, type] of [
    ['photo', 'png'],
    ['video', 'mp4'],
  ] as const)
    expect(typesOf(file_id, { content_type })).toContain(type)
})

const lists: [string, Field][] = [
  ['several', field.several('Gender', { options: GENDERS, what: 'a gender' })],
  ['several, required', field.several('Age', { options: AGES, required: 'Choose an age' })],
  ['several codes', field.several('Areas', { most: 3 })],
  ['lines', field.lines('Answers', { most: 3 })],
  ...Object.entries(fieldTables).flatMap(([noun, fields]) =>
    Object.entries(fields).flatMap(([name, one]): [string, Field][] =>
      one.kind === 'several' || one.kind === 'lines' ? [[`${noun}.${name}`, one]] : [],
    ),
  ),
]
const word = fc.oneof(fc.constantFrom(...HOSTILE, '1', '2', 'Female', 'male', '-1', 'All', '18-24', 'a,b'), fc.integer())

describe.each(lists)('a list: %s', (_, declared) => {
  const one = { ...declared, when: undefined, needed: undefined } as Field
  test('is read alike by forms, calls and files, with the same sentence', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const text = one.kind === 'lines' ? words.join('\n') : words.map(String)
        const read = readField(one, text)
        const fault = faultOf(one, text)
        expect(fault).toBe('fault' in read ? sentenceOf(one.label, read.fault) : null)
        const { it: sent } = wireOf(one, 'it', { it: text })
        const call = ofCall(one, one.kind === 'lines' ? sent : text)
        if ('fault' in read) return void expect(call).toEqual({ fault })
        expect(call).toEqual({ value: read.value ?? [] })
        expect(readField(one, textOf(one, 'it', { it: read.value }))).toEqual(read)
      }),
    )
  })
})

test('choices are read as calls and files write them: a comma list, labels, and incomes with commas', () => {
  const { hhi, age, gender } = demographicFields
  expect(readField(hhi, '$25K to $34,999, 2')).toEqual({ value: ['1', '2'] })
  expect(readField(gender, 'Female, all, male')).toEqual({ value: ['female', 'male'] })
  expect(ofCall(age, '1, 99')).toEqual({
    fault: expect.stringMatching(/^Age has a value that is not an age: 99. Accepted: 1 \(13/),
  })
  for (const sent of [{}, [{}], [['1']], { toString: 1 }, true, [null]])
    expect([ofCall(age, sent), readField(age, sent)], JSON.stringify(sent)).toEqual([
      { fault: expect.any(String) },
      { fault: 'must be a list of texts or numbers' },
    ])
})

test('files are sent by id: one, the last, and several, which a call takes up to their number', () => {
  const one = field.file('File', { nullable: true, named: 'it_name', types: ['csv'] })
  const files = [1, 2].map((id) => ({ id, name: `${id}.csv`, bytes: 1 }))
  expect(wireOf(one, 'it', { it: files })).toEqual({ it: 2 })
  expect(wireOf(one, 'it', { it: [] })).toEqual({ it: null })
  expect(textOf(one, 'it', { it: 2, it_name: '2.csv' })).toEqual([{ id: 2, name: '2.csv', bytes: 0 }])
  expect([ofCall(one, 2), ofCall(one, null), ofCall(one, 'x')]).toMatchObject([{ value: 2 }, { value: null }, { fault: /id/ }])
  const many = field.files('Files', { most: 2 })
  expect(wireOf(many, 'it', { it: files })).toEqual({ it: [1, 2] })
  expect(ofCall(many, [1, 2, 3])).toHaveProperty('fault')
  expect(faultOf(many, [...files, ...files])).toBe('Files needs at most 2')
})

test('a value that is needed beside others is missed in forms, cells, the palette and a new record, never in an unchanged one', async () => {
  const fields = pick(surveyFields, 'survey_vendor', 'vendor_survey_id')
  const values = { survey_vendor: 'Northstar', vendor_survey_id: '' }
  const missing = { vendor_survey_id: MESSAGES.surveyId }
  expect(faultsOf(fields, values)).toEqual(missing)
  expect(faultsOf(fields, { ...values, survey_vendor: '' })).toEqual({})
  expect(newFaults(fields, { ...values, survey_vendor: '' }, values)).toEqual(missing)
  expect(newFaults(fields, values, { ...values, survey_vendor: 'Other' })).toEqual({})
  const ask = asksOf(fields).vendor_survey_id
  expect([ask.when?.(values, []), ask.when?.({}, [])]).toEqual([true, false])
  expect(wrongWith(ask, '', values)).toBe(MESSAGES.surveyId)
  const row = { id: 1, lock_version: 1, survey_vendor: '', vendor_survey_id: '' }
  await expect(editsOf('survey', fields)('survey_vendor').save(row, 'Northstar')).rejects.toThrow(MESSAGES.surveyId)
  const create = needing(z.object(createShape(fields)), fields)
  expect(create.safeParse(values).error?.issues).toMatchObject([{ path: ['vendor_survey_id'], message: MESSAGES.surveyId }])
  expect(create.safeParse({}).success).toBe(true)
  for (const hostile of [{ survey_vendor: { toString: 1 } }, { vendor_survey_id: [] }, null, 'x'])
    expect(create.safeParse(hostile).success, JSON.stringify(hostile)).toBe(false)
})
