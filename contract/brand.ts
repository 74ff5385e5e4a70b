import { z } from 'zod'
import { Allowed, CivilDate, call, Id } from './call.ts'
import { crudCalls } from './crudCalls.ts'
import { columnWord } from './enums.ts'
import { createShape, editShape } from './fieldInput.ts'
import { HistoryLines } from './historyLine.ts'
import { paged } from './listInput.ts'
import { PACING_COLORS } from './pacing.ts'
import { Service, StatusFilter } from './service.ts'
import { brandFields, newBrandFields } from './visitationFields.ts'

/** A brand (people-and-catalogue-area 3). Its sums cover only the services that the caller may see. */
export const Brand = z.object({
  id: z.number(),
  name: z.string(),
  /** `name` under the specification's name. */
  brand_name: z.string(),
  status: columnWord('brand', 'status'),
  start_dt: z.string(),
  end_dt: z.string().nullable(),
  ordered: z.number(),
  completed: z.number(),
  /** Completed visits as a percentage of those expected by today, like pacing (decisions.md 3), and its color. */
  percentage: z.number(),
  color: z.enum(PACING_COLORS),
  services_count: z.number(),
  venues_count: z.number(),
  /** Visits of the last 30 days including today, and the change from the 30 before in percent; null without any. */
  visits_30: z.number(),
  change_30: z.number().nullable(),
  /** Client users who see any of its services; null for client users. */
  users_count: z.number().nullable(),
  categories: z.array(z.object({ id: z.number(), name: z.string() })),
  children: z.array(Service),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Brand = z.output<typeof Brand>

const base = '/v3/portal/visitation/brands'

/** The filters of the list of brands. */
const brandFilter = {
  status: StatusFilter,
  category_id: Id.optional(),
  /** Bounds of the start date. */
  start_from: CivilDate.optional(),
  start_to: CivilDate.optional(),
}

/** Brands, which hold services (people-and-catalogue-area 7, Visitation). */
export const brandCalls = {
  ...crudCalls('brand', {
    at: base,
    record: Brand,
    filter: brandFilter,
    perPage: 100,
    create: createShape(newBrandFields),
    edit: editShape(brandFields),
    refreshes: { remove: ['service'] },
    about: {
      list: 'Lists brands with the services that the caller may see, 100 a page. Status 0 is inactive, 1 active, 2 all.',
      get: 'Returns one brand with its services and categories.',
      create: 'Adds a brand.',
      edit: 'Changes a brand’s name, dates or status.',
      remove: 'Deletes a brand without active services; its visits stay.',
    },
  }),
  'brand.history': call({
    method: 'GET',
    path: `${base}/{id}/history`,
    about: 'Lists the history of a brand, newest first, 10 lines a page.',
    input: z.object({ id: Id, ...paged() }),
    output: HistoryLines,
  }),
} as const
