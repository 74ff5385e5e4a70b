import { nounOf, wordOf } from '../../contract/nounOf.ts'
import type { Noun, SubjectKind } from '../../contract/nouns.ts'
import { add, change, drop, type Kept } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { assertAllowed } from '../core/errors.ts'
import type { Change } from '../core/ports.ts'
import { type NamedNoun, refuseTakenName } from './names.ts'

/** A record as its read answers it. */
interface Shown {
  id: number
  name: string
  refused_actions?: Readonly<Record<string, string>>
}
/** Columns of a record, as a call's input names them. */
type Fields = Readonly<Record<string, unknown>>
type Refusing = Promise<void> | void

/** The fields that were sent. */
const whatIs = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** What is special about a noun's plain writes. */
interface Plan<T extends Kept, S extends Shown> {
  table: T
  /** One record as the caller reads it; throws 404. */
  get(ctx: Ctx, id: number): Promise<S>
  /** Whom an event tells; a `project_id` is its history line's, too. A new record has its values and its id. */
  event?(record: Fields & { id: number }): Partial<Omit<Change, 'noun' | 'id' | 'kind'>>
  /** What a new record has where its call says nothing. */
  usual?(ctx: Ctx): Fields
  /** Locks what a write to one record must find unchanged; throws 404. */
  hold?(ctx: Ctx, id: number): Promise<unknown>
  /** Throws for values that can't be written; `was` is null for a new record. */
  check?(ctx: Ctx, fields: Fields, was: NoInfer<S> | null): Refusing
  /** Columns that follow from these fields, such as a name's key; no history names them. */
  follows?(fields: Fields): Fields
  /** Throws for a record that can't be deleted, besides what its `refused_actions` say. */
  stays?(ctx: Ctx, was: NoInfer<S>): Refusing
}

/**
 * The plain writes of a noun over `add()`, `change()` and `drop()`: read by id, create, edit and remove.
 * A name that its row calls `unique` is checked; its restore follows from the row alone (server/calls/restore.ts).
 */
export function crud<N extends Noun & SubjectKind, T extends Kept, S extends Shown>(noun: N, plan: Plan<T, S>) {
  const { unique, parent } = nounOf(noun)!
  const word = wordOf(noun)
  const title = word[0]!.toUpperCase() + word.slice(1)
  const noticeOf = (record: Fields & { id: number }) => {
    const event = plan.event?.(record) ?? {}
    return { change: { noun, ...event }, ...(event.project_id ? { line: { project_id: event.project_id } } : {}) }
  }
  /** Throws for values that can't be written. */
  async function refuse(ctx: Ctx, fields: Fields, was: S | null): Promise<void> {
    const { name } = fields as { name?: string }
    const of = parent && ((was ?? fields) as Readonly<Record<string, unknown>>)[`${parent}_id`]
    await plan.check?.(ctx, fields, was)
    if (unique && name !== undefined)
      await refuseTakenName(ctx, noun as NamedNoun, {
        ...{ name, ...(of ? { [`${parent}_id`]: of } : {}) },
        ...(was && { id: was.id, was: was.name }),
      })
  }
  const derived = (fields: Fields) => plan.follows?.(fields) ?? {}

  return {
    get: async (ctx: Ctx<{ id: number }>) => ({ data: await plan.get(ctx as Ctx, ctx.input.id) }),
    /** `input` replaces the call's, where its fields aren't the columns. */
    async create(ctx: Ctx<object>, input: object = ctx.input) {
      const fields: Fields = { ...plan.usual?.(ctx), ...whatIs(input as Fields) }
      await refuse(ctx, fields, null)
      const { line = {} } = noticeOf({ ...fields, id: 0 })
      const { project_id, ...rest } = fields
      const [values, also] = 'project_id' in line ? [rest, { project_id }] : [fields, {}]
      const row = { values: values as never, also: { ...also, ...derived(fields) } as never }
      const id = await add(ctx, plan.table, { subject: noun, ...row, line })
      // A client's event names the client by its new id.
      ctx.emit({ id, ...noticeOf({ ...fields, id }).change })
      return { data: await plan.get(ctx, id), message: `${title} created.` }
    },
    async edit(ctx: Ctx<{ id: number; lock_version?: number | undefined }>) {
      const { id, lock_version: lock, ...patch } = ctx.input as { id: number; lock_version?: number } & Fields
      await plan.hold?.(ctx, id)
      const was = await plan.get(ctx, id)
      await refuse(ctx, patch, was)
      const how = { subject: noun, id, patch: patch as never, also: derived(patch) as never, lock, ...noticeOf(was as never) }
      await change(ctx, plan.table, how)
      return { data: await plan.get(ctx, id), message: `${title} updated.` }
    },
    async remove(ctx: Ctx<{ id: number }>) {
      const { id } = ctx.input
      await plan.hold?.(ctx, id)
      const was = await plan.get(ctx, id)
      assertAllowed(was.refused_actions?.[`${noun}.remove`] ?? null)
      await plan.stays?.(ctx, was)
      await drop(ctx, plan.table, { subject: noun, id, ...noticeOf(was as never) })
      return { message: `${was.name} was deleted.` }
    },
  }
}
