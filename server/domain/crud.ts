import type { CallId, Input } from '../../contract/calls.ts'
import type { Sentence } from '../../contract/effectText.ts'
import type { ListNoun } from '../../contract/lists.ts'
import { nounOf } from '../../contract/nounOf.ts'
import type { Noun, SubjectKind } from '../../contract/nouns.ts'
import type { EffectId } from '../../contract/writeEffects.ts'
import { add, change, drop, type VersionedTable } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed } from '../core/errors.ts'
import type { Paged } from '../core/keyset.ts'
import type { List, ListQuery } from '../core/listBuilder.ts'
import type { Change } from '../core/ports.ts'
import type { Schema } from '../db/schema.ts'
import { type NamedNoun, refuseTakenName } from './names.ts'

/** A record as its read answers it. */
interface NamedRecord {
  id: number
  name: string
  refused_actions?: Readonly<Record<string, string>>
}
/** Columns of a record, as a call's input names them. */
type Fields = Readonly<Record<string, unknown>>
type Refusing = Promise<void> | void

type InputOf<C> = C extends CallId ? Input<C> : never
/** The names that a noun's writes take and its table has no column for; `crud` doesn't compile with any. */
type Unstored<N extends string, T extends keyof Schema> = Exclude<
  keyof InputOf<`${N}.create`> | keyof InputOf<`${N}.edit`>,
  keyof Schema[T] | 'id' | 'lock_version'
>

/** The fields that a new record gets from its call: those that were sent with a value. */
const sentFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** What is special about a noun's plain calls. */
interface Plan<N extends string, T extends VersionedTable, L, S extends NamedRecord> {
  /** The table that is written: each field of the calls is a column of it. */
  table: T & ([Unstored<N, T>] extends [never] ? unknown : { columns_that_the_table_lacks: Unstored<N, T> })
  list: L
  /** Replaces the list's read of one record; throws 404. */
  get?(ctx: Ctx, id: number): Promise<S>
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

/** The plain calls by verb. */
interface Verbs<F, S> {
  list(ctx: Ctx<F & Paged>): Promise<{ data: S[]; count: number; page: number }>
  get(ctx: Ctx<{ id: number }>): Promise<{ data: S }>
  /** `input` replaces the call's, where its fields aren't the columns. */
  create(ctx: Ctx<object>, input?: object): Promise<{ data: S; message: Sentence }>
  edit(ctx: Ctx<{ id: number; lock_version?: number | undefined }>): Promise<{ data: S; message: Sentence }>
  remove(ctx: Ctx<{ id: number }>): Promise<{ message: Sentence }>
}
type Handlers<N extends string, V> = { [K in keyof V & string as `${N}.${K}`]: V[K] }

/**
 * The handlers of a noun's plain calls over `listOf()`, `add()`, `change()` and `drop()`.
 * These are `list`, `get`, `create`, `edit` and `remove`.
 * A name that its row calls `unique` is checked; its restore follows from the row alone (server/calls/restore.ts).
 */
export function crud<
  N extends ListNoun & Noun & SubjectKind,
  F extends ListQuery<N>,
  R extends { id: number },
  S extends NamedRecord,
  T extends VersionedTable,
>(noun: N, plan: Plan<N, T, List<N, F, R, S>, S>): Handlers<N, Verbs<F, S>> {
  const { list, get = list.get } = plan
  const table: VersionedTable = plan.table
  const { unique, parent } = nounOf(noun)!
  const effect = (verb: 'create' | 'edit' | 'remove') => `${noun}.${verb}` as EffectId
  const noticeOf = (record: { id: number }) => {
    const event = plan.event?.(record as Fields & { id: number }) ?? {}
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
  // The table has a column for each of them (`Unstored`), which the compiler can't follow through a type parameter.
  const columns = (fields: Fields) => fields as never

  const verbs: Verbs<F, S> = {
    list: (ctx) => list.page(ctx, ctx.input),
    get: async (ctx) => ({ data: await get(ctx, ctx.input.id) }),
    async create(ctx, input = ctx.input) {
      const fields: Fields = { ...plan.usual?.(ctx), ...sentFields(input as Fields) }
      await refuse(ctx, fields, null)
      const { line = {} } = noticeOf({ ...fields, id: 0 })
      const { project_id, ...rest } = fields
      const [values, also] = 'project_id' in line ? [rest, { project_id }] : [fields, {}]
      const row = { values: columns(values), also: columns({ ...also, ...plan.follows?.(fields) }) }
      const id = await add(ctx, table, { subject: noun, ...row, line })
      // A client's event names the client by its new id.
      ctx.emit({ id, ...noticeOf({ ...fields, id }).change })
      return { data: await get(ctx, id), message: describeEffect(ctx, effect('create'), { noun }) }
    },
    async edit(ctx) {
      const { id, lock_version: lock, ...patch } = ctx.input as { id: number; lock_version?: number } & Fields
      await plan.hold?.(ctx, id)
      const was = await get(ctx, id)
      await refuse(ctx, patch, was)
      const how = { patch: columns(patch), also: columns(plan.follows?.(patch) ?? {}), lock }
      await change(ctx, table, { subject: noun, id, ...how, ...noticeOf(was) })
      return { data: await get(ctx, id), message: describeEffect(ctx, effect('edit'), { noun }) }
    },
    async remove(ctx) {
      const { id } = ctx.input
      await plan.hold?.(ctx, id)
      const was = await get(ctx, id)
      assertAllowed(was.refused_actions?.[`${noun}.remove`] ?? null)
      await plan.stays?.(ctx, was)
      await drop(ctx, table, { subject: noun, id, ...noticeOf(was) })
      return { message: describeEffect(ctx, effect('remove'), { name: was.name }) }
    },
  }
  return Object.fromEntries(Object.entries(verbs).map(([verb, run]) => [`${noun}.${verb}`, run])) as unknown as Handlers<
    N,
    Verbs<F, S>
  >
}
