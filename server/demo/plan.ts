import { daysBetween, expectedToDate } from '../../contract/pacing.ts'
import type { Status } from '../../contract/status.ts'
import { type Amounts, idsFrom } from './demoNoun.ts'
import { type Family, familiesOf, WITH_RESULTS } from './families.ts'
import { questionCount } from './questions.ts'
import { normalQuantile, type Random, randomOf, shareOut } from './random.ts'

type ActivityType = 'survey' | 'social' | 'video' | 'photo'
export interface SurveyPlan {
  id: number
  questions: number
  /** How many questions were drawn; a tracker has more. */
  drawn: number
  firstQuestion: number
  /** Its completes, and all its sessions. */
  completes: number
  sessions: number
}
export interface ActivityPlan {
  id: number
  type: ActivityType
  survey: SurveyPlan | null
}
/** A project as planned, before any row is written. */
export interface ProjectPlan extends Family {
  id: number
  parent: number | null
  ordered: number
  delivered: number
  activities: ActivityPlan[]
  entries: number
  firstEntry: number
}

/** Plans every project: its client, dates, progress and parts; deterministic for a seed and day. */
export function planProjects(seed: string, amounts: Amounts, today: string): ProjectPlan[] {
  const random = randomOf(seed, 'plan')
  const families = familiesOf(random, amounts, today)
  // Ids follow the day of the request, and a child never precedes its parent.
  const order = families
    .map((family, at) => ({ family, at }))
    .sort((a, b) => (a.family.created < b.family.created ? -1 : a.family.created > b.family.created ? 1 : a.at - b.at))
  const idAt = new Map(order.map(({ at }, rank) => [at, amounts.first.project + rank]))
  const plans = order.map(
    ({ family, at }): ProjectPlan => ({
      ...family,
      id: idAt.get(at)!,
      parent: family.parentAt === null ? null : idAt.get(family.parentAt)!,
      ordered: 0,
      delivered: 0,
      activities: [],
      entries: 0,
      firstEntry: 0,
    }),
  )
  deliver(random, plans, amounts, today)
  addActivities(random, plans, amounts)
  const parts = shareOut(
    amounts.entry,
    plans.map((plan) => plan.delivered),
  )
  let entry = amounts.first.entry
  for (const [at, plan] of plans.entries()) {
    plan.entries = parts[at]!
    plan.firstEntry = entry
    entry += plan.entries
  }
  lengthenTracker(plans, amounts)
  return plans
}

/** Questions of the tracker, the longest survey of the demo. */
const TRACKER_QUESTIONS = 60

/** Turns the project with the most completes into a tracker; the ids of added questions follow all others. */
function lengthenTracker(plans: readonly ProjectPlan[], { tracker }: Amounts): void {
  const lone = plans.filter(
    ({ activities, delivered }) => delivered > 0 && activities.filter(({ survey }) => survey).length === 1,
  )
  const plan = lone.reduce<ProjectPlan | null>((most, one) => (one.delivered > (most?.delivered ?? 0) ? one : most), null)
  const survey = plan?.activities.find((activity) => activity.survey)?.survey
  if (!plan || !survey || !tracker) return
  const times = tracker / plan.delivered
  plan.ordered = orderable(plan.ordered * times)
  plan.delivered = tracker
  survey.sessions = Math.round(survey.sessions * times)
  survey.completes = tracker
  survey.questions = TRACKER_QUESTIONS
  const surveys = plans.flatMap(({ activities }) => activities.flatMap((activity) => activity.survey ?? []))
  survey.firstQuestion = Math.max(...surveys.map(({ firstQuestion, questions }) => firstQuestion + questions + 3))
}

/** Rounds a quantity as people do when they order. */
export function orderable(quantity: number): number {
  const step = quantity < 60 ? 5 : quantity < 200 ? 10 : quantity < 500 ? 25 : quantity < 2000 ? 50 : 250
  return Math.max(step, Math.round(quantity / step) * step)
}

