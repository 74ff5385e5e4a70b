import { z } from 'zod'
import { call, Id, Lock, Many, one } from './call.ts'
import { selectable } from './lists.ts'

/** The lists whose rows can be selected all at once, also those that no page has loaded. */
export const SELECTABLE = ['projects', 'campaigns', ...selectable] as const
export type Selectable = (typeof SELECTABLE)[number]

/** Records as a selection needs them: what they are called and what may be done with them, nothing of how a row looks. */
const Selection = z.object({
  kind: z.string(),
  /** Names of the values behind each row's first three. */
  fields: z.array(z.string()),
  /** What may be done and why the rest may not; rows point here, as thousands of them share one. */
  rules: z.array(z.tuple([z.array(z.string()), z.record(z.string(), z.string())])),
  /** [id, name, place in `rules`, …fields] */
  rows: z.array(z.tuple([z.number(), z.string(), z.number()], z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** All that match. */
  count: z.number(),
  /** Where the next piece begins; null when this was the last. */
  next: z.number().nullable(),
})
export type SelectionAnswer = z.output<typeof Selection>

/** A filter as a list's own read takes it, as JSON. */
const Filter = z
  .string()
  .max(4000)
  .default('{}')
  .transform((text, at) => {
    try {
      const value: unknown = JSON.parse(text)
      if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
    } catch {
      // Said below.
    }
    at.addIssue({ code: 'custom', message: 'must be a JSON object' })
    return z.NEVER
  })

/** The state of a list as its link has it: `status=active&sort=-name`. */
const Query = z
  .string()
  .trim()
  .max(2000, 'is too long to be kept')
  .refine((text) => !/[\s#?]/.test(text), 'is not the query of a list')
const NAME = 'Please give the view a name'
const Name = z.string({ error: NAME }).trim().min(1, NAME).max(60, 'needs at most 60 characters')
/** A screen of the routes table, with the tab where it has one: `allProjects`, `client.users`. */
const Screen = z.string().regex(/^[\w.]{1,60}$/, 'is not a screen')

/**
 * Who sees a view besides its owner. `nobody`; `colleagues`: for an administrator the other administrators, for a
 * client user the users of the same client; `everyone`: set by administrators only, seen by every user who may see the
 * screen.
 */
export const SHARES = ['own', 'colleagues', 'everyone'] as const
export type Share = (typeof SHARES)[number]
/** Views of one person on one screen, at most. */
export const MOST_VIEWS = 100

/** A list's state under a name. */
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
const Written = one(View).extend({ message: z.string() })

/** Saved views, and selecting all that match. */
export const viewCalls = {
  'view.list': call({
    method: 'GET',
    path: '/v3/portal/views',
    about: "Saved views of lists: one's own, and those that are shared with the caller; of one screen, or of all.",
    input: z.object({ screen: Screen.optional() }),
    output: z.object({ data: z.array(View), count: z.number() }),
  }),
  'view.create': call({
    method: 'POST',
    path: '/v3/portal/views',
    about: "Keeps a list's state under a name, unique among one's own views of that screen.",
    undo: true,
    input: z.object({ screen: Screen, name: Name, query: Query.default(''), shared: z.enum(SHARES).default('own') }),
    output: Written,
  }),
  'view.edit': call({
    method: 'PUT',
    path: '/v3/portal/views/{id}',
    about: 'Renames a view, changes what it shows, shares it or takes that back.',
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
    output: z.object({ data: View, message: z.string() }),
  }),
  'list.selection': call({
    method: 'GET',
    path: '/v3/portal/lists/{list}/marks',
    about:
      "All records that match a list's filter, in pieces of thousands, with what may be done with each; with ids only those of them.",
    input: z.object({
      list: z.enum(SELECTABLE),
      filter: Filter,
      after: z.coerce.number().int().min(0).default(0),
      ids: Many.optional(),
    }),
    output: Selection,
  }),
} as const
