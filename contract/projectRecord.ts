import { z } from 'zod'
import { Activity, Target } from './activityRecord.ts'
import { listOf, Rules } from './call.ts'
import { ApiStatus, AssetType, FileKind, Generation, PacingColor, PacingState, StoredStatus, UsDay } from './enums.ts'
import { recordShape } from './fieldRecord.ts'
import { readFields, rowFields } from './projectFields.ts'

const Person = z.object({ id: z.number(), first_name: z.string(), last_name: z.string() })
/** A record's id and name. */
export const Named = z.object({ id: z.number(), name: z.string() })

/** A parent's own part of its family's figures (decisions.md 13, Families). */
export const OwnPart = z.object({
  ordered: z.number(),
  delivered: z.number(),
  pacing: z.number(),
  pacing_color: PacingColor,
  pacing_state: PacingState,
  expected: z.number(),
  cost_cents: z.number().nullable(),
  trend: z.array(z.number()),
})

/** The fields of a project's lists and detail, in v3 spelling (projects-area 3, decisions.md 1 and 3). */
const projectShape = {
  id: z.number(),
  generation: Generation,
  /** Its fields; `goal` is its own order, where `ordered` and `delivered` are the family's (decisions.md 13). */
  ...recordShape(rowFields),
  /** The parent's id of a child, under the specification's name. */
  project_id: z.number().nullable(),
  /** A child's own id under the specification's name; null for a project without a parent. */
  child_project_id: z.number().nullable(),
  /** The status in v3 spelling; `stored_status` is the database's. */
  status: ApiStatus,
  stored_status: StoredStatus,
  status_shown: z.string(),
  ordered: z.number(),
  num_completed_actions: z.number(),
  completed: z.number(),
  delivered: z.number(),
  /** Pacing in percent (decisions.md 3). */
  percentage: z.number(),
  pacing: z.number(),
  pacing_color: PacingColor,
  pacing_state: PacingState,
  /** Completes expected by today, not rounded. */
  expected: z.number(),
  /** A parent's own part if it has an order or responses; otherwise null. */
  own: OwnPart.nullable(),
  client_name: z.string(),
  start_dateP: UsDay,
  end_dateP: UsDay,
  survey_id: z.number().nullable(),
  reward_provider: z.string(),
  targeted_location_names: z.array(z.string()),
  /** The record's own cost; `family_cost_cents` is the sum of all parts. */
  cost_cents: z.number().nullable(),
  family_cost_cents: z.number().nullable(),
  quote_round: z.number(),
  quote_valid_until: z.string().nullable(),
  requested_by: Person.nullable(),
  owner: Named.nullable(),
  follows: z.boolean(),
  partners: z.array(Named),
  team: Named.nullable(),
  /** Completes per day of the last 14 days, oldest first. */
  trend: z.array(z.number()),
  pending_rewards: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
}
export const ProjectRow = z.object({
  ...projectShape,
  children: z.array(z.object(projectShape)),
  children_count: z.number(),
  /** Of a brief row: its place in the list's `rules`. */
  rule: z.number().optional(),
})
/** How many projects of the other generation match, too; not counted in a brief list. */
export const OtherGeneration = z.number().optional()
/** A list of projects. A brief one has neither children nor markets, and what may be done once for rows alike. */
export const ProjectList = listOf(ProjectRow).extend({ rules: Rules.optional(), other_generation: OtherGeneration })
/** A project with everything that Specifications shows. */
export const ProjectDetail = ProjectRow.extend({
  ...recordShape(readFields),
  /** The client's purchase order; empty until they give it. */
  po_number: z.string(),
  owner_id: z
    .number()
    .nullable()
    .meta({ description: 'The administrator who looks after it; null for nobody, and for client users.' }),
  /** The administrator who runs it, for questions; null while nobody does. */
  contact: z.object({ name: z.string(), email: z.string() }).nullable(),
  parent: Named.nullable(),
  decipher: z.object({ completes_value: z.number() }),
  activities: z.array(Activity.extend({ target: Target.nullable() })),
  surveys: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      activity_id: z.number().nullable(),
      survey_link: z.string(),
      questions_count: z.number(),
    }),
  ),
  teams: z.array(Named.extend({ users: z.array(Person) })),
  files: z.array(
    z.object({
      id: z.number(),
      kind: FileKind,
      asset_type: AssetType,
      original_name: z.string(),
      size: z.number(),
      mime: z.string(),
      created_at: z.string(),
    }),
  ),
  location_groups: z.array(Named.extend({ locations: z.number() })),
  categories: z.array(Named),
  transitions: z.array(ApiStatus),
  stored_transitions: z.array(StoredStatus),
})
