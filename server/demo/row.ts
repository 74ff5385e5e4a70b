import type { Insertable } from 'kysely'
import type { Schema } from '../db/schema.ts'

const kept = (at: string) => ({ created_at: at, updated_at: at, lock_version: 1 })
const deletable = (at: string) => ({ ...kept(at), deleted_at: null })

/** Default values of a table's rows; other columns must be given. */
const usual = {
  users: (at) => ({
    ...deletable(at),
    phone: '',
    company: '',
    role: 'client',
    birth_date: null,
    status: 'active',
    password_hash: null,
    must_change_password: 0,
    password_expires_at: null,
    invitation_hash: null,
    invitation_expires_at: null,
    reset_hash: null,
    reset_expires_at: null,
    preferences: '{}',
  }),
  partners: (at) => ({ ...deletable(at), phone: '' }),
  places: () => ({ address: '', latitude: null, longitude: null, deleted_at: null }),
  projects: (at) => ({
    ...deletable(at),
    generation: 'project',
    parent_id: null,
    description: '',
    requirements: '',
    status: 'requirements',
    campaign_type: 'Survey',
    delivered: 0,
    cost_cents: null,
    quote_round: 1,
    quote_valid_until: null,
    start_dt: null,
    end_dt: null,
    survey_url: '',
    provider_id: null,
    requested_by: null,
    went_live_at: null,
  }),
  activities: (at) => ({
    ...deletable(at),
    about: '',
    activity_type: 'survey',
    action_type: 'nothing',
    social_type: '',
    social_text: '',
    social_link: '',
    url: '',
    start_dt: null,
    end_dt: null,
  }),
  occasions: (at) => ({
    ...kept(at),
    description: '',
    about: '',
    information: '',
    location: '',
    address: '',
    content_type: '',
    url: '',
    file_id: null,
    start_date: null,
    end_date: null,
    schedules: '[]',
  }),
  targets: (at) => ({
    version: 1,
    location_based: 'no',
    targeted_locations: '',
    age: '',
    gender: '',
    hhi: '',
    ethnicity: '',
    marital_status: '',
    children: '',
    updated_at: at,
  }),
  surveys: (at) => ({ ...deletable(at), activity_id: null, survey_link: '', survey_vendor: '', questions_count: 0 }),
  questions: (at) => ({
    ...kept(at),
    position: 1,
    question_type: 'survey',
    answer_type: 'single',
    vendor_key: '',
    retired_at: null,
  }),
  rewards: (at) => ({ ...deletable(at), provider_id: 1, provider_code: '', description: '', reward_type: 'gift_card' }),
  notes: kept,
  report_columns: kept,
  report_templates: kept,
  landing_options: kept,
  audience_options: kept,
  offers: kept,
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
    ...kept(at),
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
  files: (at) => ({ ...kept(at), project_id: null, activity_id: null, asset_type: '', description: '', uploaded_by: null }),
  entries: (at) => ({
    ...kept(at),
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
} as const satisfies { readonly [T in keyof Schema]?: (at: string) => Partial<Insertable<Schema[T]>> }

type Usual = typeof usual
type Deletable = ReturnType<typeof deletable>
/** Tables whose rows have defaults: those above, and every other that is created, changed and softly deleted. */
export type UsualTable =
  | keyof Usual
  | { [T in keyof Schema]: Schema[T] extends { [C in keyof Deletable]: unknown } ? T : never }[keyof Schema]
type UsualOf<T extends UsualTable> = T extends keyof Usual ? ReturnType<Usual[T]> : Deletable
/** A row's columns, optional where the table has a default. */
export type Given<T extends UsualTable> = Omit<Insertable<Schema[T]>, keyof UsualOf<T>> & Partial<Insertable<Schema[T]>>

/** A complete row for demo data and tests: the given columns, and defaults for the rest. */
export const rowOf = <T extends UsualTable>(table: T, at: string, given: Given<T>): Insertable<Schema[T]> =>
  ({ ...(table in usual ? usual[table as keyof Usual] : deletable)(at), ...given }) as unknown as Insertable<Schema[T]>
