import { termsInWords } from '../domain/quote/requestTerms.ts'
import { surveyQuestions } from './field.ts'
import type { Market } from './market.ts'
import { type ActivityPlan, type ProjectPlan, reached } from './plan.ts'
import { type DemoQuestion, extraQuestions } from './questions.ts'
import { randomOf } from './random.ts'
import type { Cast } from './rounds.ts'
import { type Story, storyOf } from './story.ts'
import { type Audience, targetRow } from './targets.ts'

/** An activity, ready to be written. */
export interface ActivityDraft extends ActivityPlan {
  audience: Audience
  /** The location group its targets use, or null. */
  group: number | null
  /** The network of a social activity; empty for others. */
  social: string
  questions: DemoQuestion[]
}
/** The input of a project's rows: its plan, people and story, and the drafts of its activities. */
export interface ProjectDraft {
  plan: ProjectPlan
  cast: Cast
  story: Story
  /** The moment of its request, ISO. */
  created: string
  /** Whether its links are known: once approved, and for some projects earlier. */
  linked: boolean
  expected: Expected
  activities: ActivityDraft[]
}

/** The client's expectations, as columns. */
interface Expected {
  expected_loi_minutes: number | null
  expected_incidence: number | null
}

/** In three projects of five, the client knows the interview length and the incidence. */
function expectedOf(seed: string, plan: ProjectPlan): Expected {
  if (plan.id % 5 > 2) return { expected_loi_minutes: null, expected_incidence: null }
  const random = randomOf(seed, 'expected', plan.id)
  return { expected_loi_minutes: random.pick([5, 8, 10, 12, 12, 15, 20]), expected_incidence: 5 * random.int(3, 16) }
}

/** Drafts a project; deterministic for a market and plan. */
export function draftOf(market: Market, plan: ProjectPlan): ProjectDraft {
  const cast = market.castOf(plan)
  const [survey] = plan.activities
  const target = targetRow(survey!, market.audienceOf(plan, survey!), market.calendar.today)
  const expected = expectedOf(market.seed, plan)
  const terms = termsInWords(
    { ...plan, ...expected, campaign_type: plan.content ? 'Content' : 'Survey', start_dt: plan.start, end_dt: plan.end },
    target,
  )
  const story = storyOf(market.seed, plan, cast, market.calendar, terms)
  const random = randomOf(market.seed, 'rows', plan.id)
  const linked = reached(plan, 'approved') || random.chance(0.5)
  const activities = plan.activities.map((activity): ActivityDraft => {
    const audience = market.audienceOf(plan, activity)
    const social = activity.type === 'social' ? random.pick(['facebook', 'twitter_follow', 'twitter_tweet']) : ''
    const extra = activity.survey && random.chance(0.3) ? extraQuestions() : []
    const questions = activity.survey ? surveyQuestions(market.seed, plan, activity.survey, market.brandOf(plan)) : []
    const group = audience.group === null ? null : market.places.groupsOf[plan.client]![audience.group]!.id
    return { ...activity, audience, group, social, questions: [...questions, ...extra] }
  })
  return { plan, cast, story, expected, created: story.history[0]!.at, linked, activities }
}
