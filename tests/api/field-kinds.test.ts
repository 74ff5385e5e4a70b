import { beforeAll, expect, test } from 'vitest'
import { type CallId, calls } from '../../contract/calls.ts'
import { blankOf, type Field, type FieldKind, isBlank, readField, sentenceOf } from '../../contract/fieldKinds.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { namesOf } from '../../server/core/input.ts'
import { HOSTILE } from '../support/fieldTexts.ts'
import { type Maker, sendExample, WRITE_EXAMPLES } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// The fourth way of a field's value, beside tests/unit/field-kinds.test.ts: a request of its call to the server.
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

/** Kinds whose values are other records, or have a schema of their own. */
const ELSEWHERE: readonly FieldKind[] = ['record', 'records', 'file', 'files', 'rows', 'coordinates']
const callOf = (table: string): CallId | undefined =>
  [table, `${table}.edit`, `${table}.create`].find((id): id is CallId => Object.hasOwn(calls, id))
const all = Object.entries(fieldTables).flatMap(([table, fields]) => {
  const id = callOf(table)
  const taken = id ? namesOf(calls[id].input) : []
  return Object.entries(fields).flatMap(([name, field]): [string, CallId, string, Field][] =>
    id && taken.includes(name) && !ELSEWHERE.includes(field.kind) ? [[`${id} ${name}`, id, name, field]] : [],
  )
})

/** Fields whose blank value the call's handler judges by the record, or that have another sentence for it. */
const isForHandler = ({ when, mayLack, needed, kind, required }: Field): boolean =>
  Boolean(when || mayLack || needed) || (kind === 'choice' && !required)

test.each(all)('%s is read by a request as by its kind', async (_, id, name, field) => {
  const made = await (WRITE_EXAMPLES[id] as Maker)(app)
  const wrong: string[] = []
  // A request is UTF-8, which has no half of a pair.
  for (const text of HOSTILE.filter((one) => one.isWellFormed())) {
    if (isBlank(field, text) && isForHandler(field)) continue
    // Calls drop the time that follows a day.
    if (field.kind === 'day' && /T\d\d:/.test(text)) continue
    const read = readField(field, text)
    const { status, body } = await sendExample(id, made, { [name]: text, dry: 1 })
    const { data = {} } = body as { data?: Record<string, unknown> }
    // A part of a record is named with it: event.name.
    const [, said] = Object.entries(body.fields ?? {}).find(([key]) => key.split('.').at(-1) === name) ?? []
    const about = (what: unknown) => wrong.push(`${JSON.stringify(text).slice(0, 50)}: ${said ?? status} instead of ${what}`)
    if ('fault' in read) {
      const ownWords = field.kind === 'day' || (field.kind === 'choice' && text.length > 40)
      if (said === undefined || !(ownWords || String(said).endsWith(sentenceOf(name, read.fault)))) about(read.fault)
    } else if (said !== undefined && !field.against) about(JSON.stringify(read.value))
    else if (status === 200 && field.kind !== 'money' && name !== 'email' && Object.hasOwn(data, name))
      if (JSON.stringify(data[name]) !== JSON.stringify(read.value ?? blankOf(field) ?? null))
        about(`${JSON.stringify(read.value)}: it became ${JSON.stringify(data[name])}`)
  }
  expect(wrong).toEqual([])
})
