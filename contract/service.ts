import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Flag, Id, Lock, listOf, one, Text, wholeNumber } from './call.ts'
import { columnWord } from './enums.ts'
import { createShape, editShape } from './fieldInput.ts'
import { pick } from './fieldKinds.ts'
import { HistoryLines } from './historyLine.ts'
import { CheckedReading, ColumnPreview, CsvReading, FileError } from './import.ts'
import { venueColumns } from './importFields.ts'
import { MOST_VENUES } from './importWords.ts'
import { listInput, paged } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { degrees } from './location.ts'
import { MESSAGES } from './messages.ts'
import { PACING_COLORS } from './pacing.ts'
import { newServiceFields, serviceFields } from './visitationFields.ts'
import { inOrder, whenObject } from './whenObject.ts'

/** A service of a brand (screens-visitation.md): venues whose visits within a term count towards an order. */
export const Service = z.object({
  id: z.number(),
  brand_id: z.number(),
  brand_name: z.string(),
  name: z.string(),
  /** `name` under the specification's name. */
  service_name: z.string(),
  category_id: z.number().nullable(),
  category: z.string(),
  s3_bucket: z.string(),
  start_dt: z.string(),
  end_dt: z.string().nullable(),
  /** Visits expected within the term (0 for none), visits so far, and their percentage of those expected by today. */
  ordered: z.number(),
  completed: z.number(),
  percentage: z.number(),
  color: z.enum(PACING_COLORS),
  status: columnWord('service', 'status'),
  venues_count: z.number(),
  /** Venues that a job has yet to add. */
  venues_coming: z.number(),
  /** Visits and distinct devices of the last 7 days including today, and the change from the 7 before in percent. */
  visits_7: z.number(),
  change_7: z.number().nullable(),
  uniques_7: z.number().nullable(),
  /** Two standard errors of uniques_7 as a fraction of it if it is an estimate, else 0. */
  uniques_7_error: z.number(),
  /** Visits per day of the last 14 days, oldest first. */
  trend: z.array(z.number()),
  /** The last visit; `silent` if the service is active and the visit is older than the organization's setting. */
  last_visit_at: z.string().nullable(),
  silent: z.boolean(),
  /** Client users who see it; null for client users. */
  users_count: z.number().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Service = z.output<typeof Service>

/** A service, and whether a user has access to it. */
const GivenService = z.object({
  id: z.number(),
  brand_id: z.number(),
  brand_name: z.string(),
  name: z.string(),
  status: columnWord('service', 'status'),
  selected: z.boolean(),
  /** Since when the user has access, and who gave it. */
  added_at: z.string().nullable(),
  added_by_name: z.string(),
})

/** A client user with access to services, and to which. */
const ServiceUser = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  client_name: z.string(),
  service_ids: z.array(z.number()),
})
export type ServiceUser = z.output<typeof ServiceUser>

/** How giving or revoking services changes what people see. */
const AccessChange = z.object({
  data: z.object({
    added: z.number(),
    removed: z.number(),
    /** Users who gain access, lose access, and see nothing afterwards. */
    gaining: z.number(),
    losing: z.number(),
    emptied: z.number(),
  }),
  message: EffectSentence,
})

/** 0 for inactive, 1 for active, 2 for both (people-and-catalogue-area 2, Behaviours). */
export const StatusFilter = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim().toLowerCase())
  .pipe(z.enum(['0', '1', '2', 'inactive', 'active', 'all']))
  .transform((value) => ({ 0: '0', 1: '1', 2: '2', inactive: '0', active: '1', all: '2' })[value] as '0' | '1' | '2')
  .default('1')
/** A venue of a new service. */
export const NewVenue = z.object({
  /** The sender’s own id, as visits name it; `venueFault` reads it. */
  code: z.union([z.string(), z.number()]),
  ...createShape(pick(venueColumns, 'name', 'address')),
  latitude: degrees('latitude').optional(),
  longitude: degrees('longitude').optional(),
  dma: wholeNumber(z.number().int()).nullish(),
})
export type NewVenue = z.output<typeof NewVenue>

/** A venue as it was read from a file, for `service.create`. */
const ReadVenue = z.object({
  code: z.string(),
  name: z.string(),
  address: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  dma: z.number().nullable(),
})
/** How a file of venues was read; lines with errors are left out of its venues. */
const VenueCheck = z.object({
  rows: z.number(),
  failed: z.number(),
  /** Why nothing is read with these headings; empty if something is. */
  blocked: z.string(),
  ...CheckedReading,
  decimal_commas: z.array(z.string()),
  sheets: z.array(z.string()),
  head: z.array(z.object({ line: z.number(), text: z.string() })),
  ...ColumnPreview,
  /** The first errors, in file order. */
  errors: z.array(FileError),
})
export type VenueCheck = z.output<typeof VenueCheck>
const Written = one(Service).extend({ message: EffectSentence })
const base = '/v3/portal/visitation'

/** The filters of the list of services. */
const serviceFilter = {
  status: StatusFilter,
  brand_id: Id.optional(),
  category_id: Id.optional(),
  /** Only active services without visits for longer than the organization's setting. */
  silent: Flag.default(false),
}

