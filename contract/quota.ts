import { z } from 'zod'
import { Allowed, type CallSchema, call, EffectSentence, Id, Lock, listOf, one, TextOrNumber, wholeNumber } from './call.ts'
import { oneOf } from './enums.ts'
import { createShape, editShape } from './fieldInput.ts'
import { recordShape } from './fieldRecord.ts'
import { Moment, paged } from './listInput.ts'
import { quotaFields } from './quotaFields.ts'
import { QUOTA_FIELDS, QUOTA_KINDS, QUOTA_LIMITS } from './quotaRules.ts'
import { runtimeBase } from './runtime.ts'

/** The most arrivals of one request. */
const ADMIT_LIMIT = 500

const STATES = ['draft', 'live', 'ended'] as const
const OUTCOMES = ['admitted', 'refused'] as const
/** TABLE  why an arrival was decided so. */
const REASONS = ['', 'resumed', 'full', 'closed', 'unknown', 'outside', 'duplicate', 'rid_taken', 'open'] as const
export type AdmissionReason = (typeof REASONS)[number]

/** A schema with a sentence of its own, where its name means something else in other calls. */
const about = <T extends CallSchema>(schema: T, description: string): T =>
  (schema as unknown as z.ZodType).meta({ description }) as unknown as T

const Conditions = z.record(z.string().max(40), z.array(TextOrNumber).max(1000, 'has too many codes'))
const TARGET = 'How many completes it wants.'
const CellInput = z.object({
  name: z.string().trim().max(120).default(''),
  conditions: Conditions.default({}),
  target: about(wholeNumber(z.number().int().min(0).max(10_000_000)).optional(), TARGET),
  share: about(z.number().min(0).max(1_000_000).optional(), 'Its share, in any unit; targets follow by largest remainder.'),
})
const KIND = 'marginal has one field, interlock several; concept assigns each person to the cell that is filled least.'
const FIELD_NAMES = `The fields of its cells: ${Object.keys(QUOTA_FIELDS).join(', ')} or answers.{id} of a single-choice question.`
const DimensionInput = z.object({
  name: z.string().trim().min(1, 'is required').max(80),
  kind: about(z.enum(QUOTA_KINDS).default('marginal'), KIND),
  fields: about(
    z.array(z.string().max(40)).max(QUOTA_LIMITS.fields, `needs at most ${QUOTA_LIMITS.fields} fields`).default([]),
    FIELD_NAMES,
  ),
  cells: about(
    z.array(CellInput).min(1, 'needs a cell').max(QUOTA_LIMITS.cells, 'has too many cells'),
    'The cells of the dimension.',
  ),
})
export type DimensionInput = z.output<typeof DimensionInput>
const Dimensions = z.array(DimensionInput).max(QUOTA_LIMITS.dimensions, `needs at most ${QUOTA_LIMITS.dimensions} dimensions`)

/** A cell; client users get its target and completes alone. */
const Cell = z.object({
  id: z.number(),
  name: z.string(),
  conditions: z.record(z.string(), z.array(z.union([z.string(), z.number()]))),
  target: about(z.number(), TARGET),
  completes: z.number(),
  held: about(z.number().optional(), 'Admitted people who are in the survey now.'),
  free: z.number().optional(),
  closed: z.boolean().optional(),
  reopened_at: z.string().nullable().optional(),
  refused_24h: z.number().optional(),
})
export type QuotaCell = z.output<typeof Cell>

const { total, ...settings } = recordShape(quotaFields)
const optional = Object.fromEntries(Object.entries(settings).map(([name, schema]) => [name, schema.optional()])) as {
  [K in keyof typeof settings]: z.ZodOptional<(typeof settings)[K]>
}
/** A plan; client users get no settings, and no dimension of partners. */
export const Quota = z.object({
  id: z.number(),
  project_id: z.number(),
  survey_id: z.number(),
  state: oneOf(STATES, ['Draft', 'Live', 'Ended']),
  total,
  ...optional,
  /** Completes that found no place. */
  beyond: z.number().optional(),
  live_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  /** The plan’s total as a cell, which everybody counts in. */
  all: about(Cell, 'The total as a cell, which everybody counts in.'),
  dimensions: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      kind: about(z.enum(QUOTA_KINDS), KIND),
      fields: about(z.array(z.string()), FIELD_NAMES),
      cells: about(z.array(Cell), 'The cells of the dimension.'),
      /** What closing short would cost: the design effect, and how many interviews its completes work like. */
      deff: z.number().nullable().optional(),
      effective: z.number().nullable().optional(),
    }),
  ),
  ...Allowed,
})
export type Quota = z.output<typeof Quota>

