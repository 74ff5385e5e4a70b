import { z } from 'zod'
import { call, EffectSentence, Id, idList, Lock, listOf, one, Rules, wholeNumber } from './call.ts'
import type { ListRow } from './column.ts'
import { oneOf } from './enums.ts'
import { fieldSchema } from './fieldInput.ts'
import { lists } from './listRows.ts'
import { selectable } from './lists.ts'
import { viewFields } from './savedFields.ts'

/** Lists in which all matches can be selected, including rows not loaded yet. */
export const SELECTABLE = ['projects', 'campaigns', ...selectable] as const
export type Selectable = (typeof SELECTABLE)[number]

/** The nouns of records that can be selected. */
const KINDS = [
  ...new Set([
    'project',
    'campaign',
    ...Object.entries<ListRow>(lists).flatMap(([noun, { selects }]) => (selects ? [noun] : [])),
  ]),
]
/** What a selection needs of records: names and allowed actions, not the columns of the list. */
const Selection = z.object({
  kind: oneOf(KINDS),
  /** Names of the values after the first three of each row. */
  fields: z.array(z.string()),
  /** Distinct pairs of allowed and refused actions; rows refer to them by index, as thousands share one. */
  rules: Rules,
  /** [id, name, index into `rules`, …fields] */
  rows: z.array(z.tuple([z.number(), z.string(), z.number()], z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** The number of matches. */
  count: z.number(),
  /** The offset of the next page; null after the last. */
  next: z.number().nullable(),
})
export type SelectionAnswer = z.output<typeof Selection>

/** The input of the list's read, as JSON. */
const Filter = z
  .string()
  .max(4000)
  .default('{}')
  .transform((text, at) => {
    try {
      const value: unknown = JSON.parse(text)
      if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
    } catch {
      // The error is reported below.
    }
    at.addIssue({ code: 'custom', message: 'must be a JSON object' })
    return z.NEVER
  })

/** A list's state as in its link: `status=active&sort=-name`. */
const Query = z
  .string()
  .trim()
  .max(2000, 'is too long to be kept')
  .refine((text) => !/[\s#?]/.test(text), 'is not the query of a list')
const Name = fieldSchema(viewFields.name)
/** A screen of the routes table, with its tab if any: `allProjects`, `client.users`. */
const Screen = z.string().regex(/^[\w.]{1,60}$/, 'is not a screen')

/**
 * Who else sees a view.
 * own: nobody. everyone: all users who may open the screen; only administrators can set it.
 * colleagues: other administrators for an administrator, users of the same client for a client user.
 */
const SHARES = ['own', 'colleagues', 'everyone'] as const
export type Share = (typeof SHARES)[number]
/** The most views one user can save for a screen. */
export const MOST_VIEWS = 100

/** A saved state of a list. */
const View = z.object({
  id: z.number(),
  screen: z.string(),
  name: z.string(),
  query: z.string(),
  shared: z.enum(SHARES),
  mine: z.boolean(),
  owner_id: z.number(),
  owner_name: z.string(),
  lock_version: z.number(),
  updated_at: z.string(),
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
})
export type View = z.output<typeof View>
const Written = one(View).extend({ message: EffectSentence })

/** Saved views, and selection of all matches. */
export const viewCalls = {
  'view.list': call({
    method: 'GET',
    path: '/v3/portal/views',
    about: 'Lists saved views: your own and those shared with you, for one screen or for all.',
    input: z.object({ screen: Screen.optional() }),
    output: listOf(View),
  }),
  'view.create': call({
    method: 'POST',
    path: '/v3/portal/views',
    about: "Saves a list's state under a name, unique among the caller's views of that screen.",
    undo: true,
    input: z.object({ screen: Screen, name: Name, query: Query.default(''), shared: z.enum(SHARES).default('own') }),
    output: Written,
  }),
  'view.edit': call({
    method: 'PUT',
    path: '/v3/portal/views/{id}',
    about: 'Renames a view, changes what it shows, shares it or makes it private.',
    reads: 'view.list',
    undo: true,
    input: z.object({
      id: Id,
      name: Name.optional(),
      query: Query.optional(),
      shared: z.enum(SHARES).optional(),
      lock_version: Lock,
    }),
    output: Written,
  }),
  'view.remove': call({
    method: 'DELETE',
    path: '/v3/portal/views/{id}',
    about: 'Deletes a view.',
    undo: true,
    input: z.object({ id: Id }),
    output: z.object({ data: View, message: EffectSentence }),
  }),
  'list.selection': call({
    method: 'GET',
    path: '/v3/portal/lists/{list}/marks',
    about:
      "Lists all records that match a list's filter, in pages of thousands, with the allowed actions of each; with ids only those.",
    input: z.object({
      list: z.enum(SELECTABLE),
      filter: Filter,
      after: wholeNumber(z.number().int().min(0).default(0)),
      ids: idList(1000).optional(),
    }),
    output: Selection,
  }),
} as const
