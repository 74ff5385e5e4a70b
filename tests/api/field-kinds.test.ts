import { beforeAll, expect, test } from 'vitest'
import { type CallId, calls } from '../../contract/calls.ts'
import { takesDry } from '../../contract/dry.ts'
import { blankOf, type Field, type FieldKind, isBlank, linesIn, readField, sentenceOf } from '../../contract/fieldKinds.ts'
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

interface Body {
  fields?: Record<string, string>
  data?: Record<string, unknown>
}
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
const isForHandler = ({ when, mayLack, needed, kind, required, nullable }: Field): boolean =>
  Boolean(when || mayLack || needed) || ((kind === 'choice' || kind === 'integer') && !required && !nullable)
/** TABLE  fields that a call refuses in other words, with the reason. */
const IN_OTHER_WORDS: Readonly<Record<string, string>> = {
  'user.edit phone': 'it may be what is stored, which is longer than a number',
  'project.edit status': 'it takes a status in either spelling',
  'project.edit reason': 'it isn’t the project’s: every change of a status has one',
  'project.edit goal': 'a family may order none',
  'project.createChild goal': 'a child may order none',
}
/** TABLE  fields that a call takes or refuses otherwise, with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'activity.edit about': 'an activity of an earlier release may lack it',
  'target.edit targeted_locations': 'the server knows the codes',
  'notification.edit url': 'its action decides whether it has one',
  'question.edit options': 'its answer type decides how many there are',
  'user.edit birth_date': 'it is judged by the age that follows from it',
  'user.edit role': 'it takes a role’s number, too',
  'user.invite role_id': 'it takes a role’s number, too',
  'project.edit end_dt': 'its parts’ dates are within it',
  'project.edit survey_url': 'a running survey needs one',
  'project.createChild start_dt': 'it is within its parent’s',
  'request.create url': 'a survey needs one',
  'request.create children': 'a project’s children are projects',
  'request.create targeted_locations': 'the server knows the codes',
  'request.create end_dt': 'without one, it follows from the start',
  'request.create reward_amount_cents': 'its provider decides the amounts',
}
/** A value as a record of a call has it: lists of an audience are comma lists there. */
const spelled = (value: unknown, stored: unknown): unknown =>
  typeof stored === 'string' && Array.isArray(value) ? value.join(',') : value

test.each(all)('%s is read by a request as by its kind', async (title, id, name, field) => {
  if (OTHERWISE[title]) return
  const made = await (WRITE_EXAMPLES[id] as Maker)(app)
  const dry = takesDry(id, calls[id]) ? { dry: 1 } : {}
  const wrong: string[] = []
  // A request is UTF-8, which has no half of a pair.
  for (const text of HOSTILE.filter((one) => one.isWellFormed())) {
    if (isBlank(field, text) && isForHandler(field)) continue
    // Calls drop the time that follows a day.
    if (field.kind === 'day' && /T\d\d:/.test(text)) continue
    const read = readField(field, text)
    if ('value' in read && !('dry' in dry)) continue
    const sent = field.kind === 'lines' ? linesIn(text) : text
    const { status, body } = (await sendExample(id, made, { [name]: sent, ...dry })) as { status: number; body: Body }
    // A part of a record is named with it: event.name.
    const [, message] = Object.entries(body.fields ?? {}).find(([key]) => key.split('.').at(-1) === name) ?? []
    const about = (what: unknown) => wrong.push(`${JSON.stringify(text).slice(0, 50)}: ${message ?? status} instead of ${what}`)
    if ('fault' in read) {
      const inOtherWords = field.kind === 'day' || (field.kind === 'choice' && text.length > 40) || IN_OTHER_WORDS[title]
      if (message === undefined || !(inOtherWords || message.endsWith(sentenceOf(name, read.fault)))) about(read.fault)
    } else if (message !== undefined && !field.against) about(JSON.stringify(read.value))
    // An email waits until it is confirmed, and money has a column of its own.
    else if (status === 200 && !['money', 'email'].includes(field.kind) && Object.hasOwn(body.data ?? {}, name)) {
      const stored = body.data![name]
      const value = read.value ?? blankOf(field) ?? null
      if (JSON.stringify(stored) !== JSON.stringify(spelled(value, stored)))
        about(`${JSON.stringify(value)}: it is ${JSON.stringify(stored)}`)
    }
  }
  expect(wrong).toEqual([])
})

test('the tables name fields', () => {
  const titles = all.map(([title]) => title)
  for (const title of [...Object.keys(IN_OTHER_WORDS), ...Object.keys(OTHERWISE)]) expect(titles).toContain(title)
})
