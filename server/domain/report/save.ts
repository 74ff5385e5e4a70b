import { nameKey } from '../../../contract/fold.ts'
import type { SentColumn } from '../../../contract/report.ts'
import { placed } from '../../../contract/reportColumns.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { nameGiver } from '../../core/uniqueNames.ts'
import { insertMany } from '../../db/connect.ts'
import { type Column, columnRead, LONGEST_NAME, ofQuestion, type Report } from './readReport.ts'

/** Fields of a column that a write can change. */
const FIELDS = ['column_name', 'column_type', 'column_custom_definition', 'should_include'] as const
type Field = (typeof FIELDS)[number]
type Patch = Partial<Pick<Column, Field>>
/** Fields of a sent column that are ignored, or that identify it. */
const OTHERS = new Set<string>([...FIELDS, 'include_in_report', 'order', 'lock_version', 'column_key', 'question_id'])
/** Derived fields, which a read adds and a write ignores. */
const DERIVED = new Set(['examples', 'misfits', 'gone', 'id'])

/** A sent column with its changes. */
interface Sending {
  /** Its index among the sent columns. */
  at: number
  column: Column
  added: boolean
  patch: Patch
  order: number | undefined
  lock: number | undefined
}

/** The result of a save: the changed columns, and unknown names. */
export interface Saved {
  columns: Column[]
  changed: string[]
  ignored: string[]
}

/** Saves columns of a report; throws 422 by field, 409 by column for those somebody else changed. */
export async function saveColumns(ctx: Ctx, report: Report, questions: readonly SentColumn[]): Promise<Saved> {
  const fields: Record<string, string> = {}
  const ignored = new Set<string>()
  const sent = resolve(report, questions, fields, ignored)
  if (Object.keys(fields).length) throw refused(fields)
  refuseStale(report, sent)
  const before = new Map(report.columns.map((column) => [column.column_key, column]))
  const wanted = new Map(sent.flatMap(({ column, order }) => (order === undefined ? [] : [[column, order] as const])))
  const ordered = placed([...report.columns, ...sent.filter(({ added }) => added).map(({ column }) => column)], wanted)
  const patches = new Map(sent.map(({ column, patch }) => [column.column_key, patch]))
  const after = ordered.map((column, at) => ({ ...column, ...patches.get(column.column_key), position: at + 1 }))
  refuseDoubles(after, sent, fields)
  if (Object.keys(fields).length) throw refused(fields)
  const isChanged = ({ column, added, patch, order }: Sending) =>
    added || Object.keys(patch).length > 0 || (order !== undefined && ordered.indexOf(column) + 1 !== column.position)
  const changed = new Set(sent.filter(isChanged).map(({ column }) => column.column_key))
  if (changed.size) {
    await write(ctx, report, after, before, changed)
    await ctx.record({
      subject: 'report',
      subject_id: report.project_id,
      project_id: report.project_id,
      ...lines(after, before, changed),
    })
    ctx.emit({ noun: 'report', id: report.project_id, project_id: report.project_id, audience: 'admin' })
  }
  return { columns: after, changed: [...changed], ignored: [...ignored] }
}

const refused = (fields: Record<string, string>) => {
  const sentences = [...new Set(Object.values(fields))]
  return new HttpError(
    422,
    'invalid',
    sentences.length === 1 ? sentences[0]! : `${sentences[0]} (and ${sentences.length - 1} more)`,
    {
      fields,
    },
  )
}

/** Finds the stored column of each sent one and its changes; adds errors to `fields`. */
function resolve(
  report: Report,
  questions: readonly SentColumn[],
  fields: Record<string, string>,
  ignored: Set<string>,
): Sending[] {
  const byKey = new Map(report.columns.map((column) => [column.column_key, column]))
  const byQuestion = new Map(
    report.columns.flatMap((column) => (column.question_id === null ? [] : [[column.question_id, column]])),
  )
  const named = nameGiver(
    report.columns.map(({ column_name }) => column_name),
    LONGEST_NAME,
  )
  const seen = new Set<string>()
  return questions.flatMap((sentColumn, at): Sending[] => {
    const fault = (field: string, sentence: string): [] => {
      fields[`questions.${at}.${field}`] ??= sentence
      return []
    }
    const { column_key, question_id } = sentColumn
    if (column_key === undefined && !question_id) return fault('column_key', 'column_key or question_id is required')
    const byId = question_id ? byQuestion.get(question_id) : undefined
    let column = column_key === undefined ? byId : byKey.get(column_key)
    const question = question_id ? report.questions.get(question_id) : undefined
    const added = !column && question !== undefined && (column_key === undefined || column_key === `q_${question_id}`)
    if (added)
      column = {
        id: 0,
        project_id: report.project_id,
        column_custom_definition: '',
        position: 0,
        lock_version: 0,
        ...ofQuestion(question, named),
      }
    if (!column)
      return question_id && !question
        ? fault('question_id', 'question_id is not a question of this project')
        : fault('column_key', 'column_key is not a column of this report')
    if (question_id && column.question_id !== question_id)
      return fault('question_id', 'question_id is not the question of this column')
    if (seen.has(column.column_key)) return fault('column_key', 'column_key is sent twice')
    seen.add(column.column_key)
    const read: Record<string, unknown> = { ...columnRead(report, column) }
    for (const [name, value] of Object.entries(sentColumn)) {
      if (OTHERS.has(name) || DERIVED.has(name) || value === undefined) continue
      if (!Object.hasOwn(read, name)) ignored.add(`questions.${name.slice(0, 100)}`)
      else if (String(value ?? '') !== String(read[name] ?? '')) fault(name, `${name} can’t be changed here`)
    }
    const { should_include, include_in_report } = sentColumn
    const wanted = [should_include, include_in_report].filter((one) => one !== undefined).map(Number)
    if (wanted.length === 2 && wanted[0] !== wanted[1])
      return fault('include_in_report', 'include_in_report and should_include are one field and must match')
    const sentPatch: Patch = {
      ...(sentColumn.column_name === undefined ? {} : { column_name: sentColumn.column_name }),
      ...(sentColumn.column_type === undefined ? {} : { column_type: sentColumn.column_type || null }),
      ...(sentColumn.column_custom_definition === undefined
        ? {}
        : { column_custom_definition: sentColumn.column_custom_definition }),
      ...(wanted.length ? { should_include: wanted[0]! } : {}),
    }
    const patch = Object.fromEntries(Object.entries(sentPatch).filter(([name, value]) => column[name as Field] !== value))
    return [{ at, column, added, patch, order: sentColumn.order, lock: sentColumn.lock_version }]
  })
}

