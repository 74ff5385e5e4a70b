import {
  editable,
  type Field,
  type Fields,
  newFaults,
  shortLabelOf,
  type Texts,
  textOf,
  textsOf,
  wireOf,
  wordsOf,
} from '../../contract/fieldKinds.ts'
import { count, dollars, showDay } from '../../contract/format.ts'
import { foundCode } from '../../contract/nounOf.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Api } from '../data/api.ts'
import { mapConcurrent, type Outcome } from '../data/mapConcurrent.ts'
import { type EditNoun, tryFields, writeFields } from '../data/writeFields.ts'
import { type Ask, ask, command, type Prepared, type RawAnswers } from './command.ts'
import { asksOf, typedOf } from './fieldAsks.ts'
import type { Subject } from './subject.ts'
import { either, listed, lockOf } from './words.ts'

/** How many records one bulk edit takes: each is read, tried for the review, and written. */
export const MOST_EDITED = 200
/** How much of a text a review shows. */
const MOST_SHOWN = 60
/** The answer that empties a choice; no option has it. */
const NONE = 'none'

/** Kinds of which each record has its own value, and those that are no plain value. */
const OTHER_KINDS: readonly Field['kind'][] = ['name', 'coordinates', 'record', 'records', 'rows', 'file', 'files']
/** The fields that several records can get the same value of. */
export const bulkFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(editable(fields)).filter(([, { kind, own }]) => !own && !OTHER_KINDS.includes(kind)))

/** A field as its question judges it: what other values demand is said for each record. */
const alone = (field: Field): Field =>
  ({ ...field, when: undefined, against: undefined, needed: undefined, fill: undefined, mayLack: undefined }) as Field

/** The questions: which field, and its new value. */
function asksAbout(shared: Fields): Record<string, Ask> {
  const questions = asksOf(Object.fromEntries(Object.entries(shared).map(([name, field]) => [name, alone(field)])))
  const values = Object.entries(questions as Record<string, Ask>).map(([name, question]): [string, Ask] => {
    const field = shared[name]!
    const { usual: _, ...plain } = question
    const when = (answers: RawAnswers) => answers.field === name
    if (plain.type !== 'option' || field.kind !== 'choice' || !field.nullable) return [name, { ...plain, when } as Ask]
    const none = { value: NONE, label: field.placeholder ?? 'None' }
    return [name, { ...plain, when, options: [none, ...(plain.options as readonly { value: string; label: string }[])] } as Ask]
  })
  const options = Object.entries(shared).map(([value, field]) => ({ value, label: shortLabelOf(field) }))
  return { field: ask.option({ label: 'Field', options, asksForOne: true }), ...Object.fromEntries(values) }
}

/** What an edit changes: the field by name, and its new value as a form has it. */
interface Change {
  name: string
  field: Field
  typed: Texts[string]
}
function changeOf(shared: Fields, answers: RawAnswers): Change | null {
  const name = String(answers.field ?? '')
  const field = Object.hasOwn(shared, name) ? shared[name]! : null
  if (!field) return null
  const answer = field.kind === 'choice' && answers[name] === NONE ? '' : answers[name]
  return { name, field, typed: typedOf({ [name]: field }, { [name]: answer })[name] ?? '' }
}
/** A record's values after the change. */
const changed = (fields: Fields, record: object | undefined, { name, typed }: Change): Texts => ({
  ...textsOf(fields, record),
  [name]: typed,
})

/** Returns why a record doesn't take the change, or null; the server has further reasons. */
function refusal(fields: Fields, { record }: Subject, change: Change): string | null {
  const { name, field } = change
  const [before, after] = [textsOf(fields, record), changed(fields, record, change)]
  if (field.when && !field.when(after)) return `it has no ${field.label.toLowerCase()}`
  const [fault] = Object.values(newFaults(fields, before, after, record))
  if (fault) return fault
  return JSON.stringify(wireOf(field, name, before)) === JSON.stringify(wireOf(field, name, after)) ? 'it has this already' : null
}

/** A record's value in words. */
function valueIn(field: Field, name: string, record: object | undefined): string {
  const text = textOf(field, name, record)
  if (!text.length) return 'empty'
  if (field.kind === 'money') return dollars(Math.round(Number(text) * 100))
  if (field.kind === 'day') return showDay(String(text), 'day and year')
  if (field.kind === 'integer') return count(Number(text))
  const words = wordsOf(field, text)
  return words.length > MOST_SHOWN ? `${words.slice(0, MOST_SHOWN - 1)}…` : words
}

const nothing = () => {}
/** Stops if the connection was lost or the person has moved on. */
function assertComplete<T>({ lost, rest }: Outcome<T>, signal: AbortSignal | undefined): void {
  signal?.throwIfAborted()
  if (lost) throw lost
  if (rest.length) throw new Error('Not all records were read.')
}

const hasAll = (fields: Fields, record: object | undefined): boolean =>
  Object.entries(fields).every(([name, field]) => {
    if (field.creates || field.kind === 'coordinates' || field.kind === 'rows' || field.kind === 'files') return true
    return record !== undefined && Object.hasOwn(record, field.kind === 'money' ? field.column : name)
  })
