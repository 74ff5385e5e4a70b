import type { Insertable } from 'kysely'
import { addDays } from '../../contract/pacing.ts'
import type { Status } from '../../contract/status.ts'
import type { HistoryTable, NoteTable, ProfferTable, ProjectPartnerTable } from '../db/schema.ts'
import type { Calendar } from './calendar.ts'
import { type ProjectPlan, reached } from './plan.ts'
import { type Random, randomOf } from './random.ts'
import { NOTES, REASONS } from './words.ts'

/** What a project's quote flow left behind. */
export interface Story {
  /** The last change of the project itself. */
  updated_at: string
  lock_version: number
  cost_cents: number | null
  quote_round: number
  quote_valid_until: string | null
  went_live_at: string | null
  history: Insertable<HistoryTable>[]
  notes: Insertable<NoteTable>[]
  invited: Insertable<ProjectPartnerTable>[]
  proffers: Insertable<ProfferTable>[]
}
export interface Cast {
  requester: number
  requesterIsClient: boolean
  admin: number
  partners: readonly { id: number; name: string }[]
}

type Step = {
  by: 'client' | 'event' | 'channel_partner'
  actor: number | null
  action: string
  partner?: number
  before?: object
  after: object
  reason?: string
}

/** A project's story from its request to today: invited partners, answers, rounds, the cost, status changes. */
export function storyOf(seed: string, plan: ProjectPlan, cast: Cast, calendar: Calendar): Story {
  const random = randomOf(seed, 'story', plan.id)
  const created = Date.parse(calendar.office(random, plan.created))
  const quoted = reached(plan, 'submit_approval') || (plan.status === 'rejected' && random.chance(0.5))
  const rounds = (quoted || plan.status === 'pricing') && random.chance(0.15) ? 2 : 1
  const invites = quoted || plan.status === 'pricing'
  const before: Step[] = [
    {
      by: cast.requesterIsClient ? 'client' : 'event',
      actor: cast.requester,
      action: 'project.create',
      after: { name: plan.name, status: 'requirements', ordered: plan.ordered },
    },
  ]
  const story: Story = {
    updated_at: '',
    lock_version: 1,
    cost_cents: null,
    quote_round: rounds,
    quote_valid_until: null,
    went_live_at: null,
    history: [],
    notes: [],
    invited: [],
    proffers: [],
  }
  const move = (from: Status, to: Status) => ({ before: { status: from }, after: { status: to } })
  const admin = (action: string, rest: Omit<Step, 'by' | 'actor' | 'action'>): Step => ({
    by: 'event',
    actor: cast.admin,
    action,
    ...rest,
  })
  const client = (action: string, rest: Omit<Step, 'by' | 'actor' | 'action'>): Step => ({
    by: cast.requesterIsClient ? 'client' : 'event',
    actor: cast.requester,
    action,
    ...rest,
  })
  // Steps before the field time get their moments below, so proffers remember their step.
  const stepOf: { row: { created_at?: string; assigned_at?: string; mailed_at?: string | null }; step: number }[] = []
  const remember = (row: { created_at?: string; assigned_at?: string }) => stepOf.push({ row, step: before.length - 1 })

  if (invites) {
    const partners = random.some(cast.partners, 3)
    for (let round = 1; round <= rounds; round++) {
      for (const [nth, partner] of partners.entries()) {
        before.push(admin('project.assignPartner', { partner: partner.id, after: { partner: partner.name } }))
        const row: Insertable<ProjectPartnerTable> = {
          project_id: plan.id,
          partner_id: partner.id,
          round,
          assigned_at: '',
          mailed_at: null,
        }
        story.invited.push(row)
        remember(row)
        if (nth === 0 && round === 1) before.push(admin('project.assignPartner', move('requirements', 'pricing')))
      }
      const answering = plan.status === 'pricing' && round === rounds ? random.int(0, 2) : 2
      for (const partner of random.some(partners, answering)) {
        const row = profferOf(random, plan, partner.id, round)
        before.push({
          by: 'channel_partner',
          actor: null,
          action: 'proffer.create',
          partner: partner.id,
          after: { fill_requirements: row.fill_requirements, feasible_completes: row.feasible_completes },
        })
        story.proffers.push(row)
        remember(row)
      }
      if (!quoted && round === rounds) break
      const prices = story.proffers.filter((row) => row.round === round && row.cpi_cents).map((row) => row.cpi_cents!)
      const cost = Math.max(500_00, Math.round((plan.ordered * (Math.min(...prices, 4500) * 1.35)) / 50_00) * 50_00)
      before.push(
        admin('project.setCost', {
          before: { cost_cents: story.cost_cents, status: 'pricing' },
          after: { cost_cents: cost, status: 'submit_approval' },
        }),
      )
      story.cost_cents = cost
      before.push(admin('project.notifyCost', { after: { cost_notification: 1 } }))
      if (round < rounds) {
        before.push(client('project.reject', { ...move('submit_approval', 'pricing'), reason: random.pick(REASONS.quote) }))
        story.cost_cents = null
      }
    }
  }
  if (reached(plan, 'approved'))
    before.push(
      client('project.approve', {
        ...move('submit_approval', 'approved'),
        reason: cast.requesterIsClient ? '' : 'Approved by phone.',
      }),
    )
  if (plan.status === 'rejected')
    before.push(
      client('project.reject', {
        ...move(quoted ? 'submit_approval' : invites ? 'pricing' : 'requirements', 'rejected'),
        reason: random.pick(REASONS.rejected),
      }),
    )

  const now = calendar.now.getTime() - 60_000
  const until = reached(plan, 'active')
    ? Math.min(now, calendar.at(plan.start, 8))
    : Math.min(now, created + Math.max(3, 18 * random.next()) * 86_400_000)
  // Partners take their time; one person's consecutive steps take minutes.
  const waits = before.map((step, at) =>
    at === 0 ? 0 : step.by === 'event' && before[at - 1]!.by === 'event' ? 0.01 + 0.02 * random.next() : 0.4 + random.next(),
  )
  const whole = waits.reduce((sum, wait) => sum + wait, 0) + 0.5
  let waited = 0
  const moments = waits.map((wait) => {
    waited += wait
    return new Date(Math.floor(created + ((until - created) * waited) / whole)).toISOString()
  })
  const momentOf = (step: number) => moments[step]!
  for (const { row, step } of stepOf) {
    if ('assigned_at' in row) {
      row.assigned_at = momentOf(step)
      row.mailed_at = row.assigned_at
    } else row.created_at = momentOf(step)
  }
  const write = (step: Step, at: string) => {
    story.history.push({
      subject: 'project',
      subject_id: plan.id,
      project_id: plan.id,
      action: step.action,
      origin: step.by,
      actor_id: step.actor,
      admin_id: null,
      partner_id: step.partner ?? null,
      before: JSON.stringify(step.before ?? {}),
      after: JSON.stringify(step.after),
      reason: step.reason ?? '',
      at,
    })
    story.updated_at = at
    if (step.before) story.lock_version++
  }
  for (const [at, step] of before.entries()) write(step, momentOf(at))
  if (reached(plan, 'submit_approval'))
    story.quote_valid_until =
      plan.status === 'submit_approval'
        ? addDays(calendar.today, plan.client !== 0 && random.chance(0.12) ? -2 : random.int(4, 25))
        : addDays(plan.created, 40)
  if (reached(plan, 'active')) {
    story.went_live_at = new Date(until).toISOString()
    write(admin('project.goLive', move('approved', 'active')), story.went_live_at)
    const after = (day: string) =>
      new Date(Math.min(now, Math.max(calendar.at(day, 9) + random.int(0, 6) * 3_600_000, until + 3_600_000))).toISOString()
    if (plan.status === 'paused')
      write(
        admin('project.pause', { ...move('active', 'paused'), reason: random.pick(REASONS.paused) }),
        after(addDays(calendar.today, -1)),
      )
    if (plan.status === 'completed' || plan.status === 'reporting')
      write(admin('project.complete', move('active', 'completed')), after(addDays(plan.end, 1)))
    if (plan.status === 'reporting')
      write(admin('project.setStatus', move('completed', 'reporting')), after(addDays(plan.end, 3)))
  }
  story.notes = notesOf(random, plan, cast, created, Date.parse(story.updated_at), calendar)
  return story
}