function deliver(random: Random, plans: ProjectPlan[], amounts: Amounts, today: string): void {
  const { median, p90, low, high } = amounts.perProject
  const sigma = Math.log(p90 / median) / 1.2816
  const held = random.shuffle(plans.filter((plan) => WITH_RESULTS.has(plan.status)))
  const quantity = (at: number) =>
    Math.min(high, Math.max(low, median * Math.exp(sigma * normalQuantile((at + 0.5) / held.length))))
  const active = held.filter((plan) => plan.status === 'active')
  const paces = shareOut(active.length, [7, 18, 75]).flatMap((count, tone) =>
    Array.from({ length: count }, () => targetPace(random, tone)),
  )
  for (const [at, plan] of held.entries()) {
    const wanted = quantity(at)
    const spread = random.next()
    if (plan.status === 'active') {
      plan.ordered = orderable(wanted)
      plan.delivered = Math.max(1, Math.round((paces.pop()! / 100) * expectedToDate(plan.ordered, plan.start, plan.end, today)))
    } else if (plan.status === 'paused') {
      plan.ordered = orderable(wanted)
      plan.delivered = Math.round(plan.ordered * (0.2 + 0.5 * spread))
    } else {
      const ratio =
        spread < 0.86 ? 1 + 0.04 * random.next() : spread < 0.97 ? 0.8 + 0.18 * random.next() : 0.5 + 0.3 * random.next()
      plan.ordered = orderable(wanted / ratio)
      plan.delivered = Math.round(wanted)
    }
  }
  // Completed projects absorb the difference to decisions.md 12's total, each within a few percent.
  const finished = held.filter((plan) => plan.status === 'completed' || plan.status === 'reporting')
  const sumOf = (list: ProjectPlan[]) => list.reduce((sum, plan) => sum + plan.delivered, 0)
  const missing = amounts.completes - sumOf(held)
  const factor = Math.min(1.2, Math.max(0.8, 1 + missing / Math.max(1, sumOf(finished))))
  for (const plan of finished) {
    const ratio = plan.delivered / plan.ordered
    plan.delivered = Math.min(high, Math.max(low, Math.round(plan.delivered * factor)))
    plan.ordered = orderable(plan.delivered / ratio)
  }
  for (const plan of plans) if (!plan.ordered) plan.ordered = orderable(random.logNormal(median, p90))
}

function targetPace(random: Random, tone: number): number {
  if (tone === 0) return 10 + 17 * random.next()
  if (tone === 1) return 34 + 33 * random.next()
  return Math.min(138, Math.max(73, 97 + 16 * random.normal()))
}

/** Every project has a survey; other activities are dealt at random: survey 65 %, photo 15, video 8, social 12. */
function addActivities(random: Random, plans: ProjectPlan[], amounts: Amounts): void {
  const counts = shareOut(amounts.activity, [65, 15, 8, 12])
  const extra: ActivityType[] = (['survey', 'photo', 'video', 'social'] as const).flatMap((type, at) =>
    Array<ActivityType>(Math.max(0, counts[at]! - (at ? 0 : plans.length))).fill(type),
  )
  const more = new Map<number, ActivityType[]>()
  for (const type of random.shuffle(extra)) {
    const plan = random.pick(plans)
    const list = more.get(plan.id)
    if (list) list.push(type)
    else more.set(plan.id, [type])
  }
  const [activity, survey] = [idsFrom(amounts.first.activity), idsFrom(amounts.first.survey)]
  let question = amounts.first.question
  for (const plan of plans) {
    for (const type of ['survey', ...(more.get(plan.id) ?? [])] as const) {
      const planned: ActivityPlan = { id: activity(), type, survey: null }
      if (type === 'survey') {
        const questions = questionCount(random)
        planned.survey = { id: survey(), questions, drawn: questions, firstQuestion: question, completes: 0, sessions: 0 }
        question += questions + 3
      }
      plan.activities.push(planned)
    }
    const surveys = plan.activities.flatMap((one) => one.survey ?? [])
    const completes = shareOut(
      plan.delivered,
      surveys.map((_, at) => (at ? 0.35 : 1)),
    )
    // About 30 % of a project's sessions are completes.
    const rate = 0.3 * (0.9 + 0.2 * random.next())
    for (const [at, one] of surveys.entries()) {
      one.completes = completes[at]!
      one.sessions = Math.round(one.completes / rate)
    }
  }
}

/** The length of the field period in days. */
export const fieldDays = (plan: Pick<ProjectPlan, 'start' | 'end'>): number => daysBetween(plan.start, plan.end) + 1
/** True if a project has reached a step of the quote flow. */
export const reached = (plan: ProjectPlan, step: Status): boolean => {
  const order: Status[] = ['requirements', 'pricing', 'submit_approval', 'approved', 'active', 'paused', 'completed', 'reporting']
  return order.indexOf(plan.status) >= order.indexOf(step)
}
