import { HOSTILE_NUMBERS, HOSTILE_TEXTS } from './hostile.ts'
import { type Bullet, type Draft, right } from './shot.ts'

/** TABLE  unexpected queries. */
export const QUERIES = [
  'id=1&id=2',
  'id[]=1',
  'id[a]=1',
  'page=-1',
  'page=1e9',
  'per_page=500',
  'per_page=0',
  'search=%',
  'search=%ff',
  'search=%00',
  'search=%ED%A0%80',
  'search=a%00b',
  'column=id;drop',
  'column=__proto__',
  'order=desc,1',
  '=',
  '&&&',
  '[]=1',
  '__proto__=1',
  '%5B%5D=1',
  `search=${'a'.repeat(8000)}`,
  `search=${'a+'.repeat(99)}`,
  'token=',
  'token=a.b',
  'token=../..',
  'age[]=1&age[]=x',
  'ageRange=-1',
  'gender=__proto__',
  'since=1e300',
  'since=-1',
  'type=export',
  'client=0',
  'mine=[]',
  'status=toString',
  'pacing=%27',
]

/** TABLE  headers that are empty, too long, or belong elsewhere. */
export const HEADERS: Record<string, string>[] = [
  { cookie: 'fieldwork=' },
  { cookie: 'fieldwork=%00; fieldwork=x; ;=' },
  { authorization: 'Bearer fwk_x' },
  { authorization: 'Basic Og==' },
  { 'access-token': 'x'.repeat(5000) },
  { client: "' or 1=1 --" },
  { 'x-forwarded-for': '::1, <script>' },
  { 'x-forwarded-host': 'evil.test' },
  { host: 'evil.test' },
  { 'partner-token': 'eyJ.x.y' },
  { origin: 'null' },
  { range: 'bytes=0-99999999999999999999,-1' },
  { 'if-none-match': '*' },
  { 'accept-encoding': 'br;q=nan' },
  { 'accept-language': '*'.repeat(2000) },
  { 'content-length': '5' },
  { 'last-event-id': '9'.repeat(40) },
  { 'x-http-method-override': 'DELETE' },
  { expect: '100-continue' },
  { 'idempotency-key': 'the-same-key-for-all' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'user-agent': '\u00ff'.repeat(400) },
]

/** A valid request with a distorted path. */
export function tricked(draft: Draft): Bullet {
  const { row, random } = draft
  const shot = right(draft)
  const piece = random.pick([
    ...HOSTILE_TEXTS.filter((text) => text.length < 700 && isWhole(text)),
    ...HOSTILE_NUMBERS.map(String),
  ])
  const put = random.pick([
    encodeURIComponent,
    (text: string) => encodeURIComponent(encodeURIComponent(text)),
    (text: string) => encodeURI(text).replace(/[?#]/g, ''),
  ])
  const path = row.path.replace(/\{\w+\}/g, () => put(piece))
  const turned = random.pick([
    path,
    path,
    `${path}/`,
    `${path}.json`,
    `${path}//`,
    `/${path}`,
    path.replace(/\/(?=[^/]*$)/, '/%2e%2e/'),
    `${path}/..;/`,
    `${path}%00`,
    path.toUpperCase(),
    `${path}/../${piece.length}`,
    path.replace('/v3', '/v3/%76%33/..'),
  ])
  return { ...shot, url: turned }
}

/** A lone surrogate can't be written in a URL. */
const isWhole = (text: string) => text.isWellFormed()