/** Throws a 409 that names each column somebody else changed since it was read, with both values. */
function refuseStale(report: Report, sent: readonly Sending[]): void {
  const rows = sent.flatMap(({ column, patch, lock, order }) => {
    const mine = { ...patch, ...(order === undefined || order === column.position ? {} : { order }) }
    if (lock === undefined || lock === column.lock_version || !Object.keys(mine).length) return []
    return [{ column_key: column.column_key, theirs: columnRead(report, column), mine, clashes: Object.keys(mine) }]
  })
  if (!rows.length) return
  const words = rows.length === 1 ? 'A column was' : `${rows.length} columns were`
  throw new HttpError(409, 'stale', `${words} changed by someone else since you opened this report.`, { rows })
}

/** Two columns of the same name would be indistinguishable in a sheet. */
function refuseDoubles(after: readonly Column[], sent: readonly Sending[], fields: Record<string, string>): void {
  const renamed = new Map(
    sent.filter(({ added, patch }) => added || patch.column_name !== undefined).map((one) => [one.column.column_key, one]),
  )
  for (const some of Map.groupBy(after, ({ column_name }) => nameKey(column_name)).values()) {
    if (some.length < 2) continue
    for (const { column_key, column_name } of some) {
      const one = renamed.get(column_key)
      if (one) fields[`questions.${one.at}.column_name`] ??= `Two columns are called “${column_name}”`
    }
  }
}

async function write(
  ctx: Ctx,
  report: Report,
  after: readonly Column[],
  before: ReadonlyMap<string, Column>,
  changed: ReadonlySet<string>,
): Promise<void> {
  const stamps = { created_at: ctx.now, updated_at: ctx.now }
  const fresh = after.filter(({ id }) => !id)
  await insertMany(
    ctx.tx,
    'report_columns',
    fresh.map(({ id: _, ...column }) => ({ ...column, ...stamps, lock_version: 1 })),
  )
  if (!report.saved) return
  const shifted = new Map<number, number[]>()
  for (const column of after) {
    const was = before.get(column.column_key)
    if (!was) continue
    if (changed.has(column.column_key)) {
      const { id, column_name, column_type, column_custom_definition, should_include, position } = column
      await ctx.tx
        .updateTable('report_columns')
        .set({
          column_name,
          column_type,
          column_custom_definition,
          should_include,
          position,
          updated_at: ctx.now,
          lock_version: was.lock_version + 1,
        })
        .where('id', '=', id)
        .execute()
    } else if (was.position !== column.position) {
      const by = column.position - was.position
      shifted.set(by, [...(shifted.get(by) ?? []), column.id])
    }
  }
  // A column that only moves aside keeps its version, so that it doesn't conflict with another edit.
  for (const [by, ids] of shifted)
    await ctx.tx
      .updateTable('report_columns')
      .set((eb) => ({ position: eb('position', '+', by) }))
      .where('id', 'in', ids)
      .execute()
}

/** How many columns the history shows with their fields; more are only counted. */
const SHOWN = 20
function lines(after: readonly Column[], before: ReadonlyMap<string, Column>, changed: ReadonlySet<string>) {
  const rows = after.filter(({ column_key }) => changed.has(column_key))
  if (rows.length > SHOWN) return { before: {}, after: { columns: rows.length } }
  const [was, is]: Record<string, unknown>[] = [{}, {}]
  for (const column of rows) {
    const old = before.get(column.column_key)
    for (const field of [...FIELDS, 'position'] as const) {
      if (old && old[field] === column[field]) continue
      if (!old && field !== 'column_name') continue
      const name = `${old?.column_name ?? column.column_name}: ${WORDS[field]}`
      was![name] = old?.[field] ?? null
      is![name] = column[field]
    }
  }
  return { before: was!, after: is! }
}
const WORDS = {
  column_name: 'name',
  column_type: 'type',
  column_custom_definition: 'definition',
  should_include: 'included',
  position: 'order',
} as const
