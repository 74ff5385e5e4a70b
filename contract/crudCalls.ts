import { z } from 'zod'
import { type CallSchema, call, Effected, EffectSentence, Id, Lock, listOf, one } from './call.ts'
import { listInput } from './listInput.ts'
import { type ListNoun, sortsOf } from './lists.ts'
import type { Noun } from './nouns.ts'

type Fields = z.ZodRawShape
type Verb = 'list' | 'get' | 'create' | 'edit' | 'remove'

/** What is special about a noun's plain calls. */
interface Plan<R, F, C, E> {
  /** The address of list and writes; one record is read at `{at}/{id}`. */
  at: string
  /** The object that a body may be wrapped in, if it isn't named after the noun. */
  wraps?: string
  /** The record, as it is read. */
  record: R
  /** Further input of the list, and its page size. */
  filter?: F
  perPage?: number
  /** The fields of a new record, and those that an edit can change; the id and the lock are added. */
  create?: C
  edit?: E
  /** Other nouns whose reads a write makes stale, besides the history. */
  refreshes?: Partial<Record<'create' | 'edit' | 'remove', readonly Noun[]>>
}

function rowsOf<N extends ListNoun & Noun, R extends CallSchema, F extends Fields, C extends Fields, E extends Fields>(
  noun: N,
  { at, wraps = noun, record, filter, perPage, create, edit, refreshes = {} }: Plan<R, F, C, E>,
  about: Readonly<Partial<Record<Verb, string>>>,
) {
  const written = one(record).extend({ message: EffectSentence })
  const stale = (verb: 'create' | 'edit' | 'remove'): readonly Noun[] => [...(refreshes[verb] ?? []), 'history']
  const says = (verb: Verb) => about[verb] ?? ''
  return {
    list: call({
      ...{ method: 'GET', path: at, about: says('list') },
      input: z.object({ ...listInput(sortsOf(noun), perPage), ...(filter as F) }),
      output: listOf(record),
    }),
    get: call({
      ...{ method: 'GET', path: `${at}/{id}`, about: says('get') },
      input: z.object({ id: Id }),
      output: one(record),
    }),
    create: call({
      ...{ method: 'POST', path: at, about: says('create'), wraps, undo: true },
      input: z.object(create as C),
      output: written,
      refreshes: stale('create'),
    }),
    edit: call({
      ...{ method: 'PUT', path: at, about: says('edit'), wraps, undo: true, reads: `${noun}.get` },
      input: z.object({ id: Id, ...(edit as E), lock_version: Lock }),
      output: written,
      refreshes: stale('edit'),
    }),
    remove: call({
      ...{ method: 'DELETE', path: at, about: says('remove'), undo: true },
      input: z.object({ id: Id }),
      output: Effected,
      refreshes: stale('remove'),
    }),
  }
}

/**
 * The plain calls of a noun, one for each sentence of `plan.about`; server/domain/crud.ts makes their handlers.
 * One with a path, an input or a response of its own is written beside them.
 */
export function crudCalls<
  const N extends ListNoun & Noun,
  R extends CallSchema,
  A extends Readonly<Partial<Record<Verb, string>>>,
  F extends Fields = Record<never, never>,
  C extends Fields = Record<never, never>,
  E extends Fields = Record<never, never>,
>(noun: N, plan: Plan<R, F, C, E> & { about: A }) {
  const rows = rowsOf<N, R, F, C, E>(noun, plan, plan.about)
  const made = (Object.keys(plan.about) as Verb[]).map((verb) => [`${noun}.${verb}`, rows[verb]])
  return Object.fromEntries(made) as {
    readonly [V in keyof A & Verb as `${N}.${V}`]: ReturnType<typeof rowsOf<N, R, F, C, E>>[V]
  }
}
