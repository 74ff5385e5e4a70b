import { describe, expect, it } from 'vitest'
import { addDays, pacingOf } from '../../contract/pacing.ts'
import { calendarOf, fieldClock } from '../../server/demo/calendar.ts'
import { crowdOf, SHARES } from '../../server/demo/demography.ts'
import { amountsOf } from '../../server/demo/demoNouns.ts'
import { piecesOf, surveyQuestions } from '../../server/demo/field.ts'
import { planProjects } from '../../server/demo/plan.ts'
import { normalQuantile, randomOf, shareOut } from '../../server/demo/random.ts'
import type { DemoSize } from '../../server/domain/demoState.ts'
import { checkRows } from './rows.ts'

const TODAY = '2026-05-14'
const planned = (size: DemoSize) => planProjects('fieldwork', amountsOf(size), TODAY)
const share = <T>(list: readonly T[], is: (one: T) => boolean) => (100 * list.filter(is).length) / list.length

describe('a reproducible source of randomness', () => {
  it('draws the same for the same name, and differently for another', () => {
    const draw = (name: string) => Array.from({ length: 5 }, randomOf('seed', name).next)
    expect(draw('a')).toEqual(draw('a'))
    expect(draw('a')).not.toEqual(draw('b'))
  })
  it('shares out exactly', () => expect(shareOut(10, [1, 1, 1])).toEqual([4, 3, 3]))
  it('knows the normal quantiles', () => expect(normalQuantile(0.9)).toBeCloseTo(1.28155, 4))
})

describe.each(['demo', 'mid'] as const)('the plan of size %s (decisions.md 12)', (size) => {
  const plans = planned(size)
  const amounts = amountsOf(size)
  it('has as many projects, activities and reward entries as decided', () => {
    expect(plans).toHaveLength(amounts.project)
    expect(plans.flatMap((plan) => plan.activities)).toHaveLength(amounts.activity)
    expect(plans.reduce((sum, plan) => sum + plan.entries, 0)).toBe(amounts.entry)
  })
  it('comes within 2 % of the completes and 5 % of the sessions', () => {
    expect(plans.reduce((sum, plan) => sum + plan.delivered, 0) / amounts.completes).toBeCloseTo(1, 1)
    const sessions = plans.flatMap((plan) => plan.activities).reduce((sum, one) => sum + (one.survey?.sessions ?? 0), 0)
    expect(Math.abs((sessions * 0.3) / amounts.completes - 1)).toBeLessThan(0.05)
  })
  it('has the shares of statuses', () => {
    expect(share(plans, (plan) => plan.status === 'completed' || plan.status === 'reporting')).toBeCloseTo(62, 0)
    expect(Math.abs(share(plans, (plan) => plan.status === 'active') - 12)).toBeLessThan(1)
    expect(Math.abs(share(plans, (plan) => plan.status === 'rejected') - 7)).toBeLessThan(1)
  })
  it('makes 30 % of the older generation and gives a quarter of the parents two to six children', () => {
    expect(share(plans, (plan) => plan.generation === 'campaign')).toBeCloseTo(30, 0)
    const tops = plans.filter((plan) => plan.parent === null)
    expect(Math.abs(share(tops, (plan) => plan.hasChildren) - 25)).toBeLessThan(2)
    for (const top of tops.filter((plan) => plan.hasChildren)) {
      const children = plans.filter((plan) => plan.parent === top.id)
      expect(children.length).toBeGreaterThanOrEqual(2)
      expect(children.length).toBeLessThanOrEqual(6)
      for (const child of children) {
        expect(child.start >= top.start && child.end <= top.end && child.client === top.client).toBe(true)
        expect(child.generation).toBe(top.generation)
      }
    }
  })
  it('has active projects in the field today, red, orange and green as decided', () => {
    const active = plans.filter((plan) => plan.status === 'active')
    const colors = active.map((plan) => pacingOf({ ...plan, delivered: plan.delivered }, TODAY).color)
    expect(active.every((plan) => plan.start <= TODAY && plan.end >= TODAY)).toBe(true)
    expect(Math.abs(share(colors, (color) => color === 'Red') - 7)).toBeLessThan(4)
    expect(Math.abs(share(colors, (color) => color === 'Orange') - 18)).toBeLessThan(4)
    expect(active.some((plan) => pacingOf(plan, TODAY).pacing > 100)).toBe(true)
  })
  it('delivers a median of about 300 and a 90th percentile of about 1,000', () => {
    const done = plans
      .filter((plan) => plan.status === 'completed' || plan.status === 'reporting')
      .map((plan) => plan.delivered)
      .sort((a, b) => a - b)
    expect(Math.abs(done[done.length >> 1]! - 300)).toBeLessThan(60)
    expect(Math.abs(done[Math.floor(done.length * 0.9)]! - 1000)).toBeLessThan(200)
    expect(done[0]).toBeGreaterThanOrEqual(20)
    expect(done.at(-1)).toBeLessThanOrEqual(20_000)
  })
  it('asks a median of 18 questions, with separate ids for each survey', () => {
    const surveys = plans.flatMap((plan) => plan.activities.flatMap((one) => one.survey ?? []))
    const counts = surveys.map((survey) => survey.questions).sort((a, b) => a - b)
    expect(Math.abs(counts[counts.length >> 1]! - 18)).toBeLessThanOrEqual(1)
    surveys.sort((a, b) => a.firstQuestion - b.firstQuestion)
    for (const [at, survey] of surveys.entries())
      if (at) expect(survey.firstQuestion).toBeGreaterThanOrEqual(surveys[at - 1]!.firstQuestion + surveys[at - 1]!.questions)
    const trackers = surveys.filter((survey) => survey.questions === 60)
    expect(trackers.map(({ completes }) => completes)).toEqual(amounts.tracker ? [amounts.tracker] : [])
    for (const plan of plans)
      for (const { survey } of plan.activities)
        if (survey && (survey.questions === 60 || survey.id % 50 === 0)) {
          const asked = surveyQuestions('fieldwork', plan, survey, 'Juniper')
          expect(asked).toHaveLength(survey.questions)
          expect(new Set(asked.map(({ name }) => name)).size).toBe(survey.questions)
          expect(asked.at(-1)!.answer).toBe('open')
        }
  })
  it('gives the first client a good dozen projects', () => {
    const mine = plans.filter((plan) => plan.client === 0)
    expect(mine.length).toBeGreaterThanOrEqual(13)
    expect(mine.length).toBeLessThanOrEqual(22)
  })
  it('ingests every survey completely, piece by piece', () => {
    for (const survey of plans.flatMap((plan) => plan.activities.flatMap((one) => one.survey ?? []))) {
      const pieces = piecesOf(survey)
      expect(pieces.reduce((sum, piece) => sum + piece.completes, 0)).toBe(survey.completes)
      expect(pieces.reduce((sum, piece) => sum + piece.sessions, 0)).toBe(survey.sessions)
      expect(pieces.every((piece) => piece.completes <= piece.sessions && piece.sessions <= 10_000)).toBe(true)
    }
  })
})

