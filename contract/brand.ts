import { z } from 'zod'
import { Allowed, CivilDate, call, Done, Id, Lock, listOf, one, Page } from './call.ts'
import { HistoryLines } from './historyLine.ts'
import { listInput, needed } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { MESSAGES } from './messages.ts'
import { EndDate, Service, StatusFilter } from './service.ts'

/** A brand (people-and-catalogue-area 3). Its sums cover only the services that the caller may see. */
export const Brand = z.object({
  id: z.number(),
  name: z.string(),
  /** `name` under the specification's name. */
  brand_name: z.string(),
  status: z.enum(['active', 'inactive']),
  start_dt: z.string(),
  end_dt: z.string().nullable(),
  ordered: z.number(),
  completed: z.number(),
  /** Completed visits as a percentage of those expected by today, like pacing (decisions.md 3), and its color. */
  percentage: z.number(),
  color: z.enum(['Gray', 'Red', 'Orange', 'Green']),
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

const name = needed(MESSAGES.brandName, 120)
const Written = one(Brand).extend({ message: z.string() })
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
  'brand.list': call({
    method: 'GET',
    path: base,
    about: 'Lists brands with the services that the caller may see, 100 a page. Status 0 is inactive, 1 active, 2 all.',
    input: z.object({ ...listInput(sortsOf('brand'), 100), ...brandFilter }),
    output: listOf(Brand),
  }),
  'brand.get': call({
    method: 'GET',
    path: `${base}/{id}`,
    about: 'Returns one brand with its services and categories.',
    input: z.object({ id: Id }),
    output: one(Brand),
  }),
  'brand.history': call({
    method: 'GET',
    path: `${base}/{id}/history`,
    about: 'Lists the history of a brand, newest first, 10 lines a page.',
    input: z.object({ id: Id, page: Page }),
    output: HistoryLines,
  }),
  'brand.create': call({
    method: 'POST',
    path: base,
    about: 'Adds a brand.',
    wraps: 'brand',
    undo: true,
    input: z.object({ name, start_dt: CivilDate.optional(), end_dt: EndDate.optional() }),
    output: Written,
    refreshes: ['history'],
  }),
  'brand.edit': call({
    method: 'PUT',
    path: base,
    about: 'Changes a brand’s name, dates or status.',
    wraps: 'brand',
    reads: 'brand.get',
    undo: true,
    input: z.object({
      id: Id,
      name: name.optional(),
      start_dt: CivilDate.optional(),
      end_dt: EndDate.optional(),
      status: z.enum(['active', 'inactive']).optional(),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['history'],
  }),
  'brand.remove': call({
    method: 'DELETE',
    path: base,
    about: 'Deletes a brand without active services; its visits stay.',
    undo: true,
    input: z.object({ id: Id }),
    output: Done,
    refreshes: ['service', 'history'],
  }),
} as const
