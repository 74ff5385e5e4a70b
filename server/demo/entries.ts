import type { Insertable } from 'kysely'
import { rewardFields } from '../../contract/rewardFields.ts'
import { PROVIDERS, type RewardStatus } from '../../contract/vocabulary.ts'
import type { EntryTable, PayoutTable, RewardTable } from '../db/schema.ts'
import { fieldClock } from './calendar.ts'
import { addressOf } from './field.ts'
import type { Market } from './market.ts'
import { slug } from './people.ts'
import { fieldDays, type ProjectPlan } from './plan.ts'
import { type Random, randomOf } from './random.ts'
import { rowOf } from './rowDefaults.ts'
import { FIRST_NAMES, LAST_NAMES, REASONS } from './studies.ts'

const [CARD, PREPAID] = PROVIDERS
const DOLLARS = CARD.allowed.map((cents) => cents / 100)
const SHARES = [45, 30, 10, 8, 5, 2]
/** Mistyped amounts that no provider pays. */
const ODD = [3, 7, 12, 18, 55]
const MAILS = ['example.com', 'example.net', 'example.org']
const DAY = 86_400_000

/** A project's reward provider: gift cards in four of five. */
export const providerOf = (seed: string, plan: ProjectPlan): number =>
  randomOf(seed, 'provider', plan.parent ?? plan.id).chance(0.8) ? CARD.value : PREPAID.value

/** A project's catalogue of six rewards. */
export function rewardsOf(seed: string, plan: ProjectPlan, firstReward: number, at: string): Insertable<RewardTable>[] {
  const provider = providerOf(seed, plan)
  const card = provider === CARD.value ? 'Gift card' : 'Prepaid card'
  return DOLLARS.map((dollars, nth) =>
    rowOf('rewards', at, {
      id: firstReward + nth,
      project_id: plan.id,
      name: `$${dollars} ${card}`,
      amount_cents: dollars * 100,
      provider_id: provider,
      provider_code: rewardFields.provider_code.fill({ amount: String(dollars), partner_id: String(provider) }),
      description: `${PROVIDERS.find((one) => one.value === provider)!.label}, sent by email after the response is checked.`,
    }),
  )
}

/** An upload whose entries are the newest of a project. */
export interface UploadPlan {
  id: number
  size: number
  at: string
}

/** A reward without entries; an odd amount can't be paid. */
interface Unused {
  nth: number
  name: string
  cents: number
}
const UNUSED: readonly (readonly [name: string, cents: number])[] = [
  ['$7 Coffee card', 700],
  ['$12 Movie card', 1200],
  ['$55 Thank-you card', 5500],
  ['$10 Bonus card', 1000],
  ['$20 Diary card', 2000],
  ['$25 Interview card', 2500],
  ['$5 Recontact card', 500],
  ['$50 Panel card', 5000],
]
/** A project's rewards without entries, besides the six: over all projects three with odd amounts, and five others. */
export function unusedOf({ plans }: Pick<Market, 'plans'>, plan: ProjectPlan): readonly Unused[] {
  // Counted from the end, because people rarely look at the latest project first.
  const giving = plans.filter(({ entries }) => entries > 0).reverse()
  const at = giving.indexOf(plan)
  return UNUSED.flatMap(([name, cents], nth) => (nth % giving.length === at ? [{ nth, name, cents }] : []))
}

/** A project's entries, oldest first, with the shares of statuses, repeats and bad amounts in decisions.md 12. */
export function entriesOf(
  random: Random,
  market: Pick<Market, 'seed' | 'calendar' | 'firstReward'>,
  plan: ProjectPlan,
  upload?: UploadPlan,
): { entries: Insertable<EntryTable>[]; payouts: PayoutTable[] } {
  const { seed, calendar } = market
  const firstReward = market.firstReward(plan)
  const provider = providerOf(seed, plan)
  const survey = plan.activities.find((activity) => activity.survey)?.survey?.id ?? null
  const clock = fieldClock(calendar, plan.start, fieldDays(plan))
  const moments = Array.from({ length: plan.entries }, () => clock(random)).sort((a, b) => a - b)
  const running = plan.status === 'active' || plan.status === 'paused'
  const entries: Insertable<EntryTable>[] = []
  const payouts: PayoutTable[] = []
  const single: number[] = []
  for (const [nth, earned] of moments.entries()) {
    const uploaded = upload && nth >= plan.entries - upload.size ? upload : null
    const made = uploaded ? Date.parse(uploaded.at) : earned
    const id = plan.firstEntry + nth
    const kind = random.weigh(SHARES)
    const odd = random.chance(0.005)
    const drawn = statusOf(random, running, (calendar.now.getTime() - earned) / DAY)
    // An amount that can't be paid is never marked as sent.
    const status = odd && drawn !== 'rejected' ? 'pending' : drawn
    // A repeat flags two entries, so half the share is enough.
    const twin = single.length > 2 && status !== 'rejected' ? random.next() : 1
    const other = twin < 0.0405 ? entries[single[random.int(0, single.length - 1)]!]! : null
    const email = other && twin < 0.0083 ? other.email : mailOf(random, id)
    const ip = other && twin >= 0.0083 ? other.ip! : addressOf(random)
    // Each entry is repeated at most once.
    if (other)
      single.splice(
        single.findIndex((at) => entries[at] === other),
        1,
      )
    else if (status !== 'rejected') single.push(nth)
    const amount_cents = (odd ? random.pick(ODD) : DOLLARS[kind]!) * 100
    const done = new Date(
      Math.min(calendar.now.getTime() - 30_000, made + Math.floor((0.2 + 2.6 * random.next()) * DAY)),
    ).toISOString()
    const created_at = new Date(made).toISOString()
    entries.push({
      id,
      project_id: plan.id,
      survey_id: uploaded ? null : survey,
      import_id: uploaded?.id ?? null,
      reward_id: firstReward + kind,
      email,
      email_key: email.trim().toLowerCase(),
      ip,
      amount_cents,
      provider_id: provider,
      status,
      reason: status === 'rejected' ? random.pick(REASONS.entry) : '',
      second_chances: status === 'pending' && random.chance(0.02) ? 1 : 0,
      // Processing without a payout job means waiting for the provider, so the sweep leaves these alone.
      claimed_at: null,
      sent_at: status === 'sent' ? done : null,
      created_at,
      updated_at: status === 'pending' ? created_at : done,
      lock_version: status === 'pending' ? 1 : 2,
    })
    if (status === 'sent')
      payouts.push({ entry_id: id, provider_id: provider, amount_cents, email, reference: `DEMO-${id}`, at: done })
  }
  return { entries, payouts }
}

/** Overall 82 % sent, 12 pending, 1 processing, 5 rejected; pending ones are mostly recent. */
function statusOf(random: Random, running: boolean, age: number): RewardStatus {
  const pending = running ? (age < 3 ? 62 : age < 8 ? 38 : 20) : age < 20 ? 26 : 8.7
  const drawn = random.next() * 100
  if (drawn < pending) return 'pending'
  if (drawn < pending + (running || age < 20 ? 2.2 : 0.8)) return 'processing'
  return random.next() < 5 / 87 ? 'rejected' : 'sent'
}

/** A fictional address at the domains reserved for examples (RFC 2606). */
function mailOf(random: Random, id: number): string {
  const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)]
  const name = random.chance(0.5) ? `${slug(first)}.${slug(last)}` : `${slug(first)}${slug(last).slice(0, 1)}`
  return `${name}${id % 9973}@${random.pick(MAILS)}`
}