/** Services of brands, and who has access to them (people-and-catalogue-area 7, Visitation). */
export const serviceCalls = {
  'service.list': call({
    method: 'GET',
    path: `${base}/selected_services_for_user`,
    about: 'Lists the caller’s services, for administrators all, 100 a page. Status 0 is inactive, 1 active, 2 all.',
    input: z.object({ ...listInput(sortsOf('service'), 100), ...serviceFilter }),
    output: listOf(Service),
  }),
  'service.get': call({
    method: 'GET',
    path: `${base}/services/{id}`,
    about: 'Returns one service.',
    input: z.object({ id: Id }),
    output: one(Service),
  }),
  'service.history': call({
    method: 'GET',
    path: `${base}/services/{id}/history`,
    about: 'Lists the history of a service, newest first, 10 lines a page.',
    input: z.object({ id: Id, ...paged() }),
    output: HistoryLines,
  }),
  'service.getBySid': call({
    method: 'GET',
    path: `${base}/service`,
    about: 'Returns one service, as the specification asks for it.',
    input: z.object({ sid: Id }),
    output: one(Service),
  }),
  'service.ofUser': call({
    method: 'GET',
    path: `${base}/services_for_user`,
    about: 'Lists every service, and whether a client user sees it.',
    input: z.object({ user_id: Id }),
    output: listOf(GivenService),
  }),
  'service.usersOf': call({
    method: 'GET',
    path: `${base}/service_users`,
    about: 'Lists by name the client users who see a service, or one of a brand’s, each with the IDs of those services.',
    input: z.object({ brand_id: Id.optional(), service_id: Id.optional() }),
    output: listOf(ServiceUser),
  }),
  'service.create': call({
    method: 'POST',
    path: `${base}/add_service`,
    about:
      'Adds a service to a brand, with its users and venues, in one transaction; more than 1,000 venues are checked at once and added by a job, whose id is `job_id`.',
    wraps: 'service',
    long: true,
    undo: true,
    input: z
      .object({
        brand_id: Id,
        ...createShape(newServiceFields),
        category: z
          .union([Text, z.number()], { error: MESSAGES.serviceCategory })
          .meta({ description: 'A category, by ID or name.' }),
        /** Venues parsed from a file, at most 50,000. */
        venues: z.array(NewVenue).max(MOST_VENUES).default([]),
      })
      .refine(({ start_date, end_date }) => inOrder(start_date, end_date), {
        path: ['end_date'],
        message: MESSAGES.startBeforeEnd,
        when: whenObject,
      }),
    /** `job_id` is the job that adds the venues; null if they were added at once. */
    output: Written.extend({ job_id: z.number().nullable() }),
    refreshes: ['brand', 'history'],
  }),
  'service.readVenues': call({
    method: 'POST',
    path: `${base}/venues/file`,
    about:
      'Returns the venues of a CSV or XLSX file for a new service, how the file was read, and its errors by line; nothing is stored.',
    as: 'multipart',
    files: { name: 'file' },
    keepsNothing: true,
    input: z.object({
      sheet: z.string().max(200).optional(),
      ...CsvReading,
      /** JSON list of each column's field, "" for one to ignore: ["code", "", "name"]; recognized if missing. */
      mapping: z.string().max(10_000).optional(),
    }),
    output: z.object({
      data: z.object({ venues: z.array(ReadVenue), check: VenueCheck }),
      ignored: z.array(z.string()).optional(),
    }),
  }),
  'service.edit': call({
    method: 'PUT',
    path: `${base}/service`,
    about: 'Changes a service’s name, category, bucket, dates, order or status.',
    wraps: 'service',
    reads: 'service.get',
    undo: true,
    input: z.object({
      id: Id,
      ...editShape(serviceFields),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['brand', 'history'],
  }),
  'service.remove': call({
    method: 'DELETE',
    path: `${base}/service`,
    about: 'Soft-deletes a service; figures leave out its visits at once.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['brand', 'user', 'history'],
  }),
  'service.addUser': call({
    method: 'POST',
    path: `${base}/add_user`,
    about: 'Gives a client user access to a service; repeating it changes nothing.',
    undo: true,
    input: z.object({ user_id: Id, service_id: Id }),
    output: AccessChange,
    refreshes: ['brand', 'user', 'history'],
  }),
  'service.removeUser': call({
    method: 'POST',
    path: `${base}/remove_user`,
    about: 'Removes a client user’s access to a service at once.',
    undo: true,
    input: z.object({ user_id: Id, service_id: Id }),
    output: AccessChange,
    refreshes: ['brand', 'user', 'history'],
  }),
  'service.setUsers': call({
    method: 'POST',
    path: `${base}/service_users`,
    about: 'Gives client users access to services, or removes it, all in one transaction.',
    undo: true,
    input: z.object({
      user_ids: z.array(Id).min(1).max(500),
      add: z.array(Id).max(5000).default([]),
      remove: z.array(Id).max(5000).default([]),
    }),
    output: AccessChange,
    refreshes: ['brand', 'user', 'history'],
  }),
  'service.request': call({
    method: 'POST',
    path: `${base}/services/request`,
    about: 'Asks the administrators for access to visitation, once a day.',
    sends: 'email',
    input: z.object({}),
    output: z.object({ data: z.object({ asked_at: z.string() }), message: EffectSentence }),
  }),
  'service.requested': call({
    method: 'GET',
    path: `${base}/services/request`,
    about: 'Returns when the caller last asked for access to visitation.',
    input: z.object({}),
    output: one(z.object({ asked_at: z.string().nullable() })),
  }),
} as const
