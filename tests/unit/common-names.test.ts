import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { COMMON_NAMES, withoutSpellings } from '../../contract/commonNames.ts'
import { UsDay } from '../../contract/enums.ts'
import { OLDER_CALLS } from '../../contract/olderCalls.ts'
import { SPELLING, STATUSES } from '../../contract/status.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/one-vocabulary.md'), 'utf8')

interface Schema {
  type?: string | string[]
  enum?: string[]
  pattern?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
}
const outputOf = (row: Call) => z.toJSONSchema(row.output, { io: 'output', unrepresentable: 'any' }) as Schema

/** Every record of a call's answers, with the place where it is. */
function recordsOf(root: Schema): { place: string; fields: Record<string, Schema> }[] {
  const records: ReturnType<typeof recordsOf> = []
  const walked = new Set<Schema>()
  const walk = (schema: Schema | undefined, place: string): void => {
    if (!schema || typeof schema !== 'object' || walked.has(schema)) return
    walked.add(schema)
    if (schema.$ref) walk(root.$defs?.[schema.$ref.split('/').at(-1)!], place)
    for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(part, place)
    walk(schema.items, `${place}[]`)
    walk(schema.additionalProperties as Schema, `${place}{}`)
    if (schema.properties) records.push({ place, fields: schema.properties })
    for (const [name, field] of Object.entries(schema.properties ?? {})) walk(field, `${place}.${name}`)
  }
  walk(root, '')
  return records
}
/** A field's schema and those of its alternatives and items. */
const kindsOf = (field: Schema): Schema[] => [field, ...(field.anyOf ?? []), ...(field.items ? kindsOf(field.items) : [])]
const isOneOf = (field: Schema, values: readonly string[]) =>
  kindsOf(field).some((kind) => kind.enum?.length === values.length && kind.enum.every((value) => values.includes(value)))
const isNumber = (field: Schema) => kindsOf(field).some(({ type }) => type === 'number' || type === 'integer')
const [usDay] = [z.toJSONSchema(UsDay).pattern]
const MONEY = /(^|_)(amount|budget|cost|cpi|fee|margin|paid|price|dollars)$/
/** TABLE  numbers that are called like money, and are none. */
const NO_MONEY: Readonly<Record<string, string>> = {
  rewards_paid: 'how many were paid',
  usual_margin: 'percent',
}
const v3 = STATUSES.map((status) => SPELLING[status].v3)

/** What a record lacks: the common names of its fields. */
function lackOf(fields: Record<string, Schema>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const isSpelled = isOneOf(field, v3)
    const isStatus = name !== 'stored_status' && (isSpelled || (name === 'status' && isOneOf(field, STATUSES)))
    const isMoney = MONEY.test(name) && isNumber(field) && !NO_MONEY[name]
    const isUsDay = kindsOf(field).some(({ pattern }) => pattern === usDay)
    if (!isStatus && !isMoney && !isUsDay) return []
    const common = COMMON_NAMES[name] ?? `the common name of ${name}`
    return fields[common] ? [] : [common]
  })
}

const all = (Object.entries(calls) as [string, Call][]).map(([id, row]) => ({ id, row, output: outputOf(row) }))

test('every record has stored_status, *_cents and ISO days beside the spellings of the specification', () => {
  const checked: string[] = []
  const lacking = all.flatMap(({ id, output }) =>
    recordsOf(output).flatMap(({ place, fields }) => {
      checked.push(...Object.keys(fields).filter((name) => COMMON_NAMES[name] && fields[COMMON_NAMES[name]]))
      return lackOf(fields).map((name) => `${id}${place}: ${name}`)
    }),
  )
  expect(lacking).toEqual([])
  expect([...new Set(checked)].sort()).toEqual(Object.keys(COMMON_NAMES).sort())
})

test('a record without them is found', () => {
  const wire: Schema = { type: 'string', enum: v3 }
  expect(lackOf({ status: wire, transitions: { type: 'array', items: wire } })).toEqual(['stored_status', 'stored_transitions'])
  expect(lackOf({ status: { enum: [...STATUSES] } })).toEqual(['stored_status'])
  expect(lackOf({ partner_fee: { anyOf: [{ type: 'number' }, { type: 'null' }] } })).toEqual(['the common name of partner_fee'])
  expect(lackOf({ end_date: { type: 'string', pattern: usDay! } })).toEqual(['end_dt'])
  expect(lackOf({ status: wire, stored_status: wire, cost: { type: 'number' }, cost_cents: {} })).toEqual([])
})

/** The lists of a call's answer, as paths of their names. */
const listsIn = ({ properties = {} }: Schema) =>
  [properties, properties.data?.properties ?? {}].map((fields) =>
    Object.keys(fields).filter((name) => fields[name]!.type === 'array' && !/^(deletions|rules|squares)$/.test(name)),
  )

test('a list answers data, count and page or next; the page names those that the specification shapes otherwise', () => {
  const others: string[] = []
  for (const { id, row, output } of all) {
    if (row.method !== 'GET' || row.as === 'stream') continue
    const fields = output.properties ?? {}
    const [top, inside] = listsIn(output) as [string[], string[]]
    const hasCount = fields.count !== undefined || fields.data?.properties?.count !== undefined
    if (fields.data?.type === 'array') expect(fields.count && (fields.page ?? fields.next), id).toBeTruthy()
    else if (hasCount && top.length + inside.length > 0) others.push(id)
  }
  const named = [...PAGE.matchAll(/^- `([\w.]+)` \(/gm)].map(([, id]) => id!).filter((id) => id in calls)
  expect(named.sort()).toEqual(others.sort())
})

test('the page names each call of v1 that programs are offered, because nothing else does the same', () => {
  const [, commands = ''] = PAGE.split('## Commands')
  const listed = commands.split('\n- ').slice(1).join(' ').split('\n\n')[0]!
  const offered = all.filter(({ id, row }) => !row.path.startsWith('/v3/') && !OLDER_CALLS[id as CallId])
  expect([...listed.matchAll(/`([\w.]+)`/g)].map(([, id]) => id).sort()).toEqual(offered.map(({ id }) => id).sort())
})

test('the page names every common name', () => {
  for (const [spelled, common] of Object.entries(COMMON_NAMES)) {
    expect(PAGE).toContain(`\`${spelled}\``)
    expect(PAGE).toContain(`\`${common}\``)
  }
})

test('an answer without the spellings keeps everything else', () => {
  const row = { id: 1, status: 'Quoted', stored_status: 'submit_approval', cost: null, cost_cents: null, start_dateP: '' }
  const rest = { id: 1, stored_status: 'submit_approval', cost_cents: null, start_dateP: '' }
  expect(withoutSpellings({ data: [row], count: 1 })).toEqual({ data: [rest], count: 1 })
  expect(withoutSpellings({ data: { status: 'sent', children: [row] } })).toEqual({ data: { status: 'sent', children: [rest] } })
  expect(withoutSpellings(null)).toBeNull()
})
