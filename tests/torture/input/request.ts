import type { Call } from '../../../contract/call.ts'
import { type CallId, calls } from '../../../contract/calls.ts'
import { requestOf } from '../../api/calling.ts'
import type { Random } from '../random.ts'
import { fieldsOf, inputFor } from './generate.ts'
import { HOSTILE_NUMBERS, HOSTILE_TEXTS, hostile } from './hostile.ts'
import { uploadOf } from './uploads.ts'

/** One request of the run, with what it was meant to be. */
export interface Shot {
  id: CallId
  who: 'admin' | 'client' | 'stranger'
  /** What was done to a right request; `right` when nothing was. */
  kind: string
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

interface Draft {
  id: CallId
  row: Call
  input: Record<string, unknown>
  random: Random
}
type Bullet = Pick<Shot, 'method' | 'url' | 'headers' | 'payload'>

const rows = Object.entries(calls) as [CallId, Call][]
const JSON_TYPE = { 'content-type': 'application/json' }

/** Calls that answer for as long as one listens: they have tests of their own. */
const ENDLESS = new Set<string>(['live.stream'])
export const SHOT_CALLS = rows.filter(([id]) => !ENDLESS.has(id))

/** The next request of a run. */
export function nextShot(random: Random): Shot {
  const [id, row] = random.pick(SHOT_CALLS)
  const who = random.pick(['admin', 'admin', 'admin', 'admin', 'client', 'client', 'stranger'] as const)
  const draft = { id, row, input: inputFor(row.input, random), random }
  if (row.as === 'multipart') return { id, who, kind: 'upload', ...uploadOf(draft) }
  const [kind, breakIt] = random.chance(0.3) ? (['right', right] as const) : random.pick(BREAKS)
  return { id, who, kind, ...breakIt(draft) }
}

function right({ id, row, input }: Draft): Bullet {
  // A path and a query hold text alone.
  const sent = mapped(input, (value, name) => (row.method === 'GET' || row.path.includes(`{${name}}`) ? textOf(value) : value))
  const { method, url, body } = requestOf(id, sent)
  return {
    method,
    url,
    headers: body === undefined ? {} : JSON_TYPE,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  }
}

/** TABLE  the ways in which a request is broken. */
const BREAKS: [kind: string, (draft: Draft) => Bullet][] = [
  ['a hostile value in a field', (draft) => right(withHostile(draft, 1))],
  ['hostile values in many fields', (draft) => right(withHostile(draft, 4))],
  ['a hostile value in every field', (draft) => right(withHostile(draft, 99))],
  [
    'a field left out',
    (draft) => {
      const names = Object.keys(draft.input)
      return right({ ...draft, input: names.length ? without(draft.input, draft.random.pick(names)) : {} })
    },
  ],
  [
    'names of a prototype',
    (draft) => {
      const shot = right(draft)
      const more =
        '"__proto__":{"role":"admin","isAdmin":true},"constructor":{"prototype":{"a":1}},"toString":"x","hasOwnProperty":1'
      return {
        ...shot,
        ...(typeof shot.payload === 'string'
          ? { payload: shot.payload.replace(/^\{/, `{${more}${shot.payload === '{}' ? '' : ','}`) }
          : { url: `${shot.url}${shot.url.includes('?') ? '&' : '?'}__proto__[role]=admin&constructor=1&toString=2` }),
      }
    },
  ],
  [
    'fields that are none of the caller’s',
    (draft) =>
      right({
        ...draft,
        input: {
          ...draft.input,
          role: 'admin',
          user_id: 1,
          created_by: 1,
          deleted_at: null,
          password_hash: 'x',
          requested_by: 1,
          delivered: 1e6,
          lock_version: draft.random.int(-1, 5),
        },
      }),
  ],
  ['every field as a list', (draft) => right({ ...draft, input: mapped(draft.input, (value) => [value, value]) })],
  ['every field as text', (draft) => right({ ...draft, input: mapped(draft.input, textOf) })],
  [
    'a list for a body',
    (draft) => ({ ...right(draft), headers: JSON_TYPE, payload: JSON.stringify([draft.input, null, 1, hostile(draft.random)]) }),
  ],
  [
    'something else for a body',
    (draft) => ({ ...right(draft), headers: JSON_TYPE, payload: JSON.stringify(hostile(draft.random)) ?? '' }),
  ],
  ['half a body', (draft) => ({ ...right(draft), headers: JSON_TYPE, payload: JSON.stringify(draft.input).slice(0, -1) })],
  [
    'no JSON',
    (draft) => ({
      ...right(draft),
      headers: JSON_TYPE,
      payload: draft.random.pick(['{', '[', 'nul', '{"a":}', "{'a':1}", '\u0000', '\ufeff{}', '{"a":1}{"b":2}']),
    }),
  ],
  ['a deep body', (draft) => ({ ...right(draft), headers: JSON_TYPE, payload: deep(draft) })],
  [
    'a big body',
    (draft) => ({
      ...right(draft),
      headers: JSON_TYPE,
      payload: JSON.stringify({ ...draft.input, big: 'x'.repeat(draft.random.pick([100_000, 1_000_000])) }),
    }),
  ],
  [
    'bytes that are no UTF-8',
    (draft) => ({
      ...right(draft),
      headers: JSON_TYPE,
      payload: Buffer.concat([
        Buffer.from('{"name":"'),
        Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]),
    }),
  ],
  [
    'another kind of body',
    (draft) => ({
      ...right(draft),
      headers: {
        'content-type': draft.random.pick([
          'text/plain',
          'application/xml',
          'application/json; charset=utf-16',
          'multipart/form-data',
          'multipart/form-data; boundary=',
          'application/x-ndjson',
          'x',
          '',
          'application/json\t',
        ]),
      },
      payload: JSON.stringify(draft.input),
    }),
  ],
  [
    'a form',
    (draft) => ({
      ...right(draft),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(mapped(draft.input, textOf) as Record<string, string>).toString(),
    }),
  ],
  [
    'a wrapped body',
    (draft) => ({
      ...right(draft),
      headers: JSON_TYPE,
      payload: JSON.stringify({
        [draft.row.wraps ?? 'data']: draft.random.pick<unknown>([
          draft.input,
          [draft.input],
          { ...draft.input, id: 'x' },
          null,
          'x',
        ]),
      }),
    }),
  ],
  ['a trick in the path', tricked],
  [
    'a trick in the query',
    (draft) => {
      const shot = right(draft)
      return { ...shot, url: `${shot.url}${shot.url.includes('?') ? '&' : '?'}${draft.random.pick(QUERIES)}` }
    },
  ],
  [
    'another method',
    (draft) => ({ ...right(draft), method: draft.random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) }),
  ],
  ['a hostile header', (draft) => ({ ...right(draft), headers: { ...right(draft).headers, ...draft.random.pick(HEADERS) } })],
]

const QUERIES = [
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
const HEADERS: Record<string, string>[] = [
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

function tricked(draft: Draft): Bullet {
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

/** Half a character can't be written in an address. */
const isWhole = (text: string) => text.isWellFormed()

function withHostile(draft: Draft, fields: number): Draft {
  const names = Object.keys(fieldsOf(draft.row.input))
  const input = { ...draft.input }
  for (let left = Math.min(fields, names.length); left > 0; left--) {
    const name = fields > names.length ? names[left - 1]! : draft.random.pick(names)
    input[name] = hostile(draft.random)
  }
  return { ...draft, input }
}

const without = (input: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(input).filter(([key]) => key !== name))
const mapped = (input: Record<string, unknown>, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(input).map(([key, value]) => [key, change(value, key)]))
/** A value as an address can hold it: half a character can't even be sent there. */
export const textOf = (value: unknown): string =>
  (value && typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed().slice(0, 4000)

function deep({ random, row }: Draft): string {
  const depth = random.pick([50, 2000, 100_000])
  const name = random.pick(Object.keys(fieldsOf(row.input)).concat('a'))
  return random.chance(0.5)
    ? `{"${name}":${'['.repeat(depth)}${']'.repeat(depth)}}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}