function profferOf(random: Random, plan: ProjectPlan, partner_id: number, round: number): Insertable<ProfferTable> {
  const can = random.chance(0.9)
  const base = { project_id: plan.id, partner_id, round, created_at: '' }
  if (!can)
    return {
      ...base,
      fill_requirements: 'No',
      reason: random.pick(REASONS.cannot),
      feasible_completes: null,
      cpi_cents: null,
      incidence: null,
      loi_minutes: null,
      field_days: null,
      valid_until: null,
    }
  return {
    ...base,
    fill_requirements: 'Yes',
    reason: '',
    feasible_completes: Math.round(plan.ordered * (0.7 + 0.5 * random.next())),
    cpi_cents: Math.max(100, Math.round(random.logNormal(600, 1400) / 5) * 5),
    incidence: Math.min(95, Math.max(4, Math.round(45 + 19 * random.normal()))),
    loi_minutes: Math.min(45, Math.max(3, Math.round(random.logNormal(12.3, 21)))),
    field_days: random.int(4, 21),
    valid_until: addDays(plan.created, 30),
  }
}

function notesOf(
  random: Random,
  plan: ProjectPlan,
  cast: Cast,
  from: number,
  to: number,
  calendar: Calendar,
): Insertable<NoteTable>[] {
  const count = random.weigh([3, 3, 2, 2, 1, 1, 0.5, 0.5])
  const moments = Array.from(
    { length: count },
    () => from + random.next() * (Math.min(to + 86_400_000, calendar.now.getTime() - 60_000) - from),
  ).sort((a, b) => a - b)
  return random.some(NOTES, count).map((text, nth) => {
    const at = new Date(Math.floor(moments[nth]!)).toISOString()
    const note = text
      .replace('{partner}', random.pick(cast.partners).name)
      .replace('{product}', plan.product)
      .replace('{date}', at.slice(0, 10))
    return { project_id: plan.id, note, author_id: cast.admin, created_at: at, updated_at: at, lock_version: 1 }
  })
}