/** Reads the records of which the list has only some fields, such as all that match. */
async function withRecords(
  noun: EditNoun,
  fields: Fields,
  api: Api,
  subjects: readonly Subject[],
  signal: AbortSignal = new AbortController().signal,
): Promise<Prepared> {
  const partial = subjects.filter(({ record }) => !hasAll(fields, record))
  // Every noun that is edited is read by a call of this name.
  const read = ({ id }: Subject) => api.read(`${noun}.get` as 'partner.get', { id }, signal)
  const outcome = await mapConcurrent(partial, { signal, progress: nothing }, read)
  assertComplete(outcome, signal)
  const records = new Map(outcome.done.map(({ subject, made }) => [subject, (made as { data: object }).data]))
  const gone = new Set(outcome.refused.map(({ subject }) => subject))
  const able = subjects.flatMap((subject) => {
    const record = records.get(subject)
    return gone.has(subject) ? [] : record ? [{ ...subject, record: { ...subject.record, ...record } }] : [subject]
  })
  return { able, left: outcome.refused }
}

/** The input of one record's edit; a version other than the one that was seen is refused. */
const inputOf = (fields: Fields, { id, record }: Subject, change: Change) => ({
  id,
  ...wireOf(change.field, change.name, changed(fields, record, change)),
  ...lockOf(record),
})

/**
 * The command that gives one field of several records the same value, made of the noun's table of fields.
 * `except` are fields that a command of their own changes.
 * The review has a line for each record, by a dry run: what changes, or why it is refused.
 */
export function bulkEditOf(
  noun: EditNoun & SubjectKind,
  fields: Fields,
  { except = [], on = noun }: { except?: readonly string[]; on?: SubjectKind | readonly SubjectKind[] } = {},
) {
  const shared = Object.fromEntries(Object.entries(bulkFields(fields)).filter(([name]) => !except.includes(name)))
  const edit = `${noun}.edit` as 'partner.edit'
  const lineOf = (subject: Subject) => ({ id: `${subject.kind} ${subject.id}`, label: labelOf(subject) })
  return command({
    title: 'Edit a field…',
    detail: 'the same value for all selected',
    on: on as SubjectKind,
    many: true,
    rule: edit,
    keywords: 'bulk change set several values all',
    icon: 'pencil',
    undo: 'restores',
    disabledReason: (_workspace, subjects) =>
      subjects.length > MOST_EDITED ? `at most ${MOST_EDITED} can be edited at a time` : null,
    prepare: (api, subjects, signal) => withRecords(noun, fields, api, subjects, signal),
    asks: asksAbout(shared),
    excludes(subject, answers) {
      const change = changeOf(shared, answers)
      // The field is answered before its value.
      return change && Object.hasOwn(answers, change.name) ? refusal(fields, subject, change) : null
    },
    confirm(subjects, answers) {
      const change = changeOf(shared, answers)
      const label = change ? change.field.label.toLowerCase() : 'a field'
      return { title: `Change ${label} of ${listed(subjects)}?`, body: '', action: 'Change' }
    },
    async foresees({ api, subjects, answers, signal }) {
      const change = changeOf(shared, answers)
      if (!change) return null
      const { name, field } = change
      const outcome = await mapConcurrent(subjects, { signal, progress: nothing }, (subject) =>
        tryFields(api, edit, inputOf(fields, subject, change), signal),
      )
      assertComplete(outcome, signal)
      const results = new Map(outcome.done.map(({ subject, made }) => [subject, made as { data?: object; warnings?: string[] }]))
      const reasons = new Map(outcome.refused.map(({ subject, reason }) => [subject, reason]))
      const lines = subjects.map((subject) => {
        const reason = reasons.get(subject)
        if (reason !== undefined) return { ...lineOf(subject), value: reason, bad: true }
        const after = valueIn(field, name, results.get(subject)?.data)
        return { ...lineOf(subject), value: `${valueIn(field, name, subject.record)} → ${after}` }
      })
      const warnings = new Set([...results.values()].flatMap((result) => result.warnings ?? []))
      const refused = outcome.refused.length
        ? `${count(outcome.refused.length)} of ${count(subjects.length)} ${either(outcome.refused, 'is', 'are')} refused and ${either(outcome.refused, 'stays as it is', 'stay as they are')}.`
        : ''
      return { body: [refused, ...warnings].filter(Boolean).join(' '), bad: refused !== '', lines }
    },
    each: {
      done: `${noun}.edit` as 'partner.edit',
      async one({ api, subject, answers }) {
        const change = changeOf(shared, answers)
        if (!change) throw new Error('Choose a field')
        return writeFields(api, edit, inputOf(fields, subject, change))
      },
    },
  })
}

/** A record's name, with the code that it is found by, as names may repeat. */
const labelOf = ({ kind, id, name }: Subject): string => {
  const code = foundCode(kind, id)
  return code ? `${name} · ${code}` : name
}
