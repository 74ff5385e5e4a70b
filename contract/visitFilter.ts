import { z } from 'zod'
import { CivilDate, call, Effected, EffectSentence, Id, listOf, Many, one } from './call.ts'
import { createShape } from './fieldInput.ts'
import { filterFields } from './savedFields.ts'
import { VISIT_PERIODS } from './visitPeriod.ts'

/** A saved filter of a brand's visits (decisions.md 11); only its owner sees it. */
export const VisitFilter = z.object({
  filter_id: z.number(),
  filter_name: z.string(),
  /** A relative period has no dates and stays relative. */
  filter_date_type: z.enum(VISIT_PERIODS),
  filter_body: z.object({
    start: z.string().nullable(),
    end: z.string().nullable(),
    dmas: z.array(z.number()),
    service: z.number().nullable(),
  }),
  /** The query of the filter's link. */
  customFilterURL: z.string(),
  brand_id: z.number(),
  brand_name: z.string(),
  service_id: z.number().nullable(),
  updated_at: z.string(),
  lock_version: z.number(),
})
export type VisitFilter = z.output<typeof VisitFilter>

const Period = z.string().trim().toLowerCase().pipe(z.enum(VISIT_PERIODS))
/** What a filter filters by, also as the query of its link has it. */
export const FilterBody = z.object({
  date: Period.optional(),
  date_type: Period.optional().meta({ description: 'The same as `date`, under the specification’s name.' }),
  start: CivilDate.optional(),
  end: CivilDate.optional(),
  dmas: Many.optional(),
  service: Id.optional(),
})

const base = '/v3/portal/visitation'
/** Saved filters of visits (people-and-catalogue-area 7, Visitation). */
export const visitFilterCalls = {
  'filter.list': call({
    method: 'GET',
    path: `${base}/load_filters`,
    about: 'Lists the caller’s saved filters of a service or a brand, by name.',
    input: z.object({ sid: Id.optional(), bid: Id.optional() }),
    output: listOf(VisitFilter),
  }),
  'filter.save': call({
    method: 'POST',
    path: `${base}/save_filter`,
    about: 'Saves a filter of the caller’s own under a name; with filter_id it replaces that filter.',
    undo: true,
    input: z.object({
      /** Must be the caller. */
      user_id: Id.optional(),
      service_id: Id.optional(),
      brand_id: Id.optional(),
      filter_id: Id.optional(),
      ...createShape(filterFields),
      filter: FilterBody,
      /** The query of the filter's link: what it has beside `filter` is taken, and what contradicts it is refused. */
      customFilterURL: z.string().trim().max(4000).default(''),
    }),
    output: one(VisitFilter).extend({ message: EffectSentence }),
  }),
  'filter.remove': call({
    method: 'DELETE',
    path: `${base}/filters`,
    about: 'Deletes a saved filter of the caller’s own.',
    undo: true,
    input: z.object({ filter_id: Id }),
    output: Effected,
  }),
} as const
