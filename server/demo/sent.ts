import { WITH_RESULTS } from './families.ts'
import type { Market } from './market.ts'
import type { ActivityPlan, ProjectPlan } from './plan.ts'
import { randomOf, shareOut } from './random.ts'

/** How much content participants of one activity sent; items are numbered from `first`. */
export interface SentPlan {
  activity: ActivityPlan
  first: number
  photos: number
  videos: number
  comments: number
  socials: number
}

/** Shares of all items: 6,000 photos, 240 videos and 2,500 social acts of 12,740; the others are comments. */
const [PHOTOS, VIDEOS, SOCIALS] = [6000 / 12_740, 240 / 12_740, 2500 / 12_740] as const
/** The largest activity's share of the photos, and the shares of activities that have photos and videos. */
const LARGEST = 0.2
const PHOTO_ACTIVITIES = 40 / 48
const VIDEO_ACTIVITIES = 20 / 26

const plans = new WeakMap<Market, ReadonlyMap<number, readonly SentPlan[]>>()

/** The content of each project's participants (screens-projects.md, Demo data), by the project's id. */
export function sentOf(market: Market): ReadonlyMap<number, readonly SentPlan[]> {
  const known = plans.get(market)
  if (known) return known
  const random = randomOf(market.seed, 'sent')
  const { content: all } = market.amounts
  const [photos, videos, socials] = [PHOTOS, VIDEOS, SOCIALS].map((share) => Math.round(all * share)) as [number, number, number]
  const held = market.plans.filter((plan) => WITH_RESULTS.has(plan.status))
  const of = (type: ActivityPlan['type'], share: number) => {
    const all = held.flatMap((plan) =>
      plan.activities.filter((activity) => activity.type === type).map((activity) => ({ plan, activity })),
    )
    return all.slice(0, Math.max(Math.min(1, all.length), Math.round(all.length * share)))
  }
  const photo = of('photo', PHOTO_ACTIVITIES)
  const video = of('video', VIDEO_ACTIVITIES)
  const social = of('social', 1)
  const sent = new Map<ActivityPlan, SentPlan>()
  const add = (what: 'photos' | 'videos' | 'comments' | 'socials', total: number, where: typeof photo, large = false) => {
    if (!where.length) return
    const most = large && where.length > 1 ? Math.round(total * LARGEST) : 0
    const weights = where.map((_, at) => (large && at === 0 && most ? 0 : Math.exp(0.7 * random.normal())))
    const parts = shareOut(total - most, weights)
    for (const [at, { activity }] of where.entries()) {
      const now = sent.get(activity) ?? { activity, first: 0, photos: 0, videos: 0, comments: 0, socials: 0 }
      now[what] += parts[at]! + (at === 0 ? most : 0)
      sent.set(activity, now)
    }
  }
  add('photos', photos, photo, true)
  add('videos', videos, video)
  add('socials', socials, social)
  add('comments', all - photos - videos - socials, [...photo, ...video, ...social])
  let next = market.amounts.first.content
  const made = new Map<number, SentPlan[]>()
  for (const plan of held) {
    for (const activity of plan.activities) {
      const one = sent.get(activity)
      if (!one) continue
      one.first = next
      next += one.photos + one.videos + one.comments + one.socials
      made.set(plan.id, [...(made.get(plan.id) ?? []), one])
    }
  }
  plans.set(market, made)
  return made
}

/** How many items a project's participants sent. */
export const sentBy = (market: Market, plan: Pick<ProjectPlan, 'id'>): number =>
  (sentOf(market).get(plan.id) ?? []).reduce((sum, one) => sum + one.photos + one.videos + one.comments + one.socials, 0)
