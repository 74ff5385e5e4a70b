import { z } from 'zod'
import { Allowed, call, EffectSentence, Flag, Id, Lock, one } from './call.ts'

/** The switches of a project's audience: its two channels, and the audience as a whole. */
export const AUDIENCE_FIELDS = ['facebook_active', 'fulcrum_active', 'active'] as const
export type AudienceField = (typeof AUDIENCE_FIELDS)[number]
/** The labels of the switches. */
export const AUDIENCE_WORDS = {
  facebook_active: 'Facebook',
  fulcrum_active: 'Fulcrum',
  active: 'Audience as a whole',
} as const satisfies Record<AudienceField, string>

/** A row of the Audience tab. */
const AudienceRow = z.object({
  field: z.enum(AUDIENCE_FIELDS),
  name: z.string(),
  /** 1 is shown as Enabled, anything else as Disabled. */
  active: z.number(),
  changed_at: z.string().nullable(),
  changed_by_name: z.string(),
  /** Offers running in this channel; for the whole audience, in all channels. */
  running_offers: z.number(),
  /** True if the landing page has all texts of this channel. */
  landing_ready: z.boolean(),
})

const AudienceOptions = z.object({
  project_id: z.number(),
  project_name: z.string(),
  /** True while the project is active or paused. */
  in_field: z.boolean(),
  facebook_active: z.number(),
  fulcrum_active: z.number(),
  active: z.number(),
  rows: z.array(AudienceRow),
  /** 0 before the first write. */
  lock_version: z.number(),
  ...Allowed,
})

const Switch = Flag.transform(Number)

export const audienceCalls = {
  'audience.get': call({
    method: 'GET',
    path: '/v3/portal/audience/options/{projectId}',
    about: 'Lists the channels a project recruits through: 1 is enabled, 0 disabled; all are disabled at first.',
    input: z.object({ projectId: Id }),
    output: one(AudienceOptions),
  }),
  'audience.edit': call({
    method: 'PUT',
    path: '/v3/portal/audience/options/{projectId}',
    about: 'Enables or disables channels of a project, or its audience as a whole.',
    reads: 'audience.get',
    undo: true,
    input: z.object({
      projectId: Id,
      facebook_active: Switch.optional(),
      fulcrum_active: Switch.optional(),
      active: Switch.optional(),
      lock_version: Lock,
    }),
    output: one(AudienceOptions).extend({ message: EffectSentence }),
    refreshes: ['history', 'offer'],
  }),
} as const
