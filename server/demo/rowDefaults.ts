import type { Insertable } from 'kysely'
import { activityFields } from '../../contract/activityFields.ts'
import { type Fields, omit } from '../../contract/fieldKinds.ts'
import { assetFields } from '../../contract/fileFields.ts'
import { landingFields } from '../../contract/landingFields.ts'
import { locationFields } from '../../contract/locationFields.ts'
import { notificationFields } from '../../contract/notificationFields.ts'
import { eventFields, postFields, promoFields } from '../../contract/occasionFields.ts'
import { partnerFields } from '../../contract/partnerFields.ts'
import { storedFields } from '../../contract/projectFields.ts'
import { questionFields } from '../../contract/questionFields.ts'
import { rewardFields } from '../../contract/rewardFields.ts'
import { surveyFields } from '../../contract/surveyFields.ts'
import { demographicFields } from '../../contract/targetFields.ts'
import { userFields } from '../../contract/userFields.ts'
import { brandFields, serviceFields } from '../../contract/visitationFields.ts'
import { type EmptyColumns, emptyColumns } from '../core/fieldColumns.ts'
import type { Schema } from '../db/schema.ts'

const stampsOf = (at: string) => ({ created_at: at, updated_at: at, lock_version: 1 })
const deletable = (at: string) => ({ ...stampsOf(at), deleted_at: null })

/** TABLE  the fields in a table's columns: those that a record may lack have their default from here. */
export const FIELDS_OF = {
  users: omit(userFields, 'company_id'),
  partners: partnerFields,
  places: locationFields,
  projects: storedFields,
  activities: activityFields,
  occasions: { ...eventFields, ...promoFields, ...postFields },
  targets: demographicFields,
  // Columns have a count of 0 where a form has nothing.
  surveys: omit(surveyFields, 'questions_count'),
  questions: questionFields,
  rewards: rewardFields,
  landing_options: landingFields,
  notifications: notificationFields,
  files: assetFields,
  brands: brandFields,
  services: serviceFields,
} as const satisfies { readonly [T in keyof Schema]?: Fields }
type FieldsOf = typeof FIELDS_OF
type EmptyOf<T> = T extends keyof FieldsOf ? EmptyColumns<FieldsOf[T]> : unknown

/** Defaults that no field has: stamps, states and what isn't filled in, and the demo's choice for required fields. */
const own = {
  users: (at) => ({
    ...deletable(at),
    role: 'client',
    status: 'active',
    password_hash: null,
    must_change_password: 0,
    password_expires_at: null,
    invitation_hash: null,
    invitation_expires_at: null,
    reset_hash: null,
    reset_expires_at: null,
    pending_email: null,
    pending_email_hash: null,
    pending_email_expires_at: null,
    pending_email_by: null,
    pending_email_proven: null,
    preferences: '{}',
  }),
  partners: (at) => ({ ...deletable(at) }),
  places: (at) => ({
    ...deletable(at),
    address: '',
    latitude: null,
    longitude: null,
    position: 'none',
    dma: null,
    address_key: '',
  }),
  projects: (at) => ({
    ...deletable(at),
    generation: 'project',
    status: 'requirements',
    delivered: 0,
    cost_cents: null,
    quote_round: 1,
    quote_valid_until: null,
    start_dt: null,
    end_dt: null,
    requested_by: null,
    went_live_at: null,
  }),
  activities: (at) => ({
    ...deletable(at),
    activity_type: 'survey',
  }),
  occasions: (at) => ({
    ...stampsOf(at),
    content_type: '',
    start_date: null,
    end_date: null,
    schedules: '[]',
  }),
  targets: (at) => ({
    version: 1,
    location_based: 'no',
    targeted_locations: '',
    updated_at: at,
  }),
  surveys: (at) => ({ ...deletable(at), questions_count: 0 }),
  questions: (at) => ({
    ...stampsOf(at),
    position: 1,
    question_type: 'survey',
    answer_type: 'single',
    retired_at: null,
  }),
  rewards: (at) => ({ ...deletable(at), provider_id: 1, reward_type: 'gift_card' }),
  messages: stampsOf,
  notes: stampsOf,
  report_columns: stampsOf,
  report_templates: stampsOf,
  landing_options: stampsOf,
  audience_options: stampsOf,
  offers: stampsOf,
  proffers: (at) => ({
    round: 1,
    fill_requirements: 'Yes',
    reason: '',
    feasible_completes: null,
    cpi_cents: null,
    incidence: null,
    loi_minutes: null,
    field_days: null,
    valid_until: null,
    created_at: at,
  }),
  quotes: (at) => ({
    ...stampsOf(at),
    round: 1,
    revision: 1,
    valid_until: null,
    asked: '{}',
    state: 'prepared',
    sent_at: null,
    sent_by: null,
    opened_at: null,
    opened_by: null,
    decided_at: null,
    decided_by: null,
    reason: '',
  }),
  notifications: (at) => ({
    ...deletable(at),
    notification_type: 'all',
    sent_at: null,
    sent_by: null,
    audience: 0,
    job_id: null,
  }),
  mails: (at) => ({
    html: '',
    status: 'outbox',
    error: '',
    attempts: 0,
    about: '',
    not_before: at,
    created_at: at,
    sent_at: null,
    secrets: '[]',
  }),
  files: (at) => ({
    ...stampsOf(at),
    project_id: null,
    activity_id: null,
    asset_type: '',
    uploaded_by: null,
    width: null,
    height: null,
    seconds: null,
    thumb_key: '',
    thumb_state: 'none',
  }),
  user_activities: (at) => ({
    ...stampsOf(at),
    email: '',
    action: 'comment',
    file_id: null,
    comment: '',
    url: '',
    dma: null,
    at,
    review: 'open',
    review_reason: '',
    reviewed_by: null,
    reviewed_at: null,
    external_id: null,
  }),
  entries: (at) => ({
    ...stampsOf(at),
    survey_id: null,
    reward_id: null,
    ip: '',
    provider_id: 1,
    status: 'pending',
    reason: '',
    second_chances: 0,
    claimed_at: null,
    sent_at: null,
  }),
} as const satisfies {
  readonly [T in keyof Schema]?: (at: string) => Partial<Insertable<Schema[T]>> & { readonly [C in keyof EmptyOf<T>]?: never }
}

type Own = typeof own
type Deletable = ReturnType<typeof deletable>
/** Tables with default rows: those above, and every other that has only the usual timestamps, lock and deletion. */
export type UsualTable =
  | keyof Own
  | { [T in keyof Schema]: Schema[T] extends { [C in keyof Deletable]: unknown } ? T : never }[keyof Schema]
type UsualOf<T extends UsualTable> = EmptyOf<T> & (T extends keyof Own ? ReturnType<Own[T]> : Deletable)
/** A row's columns, optional where the table has a default. */
export type RowInput<T extends UsualTable> = Omit<Insertable<Schema[T]>, keyof UsualOf<T>> & Partial<Insertable<Schema[T]>>

const fromFields: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(FIELDS_OF).map(([table, fields]) => [table, emptyColumns(fields)]),
)
/** A complete row for demo data and tests: the given columns, and defaults for the rest. */
export const rowOf = <T extends UsualTable>(table: T, at: string, columns: RowInput<T>): Insertable<Schema[T]> =>
  ({
    ...fromFields[table],
    ...(table in own ? own[table as keyof Own] : deletable)(at),
    ...columns,
  }) as unknown as Insertable<Schema[T]>
