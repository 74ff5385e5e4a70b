import type { Random } from '../random.ts'

/** Texts that have broken programs: markup, SQL, paths, formulas, controls, direction marks, lone surrogates. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\ufeff',
  '\u202egnp.exe\u202c',
  '\u2066hidden\u2069',
  '<img src=x onerror="window.__struck=1">',
  '<script>window.__struck=1</script>',
  '"><svg/onload=window.__struck=1>',
  'javascript:window.__struck=1',
  'data:text/html,<script>window.__struck=1</script>',
  '{{constructor.constructor("return 1")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text itself is the trick
  '${7*7}',
  "'; drop table users; --",
  '1 or 1=1',
  "' or ''='",
  '%',
  '_',
  '\\',
  '%_\\%',
  '"',
  '*',
  '../../../../etc/passwd',
  '..\\..\\windows\\system.ini',
  '/etc/passwd',
  'file:///etc/passwd',
  '=1+1',
  '+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '=HYPERLINK("http://evil.test","x")',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  '\r\nset-cookie: a=b',
  'a@b.test\r\nbcc: c@d.test',
  'Z\u0300\u0301\u0302\u0303\u0304\u0305'.repeat(20),
  '👩‍👩‍👧‍👦',
  'ﬃ',
  'İı',
  '\u0085\u2028\u2029',
  `${'a'.repeat(3000)}!`,
  '9'.repeat(400),
  'a'.repeat(70_000),
  '('.repeat(500),
  `${'a,'.repeat(2000)}`,
] as const

/** Numbers at the limits of their types, and texts that only look like numbers. */
export const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  0.1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  4_294_967_296,
  9_007_199_254_740_991,
  2 ** 63,
  1e21,
  1e308,
  -1e308,
  5e-324,
  '0x10',
  '1e3',
  '1e400',
  '0b11',
  '9007199254740993',
  '9223372036854775807',
  '１２',
  '+1',
  ' 1 ',
  '1,000',
  '-0',
  'Infinity',
  '-Infinity',
  '1_000',
  '٣',
] as const

/** Dates at the limits of the calendar, of offsets and of sense. */
export const HOSTILE_DATES = [
  '0000-00-00',
  '0001-01-01',
  '2026-02-29',
  '2024-02-29',
  '2026-13-01',
  '2026-12-32',
  '9999-12-31',
  '99999-01-01',
  '-000001-01-01',
  '+275760-09-13',
  '2026-03-08T02:30:00',
  '2026-06-30T23:59:60Z',
  '1969-12-31T23:59:59Z',
  '01/02/2026',
  '2026-01-01T00:00:00+99:99',
  'yesterday',
  '1767225600',
] as const

const HOSTILE_SHAPES = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [[[[[[]]]]]],
  [1, 'a', null, {}],
  { id: 1 },
  { $gt: '' },
  { toString: 'x' },
  JSON.parse('{"then":1}'),
  { length: 1e9 },
  { constructor: { prototype: { admin: true } } },
] as const

/** Any hostile value. */
export function hostile(random: Random): unknown {
  const table = random.pick([HOSTILE_TEXTS, HOSTILE_TEXTS, HOSTILE_NUMBERS, HOSTILE_DATES, HOSTILE_SHAPES] as const)
  return random.pick<unknown>(table)
}

/** A text of random length from hostile pieces, for fields that take any text. */
export function hostileText(random: Random): string {
  let text = ''
  for (let left = random.int(1, 3); left > 0; left--) text += random.pick(HOSTILE_TEXTS.filter((one) => one.length < 200))
  return text
}
