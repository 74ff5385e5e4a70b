import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readExternalId } from '../../contract/externalId.ts'
import { emailKey, readEmail } from '../../contract/fieldKinds.ts'
import { compareText, foldText, nameKey } from '../../contract/foldText.ts'
import { readIpAddress } from '../../contract/ipAddress.ts'

const root = resolve(import.meta.dirname, '../..')
const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
const text = fc.array(
  fc.integer({ min: 0x20, max: 0x2ffff }).map((point) => String.fromCodePoint(point)),
  { maxLength: 12 },
)
const words = text.map((signs) => signs.join('').toWellFormed())

test('every character has one key in all forms of Unicode, in upper and lower case, and between invisible ones', () => {
  const wrong: string[] = []
  for (let point = 0; point < 0x110000; point++) {
    if (/[\p{Cn}\p{Co}\p{Cs}\p{Ideographic}\p{Script=Hangul}]/u.test(String.fromCodePoint(point))) continue
    const typed = `x${String.fromCodePoint(point)}y`
    const key = nameKey(typed)
    const others = [...FORMS.map((form) => typed.normalize(form)), typed.toUpperCase(), typed.toLowerCase(), key]
    if (others.some((other) => nameKey(other) !== key)) wrong.push(point.toString(16))
    if (foldText(foldText(typed)) !== foldText(typed)) wrong.push(`${point.toString(16)} twice`)
  }
  expect(wrong).toEqual([])
})

test('a key is the same in every form, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(words, fc.constantFrom(...FORMS), (typed, form) => {
      expect(nameKey(typed.normalize(form))).toBe(nameKey(typed))
      expect(nameKey(nameKey(typed))).toBe(nameKey(typed))
      expect(nameKey(`\u202e ${typed}\u00a0\u200b`)).toBe(nameKey(typed))
      expect(foldText(typed.normalize(form))).toBe(foldText(typed))
    }),
  )
})

test('accents tell two names apart, and are found without', () => {
  expect(nameKey('Café')).not.toBe(nameKey('Cafe'))
  expect(['Éclair', 'ŁÓDŹ', 'Ørsted', 'Straße', 'O’Brien', 'ﬁne'].map(foldText)).toEqual([
    ...['eclair', 'lodz', 'orsted', 'strasse', "o'brien", 'fine'],
  ])
})

test('the order is total, and É stands by E, Ø by O', () => {
  expect(['Zebra', 'Éclair', 'Ørsted', 'eel', 'Oslo', 'İstanbul', 'Łódź', 'Lima'].sort(compareText)).toEqual([
    'Éclair',
    'eel',
    'İstanbul',
    'Lima',
    'Łódź',
    'Ørsted',
    'Oslo',
    'Zebra',
  ])
  fc.assert(
    fc.property(words, words, words, (a, b, c) => {
      expect(Math.sign(compareText(a, b)) + Math.sign(compareText(b, a))).toBe(0)
      if (compareText(a, b) <= 0 && compareText(b, c) <= 0) expect(compareText(a, c)).toBeLessThanOrEqual(0)
    }),
  )
})

test('an IP address has one spelling', () => {
  const same = ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', '2001:db8:0::0:1'].map(readIpAddress)
  expect(same).toEqual(['2001:db8::1', '2001:db8::1', '2001:db8::1'])
  expect(['::ffff:192.0.2.7', '::FFFF:c000:207', '192.0.2.7 '].map(readIpAddress)).toEqual(Array(3).fill('192.0.2.7'))
  for (const wrong of [
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4.5',
    '1.2.3.',
    '::1%eth0',
    ':::',
    '12345::',
    '0x7f.1',
    '::1]:80',
  ])
    expect([wrong, readIpAddress(wrong)]).toEqual([wrong, null])
  fc.assert(
    fc.property(fc.ipV6(), (typed) => {
      expect(readIpAddress(readIpAddress(typed)!)).toBe(readIpAddress(typed))
    }),
  )
  fc.assert(
    fc.property(fc.ipV4(), (typed) => {
      expect(readIpAddress(typed)).toBe(typed)
    }),
  )
})

test('an email address with a character that isn’t seen is none', () => {
  for (const unseen of ['\u200b', '\u202a', '\u202e', '\u00ad', '\u2060', '\ufeff', '\u034f', '\u3164', '\ufe0f'])
    expect(readEmail(`ann${unseen}@acme.test`)).toBeNull()
  expect(readEmail(' Ann@Acme.test\u00a0')).toBe('ann@acme.test')
  expect(emailKey('ａnn@acme.test')).toBe('ann@acme.test')
})

test('an id is taken whole or refused', () => {
  const read = (value: unknown) => readExternalId(value, { most: 10, inAddress: true })
  expect([7, '007', ' a b ', 'e\u0301', null].map(read)).toEqual(['7', '007', 'a b', '\u00e9', ''].map((id) => ({ id })))
  const wrong = [2 ** 53, 1.5, true, {}, '.', '..', 'a/b', 'a\nb', 'a\u200bb', '\u202ea', 'a\ud800', '12345678901']
  for (const one of wrong) expect(read(one)).toHaveProperty('fault')
})

/** Modules that run, without tests and what is shipped as it was. */
const sources = ['server', 'src', 'contract', 'cli', 'verbs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/^db\/(migrations|baseline)\//.test(name))
    .map((name) => join(folder, name)),
)
/** TABLE  what folds for another purpose: names of files, look-alike letters, widths, spelling, passwords. */
const OWN = [
  ...['server/core/csv.ts', 'server/files/sendStream.ts', 'server/domain/user/lookAlike.ts', 'cli/show.ts'],
  ...['src/search/highlight.ts', 'src/search/searcher.ts', 'src/search/spelling.ts', 'contract/externalId.ts'],
  'contract/messages.ts',
  ...['server/domain/survey/answered.ts', 'server/db/foldedText.ts', 'contract/foldText.ts'],
]
test('nothing else sorts or folds text in a way of its own', () => {
  const strays = sources.flatMap((name) => {
    const source = OWN.includes(name) ? '' : readFileSync(join(root, name), 'utf8')
    const ours = /localeCompare|Intl\.Collator|normalize\('NFK?D'\)|\\p\{M\}/g
    const inSql = /(?<![.\w])lower\((?!\$\{)|orderBy\('[^']*\bname'\)| ilike /g
    return [...(source.match(ours) ?? []), ...(source.match(inSql) ?? [])].map((what) => `${name}: ${what}`)
  })
  expect(strays).toEqual([])
})