describe('the quote flow of the demo marketplace', () => {
  const days = Array.from({ length: 45 }, (_, nth) => addDays(TODAY, nth * 8 + 1))
  it('has projects in every step, three quotes of them the demo client’s, on any day', () => {
    checkRows(days, (today) => {
      const plans = planProjects('fieldwork', amountsOf('demo'), today)
      const count = (is: (plan: (typeof plans)[number]) => boolean) => plans.filter(is).length
      const statuses = ['requirements', 'pricing', 'submit_approval', 'approved', 'rejected'] as const
      expect(statuses.map((status) => count((plan) => plan.status === status))).toEqual([9, 9, 7, 7, 13])
      expect(count((plan) => plan.status === 'submit_approval' && plan.client === 0)).toBe(3)
      expect(count((plan) => plan.status === 'pricing' && plan.scene === 'second')).toBe(1)
      // Ids follow the day of the request, even where a scene moved it.
      expect(plans.every((plan, at) => !at || plan.created >= plans[at - 1]!.created)).toBe(true)
    })
  })
})

describe('people', () => {
  it('come in the decided shares, income and marital status following age', () => {
    const people = Array.from({ length: 60 }, (_, at) => {
      const crowd = crowdOf(randomOf('crowd', at), { ages: [], genders: [] })
      const random = randomOf('people', at)
      return Array.from({ length: 1000 }, () => crowd(random))
    }).flat()
    const near = (is: (person: (typeof people)[number]) => boolean, wanted: number) =>
      expect(Math.abs(share(people, is) - wanted)).toBeLessThan(1.6)
    for (const [at, wanted] of SHARES.age.entries()) near((person) => person.age === at + 2, wanted)
    for (const [at, wanted] of SHARES.hhi.entries()) near((person) => person.hhi === at, wanted)
    for (const [at, wanted] of SHARES.children.entries()) near((person) => person.children === at, wanted)
    near((person) => person.marital_status === 'married', 50)
    near((person) => person.ethnicity === 'hispanic', 20)
    const young = people.filter((person) => person.age === 2)
    expect(share(young, (person) => person.marital_status === 'single')).toBeGreaterThan(70)
    expect(share(young, (person) => person.hhi >= 5)).toBeLessThan(25)
  })
})

describe('the field clock', () => {
  const now = new Date('2026-05-14T18:20:00Z')
  const calendar = calendarOf(now, TODAY, 'America/New_York')
  const moments = (start: string, days: number) => {
    const clock = fieldClock(calendar, start, days)
    const random = randomOf('clock', start, days)
    return Array.from({ length: 20_000 }, () => clock(random))
  }
  it('brings a third in the first fifth, fewer at weekends, most in the evening', () => {
    const all = moments('2026-02-02', 70)
    const day = (ms: number) => (ms - calendar.at('2026-02-02', 0)) / 86_400_000
    expect(share(all, (ms) => day(ms) < 14)).toBeCloseTo(33.3, -0.5)
    const local = (ms: number) => new Date(ms - 5 * 3_600_000)
    expect(share(all, (ms) => local(ms).getUTCDay() % 6 === 0)).toBeLessThan(24)
    expect(share(all, (ms) => local(ms).getUTCHours() >= 18 && local(ms).getUTCHours() < 23)).toBeGreaterThan(33)
  })
  it('never goes beyond now, or before the start in the display zone', () => {
    const all = moments('2026-05-10', 21)
    expect(Math.max(...all)).toBeLessThan(now.getTime())
    expect(Math.min(...all)).toBeGreaterThanOrEqual(Date.parse('2026-05-10T04:00:00Z'))
  })
  it('handles both sides of a clock change', () => {
    expect(calendar.at('2026-03-08', 0)).toBe(Date.parse('2026-03-08T05:00:00Z'))
    expect(calendar.at('2026-03-08', 20)).toBe(Date.parse('2026-03-09T00:00:00Z'))
  })
})
