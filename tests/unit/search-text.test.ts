import { expect, test } from 'vitest'
import { byWideKeys } from '../../src/search/growingLists.ts'
import { Text } from '../../src/search/text.ts'
import { random } from '../bench/search-names.ts'

test('texts are stored as an encoder would write them, lone surrogates too', () => {
  const texts = [
    '',
    'Acme · active',
    'Zoë’s Łódź',
    '東京 调查',
    '🚀 O’Brien 👩‍👩‍👧',
    'half \ud83d pair',
    '\ude80 behind',
    '\u07ff\u0800\uffff',
  ]
  const text = new Text()
  for (const one of texts) text.push(one)
  const [bytes, at] = text.inOrder(Uint32Array.from(texts.keys()))
  const encoder = new TextEncoder()
  expect(texts.map((_, i) => [...bytes.subarray(at[i]!, at[i + 1]!)])).toEqual(texts.map((one) => [...encoder.encode(one)]))
})

test('keys above 32 bits are sorted as numbers, and equal ones keep their order', () => {
  const next = random(5)
  const keys = Float64Array.from({ length: 5000 }, (_, i) => (i % 3 ? Math.floor(next() * 2 ** 52) : i % 7))
  const order = byWideKeys(
    Uint32Array.from(keys, (_, i) => i),
    keys,
  )
  expect([...order]).toEqual([...keys.keys()].sort((a, b) => keys[a]! - keys[b]! || a - b))
})
