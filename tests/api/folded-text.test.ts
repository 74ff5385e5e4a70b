import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { compareText, foldText, nameKey } from '../../contract/fold.ts'
import { byText } from '../../server/db/foldedText.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

/** Every character but half pairs, control characters and what no database stores. */
const CHARACTERS = Array.from({ length: 0x110000 }, (_, point) => point)
  .filter((point) => (point >= 0x80 && point < 0xd800) || point >= 0xe000)
  .map((point) => String.fromCodePoint(point))
/** Letters of Unicode 17, which PostgreSQL 18 doesn't know. */
const NEWER = /[\ua7ce-\ua7f1\u{16ea0}-\u{16ed3}]/u
const ASSIGNED = CHARACTERS.filter((sign) => !/\p{Cn}|\p{Co}/u.test(sign) && !NEWER.test(sign))

/** Names as people in many places write them, one a property of Unicode. */
const sign = fc.oneof(
  fc.constantFrom(..."aAbeEéÉèøØłßẞæœİıiİñÑΣσςдДЖжąčżöÖåÅ’'-–—. 0９٣ｱアあ中文가각ﬁ①\u0301\u0308\u200b\u00ad\u202e\u00a0"),
  fc.nat(ASSIGNED.length - 1).map((at) => ASSIGNED[at]!),
)
const name = fc.array(sign, { minLength: 1, maxLength: 8 }).map((signs) => signs.join(''))

test('the database folds every character as the program does', async () => {
  const wrong: string[] = []
  for (let at = 0; at < ASSIGNED.length; at += 2000) {
    const some = ASSIGNED.slice(at, at + 2000)
    const values = sql.join(some.map((one, nth) => sql`(cast(${nth} as integer), cast(${`x${one}Y`} as text))`))
    const { rows } = await sql<{ n: number; text: string }>`with given (n, one) as (values ${values})
      select n, ${byText(app.db, 'one')} as text from given`.execute(app.db)
    for (const { n, text } of rows)
      if (text !== foldText(`x${some[n]}Y`)) wrong.push(`${some[n]!.codePointAt(0)!.toString(16)} ${text}`)
  }
  expect(wrong).toEqual([])
})

test('lists sort and search names as the workspace does, by page and by cursor', async () => {
  const names = [...new Map(fc.sample(name, { numRuns: 300, seed: 4 }).map((one) => [nameKey(one), one])).values()]
  const mark = 'Zq7'
  const made: { id: number; name: string }[] = []
  for (const one of names) {
    const { id, name } = await app.make.client({ name: `${one}${mark}` })
    made.push({ id, name })
  }
  const order = (rows: readonly { id: number; name: string }[]) =>
    rows.toSorted((a, b) => (foldText(a.name) === foldText(b.name) ? a.id - b.id : compareText(a.name, b.name)))
  const ids = order(made).map(({ id }) => id)
  const list = { search: mark, column: 'name', order: 'asc', per_page: 50 } as const
  const paged: number[] = []
  for (let page = 1; page <= Math.ceil(made.length / 50); page++)
    paged.push(...(await admin().call('client.list', { ...list, page })).body.data.map(({ id }) => id))
  expect(paged).toEqual(ids)
  const walked: number[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body, headers } = await admin().call('client.list', { ...list, per_page: 37, ...(cursor ? { cursor } : {}) })
    walked.push(...body.data.map(({ id }) => id))
    const next = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
    cursor = next ? new URL(next, 'http://x').searchParams.get('cursor') : null
  }
  expect(walked).toEqual(ids)
  for (const { id, name } of made.slice(0, 60)) {
    const search = name.normalize('NFD').toUpperCase()
    const found = (await admin().call('client.list', { search, per_page: 500 })).body.data.map((row) => row.id)
    expect(found, search).toContain(id)
  }
})

test('a name is taken in every spelling that looks the same, and stays as it was typed', async () => {
  const typed = 'Café Straße 24'
  expect((await admin().call('client.create', { name: typed })).body.data.name).toBe(typed)
  for (const alike of [
    'Cafe\u0301 Straße 24',
    'CAFÉ STRASSE 24',
    'Caf\u200bé Straße\u00a024',
    '\u202eCafé Straße 24',
    'Café\u00ad  Straße 24',
    'Ｃafé Straße ２４',
    'Café\u2060 Straße 24\ufe0f',
  ])
    expect([alike, (await admin().call('client.create', { name: alike })).status]).toEqual([alike, 422])
  expect((await admin().call('client.create', { name: 'Cafe Strasse 24' })).status).toBe(200)
})

test('a location is found and sorted by its fold, after an edit and an undo too', async () => {
  const create = (name: string, city: string) => admin().call('location.create', { name, address: '1 Main St', city } as never)
  const first = (await create('Żabka Øst', 'Łódź')).body.data as unknown as { id: number }
  await create('Zebra Øst', 'Lutz')
  const found = async (search: string) => (await admin().call('location.list', { search })).body.data.map(({ name }) => name)
  expect(await found('zabka lodz')).toEqual(['Żabka Øst'])
  expect(await found('ØST')).toEqual(['Żabka Øst', 'Zebra Øst'])
  await admin().call('location.edit', { id: first.id, name: 'Ärger Øst' } as never)
  expect(await found('arger lodz')).toEqual(['Ärger Øst'])
  expect(await found('zabka')).toEqual([])
  await admin().call('location.edit', { id: first.id, city: 'Čadca' } as never)
  expect(await found('arger cadca')).toEqual(['Ärger Øst'])
  const { data } = (await admin().call('location.list', { search: 'øst', column: 'city', order: 'asc' })).body
  expect(data.map(({ city }) => city)).toEqual(['Čadca', 'Lutz'])
})