/** What the arrivals of the last seven days would have met. */
const Foreseen = z.object({
  from: about(z.string(), 'The moment from which arrivals were looked at.'),
  arrivals: about(z.number(), 'The arrivals since then.'),
  admitted: z.number(),
  refused: about(z.number(), 'Arrivals that would be refused.'),
  /** Arrivals that were refused then and would be admitted, and the other way round. */
  newly_admitted: z.number(),
  newly_refused: z.number(),
})
export type QuotaForeseen = z.output<typeof Foreseen>
const Written = one(Quota).extend({
  message: EffectSentence,
  /** Only of a dry run. */
  foreseen: Foreseen.optional(),
})

/** A plan as a project lists it. */
const PlanLine = z.object({
  id: z.number(),
  survey_id: z.number(),
  survey_name: z.string(),
  state: oneOf(STATES, ['Draft', 'Live', 'Ended']),
  total,
  completes: z.number(),
  live_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  created_at: z.string(),
})

const CellArrivals = z.object({
  id: z.number(),
  arrivals: about(z.number(), 'Arrivals whose profile fits the cell.'),
  admitted: about(z.number(), 'How many of them were admitted.'),
  refused: about(z.number(), 'Arrivals that any cell of the plan refused.'),
  left: about(z.number(), 'Those admitted whose places were given back.'),
  refused_by: about(
    z.array(z.object({ id: z.number(), count: about(z.number(), 'How many it refused.') })),
    'The cells that refused them, most first.',
  ),
})
const Arrivals = z.object({
  from: about(z.string(), 'The moment from which arrivals were looked at.'),
  arrivals: about(z.number(), 'The arrivals since then.'),
  cells: about(z.array(CellArrivals), 'What they met in each cell.'),
})
export type QuotaArrivals = z.output<typeof Arrivals>

const Arrival = {
  pid: z.string().trim().min(1, 'is required').max(100).optional(),
  partner_id: Id.optional(),
  rid: z
    .string()
    .trim()
    .regex(/^[\w-]{8,40}$/, 'must be 8 to 40 letters, digits, _ or -')
    .optional(),
  profile: about(
    z.record(z.string().max(40), z.unknown()).optional(),
    'What is known of the person, in the codes of intake: age, gender, hhi, ethnicity, marital_status, children, dma, answers.',
  ),
}
const REASON =
  'Blank if a place was free; resumed, full, closed, unknown (a field of a dimension), outside (of its cells), duplicate (has completed), rid_taken, open (the database was away).'
const Admission = z.object({
  admit: z.boolean(),
  rid: z.string(),
  pid: z.string(),
  hold_until: z.string().nullable(),
  reason: about(oneOf(REASONS), REASON),
  /** The cell that has no place. */
  cell: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** The concepts that the person sees. */
  concepts: z.array(z.object({ id: z.number(), name: z.string(), dimension: z.string() })),
})
export type Admission = z.output<typeof Admission>
const Decision = z.object({
  id: z.number(),
  rid: z.string(),
  partner_id: z.number().nullable(),
  version: about(z.number(), 'The lock_version of the plan that decided.'),
  outcome: about(oneOf(OUTCOMES), 'What was decided.'),
  reason: about(oneOf(REASONS), REASON),
  cell: z.object({ id: z.number(), name: z.string() }).nullable(),
  free: about(z.array(z.object({ cell_id: z.number(), free: z.number() })), 'The free places of its cells before.'),
  profile: about(z.record(z.string(), z.string()), 'What was known of the person.'),
  at: z.string(),
})

