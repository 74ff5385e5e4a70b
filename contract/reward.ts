import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Id, Lock, listOf, one } from './call.ts'
import { columnWord, Generation } from './enums.ts'
import { createShape, editShape } from './fieldInput.ts'
import { omit } from './fieldKinds.ts'
import { recordShape } from './fieldRecord.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { PAGE } from './pages.ts'
import { rewardFields } from './rewardFields.ts'

/** A reward of a project's catalogue with its costs (screens-people-places-rewards.md, Rewards). */
export const Reward = z.object({
  id: z.number(),
  project_id: z.number(),
  project_name: z.string(),
  generation: Generation,
  client_id: z.number(),
  client_name: z.string(),
  ...recordShape(omit(rewardFields, 'amount')),
  /** In dollars. */
  amount: z.number(),
  amount_cents: z.number(),
  reward_type: columnWord('reward', 'reward_type'),
  provider_name: z.string(),
  /** Amounts in dollars that its provider can pay; empty means any. */
  allowed_amounts: z.array(z.number()),
  amount_flag: z.boolean(),
  /** Its entries by status; amounts in cents. */
  entries_count: z.number(),
  pending_count: z.number(),
  pending_cents: z.number(),
  processing_count: z.number(),
  processing_cents: z.number(),
  sent_count: z.number(),
  sent_cents: z.number(),
  rejected_count: z.number(),
  rejected_cents: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Reward = z.output<typeof Reward>

/** Totals in cents over all rewards that match the list's filter. */
export const RewardTotals = z.object({
  rewards: z.number(),
  pending_count: z.number(),
  pending_cents: z.number(),
  sent_count: z.number(),
  sent_cents: z.number(),
  rejected_count: z.number(),
  rejected_cents: z.number(),
})
export type RewardTotals = z.output<typeof RewardTotals>

/** A reward with its share of the project's entries and its average time to payment. */
export const ProjectReward = Reward.extend({
  /** Percent of the project's entries. */
  share: z.number(),
  /** Days from earning to payment; null if none was paid. */
  days_to_payment: z.number().nullable(),
})
export type ProjectReward = z.output<typeof ProjectReward>

/** There is only one type, which forms don't ask for. */
const reward_type = z.enum(['gift_card']).optional()
const filter = {
  project_id: Id.optional(),
  client_id: Id.optional(),
  partner_id: createShape(rewardFields).partner_id.meta({ description: 'Lists only rewards of this provider.' }),
  /** `amount`: rewards whose provider can't pay their amount. */
  flag: z.enum(['', 'amount']).default(''),
  /** Whether any entry refers to it. */
  used: z.enum(['', 'yes', 'no']).default(''),
}
/** The input of both lists of the catalogue. */
export const RewardListInput = z.object({ ...listInput(sortsOf('reward'), PAGE.rewards), ...filter })
const RewardList = listOf(Reward).extend({ page_size: z.number(), totals: RewardTotals })
/** `warnings`: an amount above $10,000, or one that its provider can't pay. */
const Written = one(Reward).extend({ message: EffectSentence, warnings: z.array(z.string()).optional() })

export const rewardCalls = {
  'reward.list': call({
    method: 'GET',
    path: '/v3/portal/rewards/all',
    about: 'Lists the rewards of all projects with their costs, 50 a page.',
    input: RewardListInput,
    output: RewardList,
  }),
  'reward.get': call({
    method: 'GET',
    path: '/v3/portal/rewards/{id}',
    about: 'Returns one reward of the catalogue.',
    input: z.object({ id: Id }),
    output: one(Reward),
  }),
  'reward.ofProject': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/rewards',
    about: 'Lists the rewards of a project and its children, 50 a page: its own first, then child by child, by amount.',
    input: z.object({ ...RewardListInput.omit({ project_id: true, client_id: true }).shape, id: Id }),
    output: listOf(ProjectReward).extend({ page_size: z.number(), totals: RewardTotals }),
  }),
  'reward.create': call({
    method: 'POST',
    path: '/v3/portal/rewards',
    about: 'Adds a reward to a project; amount is in dollars. One that its provider cannot pay is accepted with a warning.',
    wraps: 'reward',
    undo: true,
    input: z.object({ ...createShape(rewardFields), reward_type, project_id: Id }),
    output: Written,
    refreshes: ['history'],
  }),
  'reward.edit': call({
    method: 'PUT',
    path: '/v3/portal/rewards',
    about: "Changes a reward. Entries keep their own amount and provider; the response's message says how many are pending.",
    wraps: 'reward',
    reads: 'reward.get',
    undo: true,
    input: z.object({ ...editShape(rewardFields), reward_type, id: Id, lock_version: Lock }),
    output: Written,
    refreshes: ['entry', 'history'],
  }),
  'reward.remove': call({
    method: 'DELETE',
    path: '/v3/portal/rewards',
    about: 'Soft-deletes a reward. Its entries keep it and can still be paid; the response counts the pending ones.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected.extend({ data: z.object({ pending: z.number() }) }),
    refreshes: ['entry', 'history'],
  }),
  'reward.copy': call({
    method: 'POST',
    path: '/v3/portal/rewards/copy',
    about: 'Copies rewards to projects; skips those whose name a project already has.',
    undo: true,
    input: z.object({ ids: z.array(Id).min(1).max(100), project_ids: z.array(Id).min(1).max(100) }),
    output: z.object({
      data: z.object({
        /** Ids of the new rewards. */
        made: z.array(z.number()),
        /** Skipped rewards, and the project that already has a reward of this name. */
        left_out: z.array(z.object({ id: z.number(), project_id: z.number(), reason: z.string() })),
      }),
      message: EffectSentence,
    }),
    refreshes: ['history'],
  }),
} as const
