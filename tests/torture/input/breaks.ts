import { fieldsOf } from './generate.ts'
import { hostile } from './hostile.ts'
import { type Bullet, type Draft, JSON_TYPE, mapped, right, textOf } from './shot.ts'
import { HEADERS, QUERIES, tricked } from './tricks.ts'

/** TABLE  the ways a request is broken. */
export const BREAKS: [kind: string, (draft: Draft) => Bullet][] = [
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

function deep({ random, row }: Draft): string {
  const depth = random.pick([50, 2000, 100_000])
  const name = random.pick(Object.keys(fieldsOf(row.input)).concat('a'))
  return random.chance(0.5)
    ? `{"${name}":${'['.repeat(depth)}${']'.repeat(depth)}}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}