/** Quotas: plans of a project's surveys, and admission by them. */
export const quotaCalls = {
  'quota.ofProject': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/quotas',
    about: 'Returns the quota plan of a project: the one that hasn’t ended, else the last; null without any.',
    input: z.object({ id: Id, survey_id: Id.optional() }),
    output: z.object({ data: Quota.nullable() }),
  }),
  'quota.get': call({
    method: 'GET',
    path: '/v3/portal/quotas/{id}',
    about: 'Returns a quota plan with its cells.',
    input: z.object({ id: Id }),
    output: one(Quota),
  }),
  'quota.plans': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/quota_plans',
    about: 'Lists the quota plans of a project’s surveys, the newest first; client users get no drafts.',
    input: z.object({ id: Id }),
    output: listOf(PlanLine),
  }),
  'quota.arrivals': call({
    method: 'GET',
    path: '/v3/portal/quotas/{id}/arrivals',
    about: 'Returns what the arrivals of the last 24 hours met in each cell of a quota plan, and which cells refused them.',
    input: z.object({ id: Id }),
    output: one(Arrivals),
  }),
  'quota.create': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/quotas',
    about: 'Creates the draft of a quota plan for a survey; nobody is refused before it is live.',
    undo: true,
    input: z.object({ id: Id, survey_id: Id.optional(), ...createShape(quotaFields), dimensions: Dimensions.default([]) }),
    output: Written,
    refreshes: ['history'],
  }),
  'quota.edit': call({
    method: 'PUT',
    path: '/v3/portal/quotas/{id}',
    about:
      'Changes a quota plan, also while it is live: a cell that is sent again keeps its places. A target below what is taken is refused.',
    reads: 'quota.get',
    undo: true,
    input: z.object({ id: Id, ...editShape(quotaFields), dimensions: Dimensions.optional(), lock_version: Lock }),
    output: Written,
    refreshes: ['history'],
  }),
  'quota.cells': call({
    method: 'PUT',
    path: '/v3/portal/quotas/{id}/cells',
    about: 'Changes targets of cells, and closes or reopens them, all or none.',
    undo: true,
    input: z.object({
      id: Id,
      cells: about(
        z
          .array(
            z.object({
              id: Id,
              target: about(wholeNumber(z.number().int().min(0).max(10_000_000)).optional(), TARGET),
              closed: z.boolean({ error: 'must be true or false' }).optional(),
            }),
          )
          .min(1, 'Choose at least one cell')
          .max(QUOTA_LIMITS.cells),
        'The cells to change.',
      ),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['history'],
  }),
  'quota.live': call({
    method: 'POST',
    path: '/v3/portal/quotas/{id}/live',
    about: 'Starts a quota plan: completes that the survey has take their places, and arrivals are decided by it.',
    input: z.object({ id: Id, lock_version: Lock }),
    output: Written,
    refreshes: ['history'],
  }),
  'quota.end': call({
    method: 'POST',
    path: '/v3/portal/quotas/{id}/end',
    about: 'Ends a quota plan for good: nobody is decided by it any more, and its figures stay.',
    input: z.object({ id: Id, lock_version: Lock }),
    output: Written,
    refreshes: ['history'],
  }),
  'quota.admit': call({
    method: 'POST',
    path: `${runtimeBase}/admit`,
    about:
      'Answers whether an arrival is admitted, and holds its places: one as pid, partner_id, rid and profile, or up to 500 as `arrivals`. The same pid again resumes its hold; with its rid this is a heartbeat.',
    input: z.object({
      surveyId: Id,
      ...Arrival,
      arrivals: z.array(z.object(Arrival)).min(1).max(ADMIT_LIMIT, `needs at most ${ADMIT_LIMIT} arrivals`).optional(),
    }),
    output: z.object({ data: z.array(Admission) }),
  }),
  'quota.decisions': call({
    method: 'GET',
    path: '/v3/portal/quotas/{id}/decisions',
    about: 'Lists the decisions of a quota plan, the newest first: all, those of an admission, or those that a cell refused.',
    input: z.object({
      id: Id,
      ...paged(50),
      rid: z.string().trim().max(40).optional(),
      cell: about(Id.optional(), 'Only those that this cell refused.'),
      from: about(Moment.optional(), 'Only those since this moment.'),
    }),
    output: listOf(Decision),
  }),
}
