import { allowedActions } from '../../../contract/access.ts'
import type { Actor } from '../../../contract/actor.ts'
import type { Output } from '../../../contract/calls.ts'
import { omit } from '../../../contract/fieldKinds.ts'
import { addDays, civilToday, pacingOf } from '../../../contract/pacing.ts'
import { openTransitions, type ProjectFacts } from '../../../contract/projectAccess.ts'
import { rowFields } from '../../../contract/projectFields.ts'
import { rewardFields } from '../../../contract/rewardFields.ts'
import { SPELLING, type Status } from '../../../contract/status.ts'
import { blanksOf } from './blanks.ts'
import { type FakeContent, SENT } from './content.ts'
import { type FakePlace, newPlaces } from './places.ts'
import { newQuestions, type StoredQuestion } from './questions.ts'
import type { Invite } from './quote.ts'
import { type FakeReports, newReports } from './reports.ts'
import { type FakeSurvey, fakeSurvey } from './responses.ts'
import { type FakeTeam, newTeams, teamsOf } from './teams.ts'
import { type FakeBrand, newBrands, newFilters } from './visits.ts'

export type Me = Output<'session.validate'>['data']
export type ProjectRow = Output<'project.list'>['data'][number]
type Note = Pick<Output<'note.get'>['data'], 'id' | 'project_id' | 'note' | 'created_at' | 'lock_version'>

/** A stored project; the other values of its rows are computed from it. */
export interface Project {
  id: number
  name: string
  description: string
  status: Status
  client_id: number
  ordered: number
  delivered: number
  cost_cents: number | null
  quote_valid_until: string | null
  partners: number[]
  pending_rewards: number
  lock_version: number
}
interface Named {
  id: number
  name: string
  lock_version: number
}
export interface Person {
  id: number
  first_name: string
  last_name: string
  role: 'admin' | 'client'
  client_id: number | null
}
export interface Reward {
  id: number
  project_id: number
  email: string
  /** Pending without one. */
  status?: 'rejected'
}

/** A reward that a project pays with. */
export interface CatalogueReward {
  id: number
  project_id: number
  name: string
  lock_version: number
}

/** The data behind the fake api, plain so that an undo can go back to a copy of it. */
export interface Marketplace {
  me: Me
  projects: Project[]
  /** Figures in a project's Overview besides its order; initially there are no responses. */
  figures: Record<number, Partial<Output<'runtime.overview'>['data']>>
  clients: Named[]
  partners: Named[]
  people: Person[]
  notes: Note[]
  rewards: Reward[]
  /** What projects pay with; initially nothing. */
  catalogue: CatalogueReward[]
  invites: Invite[]
  /** Surveys with their answers; a project has the one that names it, or else the first. */
  surveys: FakeSurvey[]
  content: FakeContent
  /** The questionnaire of survey 71. */
  questions: StoredQuestion[]
  reports: FakeReports
  places: FakePlace[]
  teams: FakeTeam[]
  brands: FakeBrand[]
  /** The client users with access to each service. */
  givenServices: Record<number, number[]>
  /** Visits added since the test started. */
  moreVisits: number
  /** When the user requested access to visitation. */
  askedForVisits: string | null
  /** The user's saved filters of visits. */
  visitFilters: Output<'filter.list'>['data']
  /** The promotion of every activity. */
  promo: Output<'promo.get'>['data']
  /** The inbox of the signed-in user. */
  notices: Output<'notice.list'>['data']
  /** Partners that can't be mailed. */
  without_email: number[]
  /** The number of the last write that can be undone. */
  last_undo: number | null
  /** The highest id in use. */
  last: number
}

const noticeRow = (id: number, name: string, message_action: 'map' | 'web', url = '') => ({
  ...{ id, name, message: `${name}: the latest news.`, message_action, url },
  ...{ status: 'unread' as const, read_at: null, created_at: `2026-01-05T09:00:0${id % 10}.000Z` },
  ...{ allowed_actions: ['notice.open', 'notice.read', 'notice.toggleRead'], refused_actions: {} },
})

const ZONE = 'America/New_York'
const LONG_AGO = '2026-01-05T09:00:00.000Z'
export const today = (): string => civilToday(ZONE, new Date())

const STEPS: readonly Status[] = ['active', 'approved', 'requirements', 'paused', 'completed', 'submit_approval']
const BRANDS = ['Alder', 'Birch', 'Cedar', 'Maple', 'Hazel', 'Linden', 'Larch', 'Rowan', 'Walnut', 'Juniper']
const STUDIES = ['snack tracker', 'brand lift', 'shelf test']
const PEOPLE = ['Sara Miller', 'Ana Alvarez', 'Tom Bright', 'Adam Clarke', 'Mia Lang', 'Paul Abbott']

/** Thirty projects in all steps, eight clients, five partners and six people, as an admin or client user sees them. */
export function newMarketplace(role: Me['role'] = 'admin'): Marketplace {
  const people = PEOPLE.map((name, at): Person => {
    const [first_name = '', last_name = ''] = name.split(' ')
    return { id: at + 1, first_name, last_name, role: at ? 'client' : 'admin', client_id: at ? 101 + (at % 5) : null }
  })
  const projects = Array.from({ length: 30 }, (_, at): Project => {
    const status = STEPS[at % STEPS.length]!
    const early = status === 'requirements'
    return {
      id: 530 - at,
      name: `${BRANDS[at % BRANDS.length]} ${STUDIES[at % STUDIES.length]} ${at + 1}`,
      description: '',
      status,
      client_id: 101 + (at % 5),
      ordered: 200,
      delivered: early ? 0 : 40 + at,
      cost_cents: early ? null : 120_000 + at * 1000,
      quote_valid_until: null,
      partners: early ? [] : [201 + (at % 5)],
      pending_rewards: at === 3 ? 8 : 0,
      lock_version: 0,
    }
  })
  const { id, first_name, last_name } = people.find((one) => one.role === role)!
  const clients = [
    'Acorn Foods',
    'Bramble & Sons',
    'Clover Retail',
    'Damson Media',
    'Elder Drinks',
    'Fennel Foods',
    'Gorse Group',
    'Heather Homes',
  ]
  const named = (first: number, names: string[]) => names.map((name, at) => ({ id: first + at, name, lock_version: 0 }))
  const me: Me = {
    ...personRow({ id, first_name, last_name, role, client_id: role === 'client' ? 101 : null }, 'Acorn Foods'),
    preferences: {},
    must_change_password: false,
    acting: null,
  }
  return {
    me,
    projects,
    figures: {},
    people,
    clients: named(101, clients),
    notices: [noticeRow(7002, 'Price list', 'web', 'https://prices.test/list'), noticeRow(7001, 'Visits', 'map')],
    partners: named(201, ['Panel North', 'Quick Answers', 'Reach Research', 'Sample South', 'Tally Insights']),
    notes: [],
    rewards: Array.from({ length: 8 }, (_, at) => ({ id: 900 - at, project_id: 527, email: `winner${at}@mail.test` })),
    catalogue: [],
    invites: [],
    surveys: [fakeSurvey(71)],
    content: structuredClone(SENT),
    questions: newQuestions(),
    places: newPlaces(),
    teams: newTeams(),
    brands: newBrands(),
    givenServices: { 12: [6] },
    moreVisits: 0,
    askedForVisits: null,
    visitFilters: newFilters(),
    reports: newReports(),
    promo: {
      ...{ id: 7, activity_id: 7, activity_name: 'Shelf photos', project_id: 530, saved: true, lock_version: 1 },
      ...{ name: 'Two for one', start_date: '03/01/2026', end_date: '03/14/2026', location: '', address: '', information: '' },
      ...{ file_id: null, file: null },
    },
    without_email: [],
    last_undo: null,
    last: 1000,
  }
}

/** The record with an id, or undefined. */
export const byId = <T extends { id: number }>(all: readonly T[], id: number): T | undefined => all.find((one) => one.id === id)

/** A project's survey, if there is one. */
export const surveyOf = ({ surveys }: Marketplace, project: number): FakeSurvey | undefined =>
  surveys.find(({ project_id }) => project_id === project) ?? surveys[0]

const actorOf = ({ me }: Marketplace): Actor => ({ id: me.id, role: me.role, admin_id: null })
const nameOf = (all: readonly Named[], id: number) => byId(all, id)?.name ?? ''

function factsOf(project: Project): ProjectFacts {
  const { id, status, ordered, cost_cents, quote_valid_until, pending_rewards } = project
  return {
    ...{ id, status, ordered, cost_cents, quote_valid_until, pending_rewards },
    generation: 'project',
    start_dt: addDays(today(), -7),
    end_dt: addDays(today(), 14),
    has_partner: project.partners.length > 0,
    has_team: false,
    needs_survey: true,
    has_survey: true,
    quote_sent: true,
    approves: true,
    quote_again: false,
    requested_by: null,
    has_results: project.delivered > 0,
    has_children: false,
    today: today(),
  }
}

/** A project's row in lists; the product's own rules decide what may be done to it. */
export function projectRow(market: Marketplace, project: Project): ProjectRow {
  const { id, name, description, status, client_id, ordered, delivered, cost_cents, lock_version } = project
  const facts = factsOf(project)
  const pace = pacingOf({ status, ordered, delivered, start: facts.start_dt, end: facts.end_dt }, facts.today)
  return {
    ...blanksOf<Pick<ProjectRow, keyof typeof rowFields>>(rowFields),
    ...{ id, name, description, client_id, ordered, delivered, cost_cents, lock_version },
    ...allowedActions('project', actorOf(market), facts),
    generation: 'project',
    parent_id: null,
    project_id: null,
    child_project_id: null,
    requirements: '',
    status: SPELLING[status].v3,
    stored_status: status,
    status_shown: SPELLING[status].shown,
    goal: ordered,
    num_completed_actions: delivered,
    completed: delivered,
    percentage: pace.pacing,
    pacing: pace.pacing,
    pacing_color: pace.color,
    pacing_state: pace.state,
    expected: pace.expected,
    own: null,
    client_name: nameOf(market.clients, client_id),
    start_dt: facts.start_dt,
    end_dt: facts.end_dt,
    start_dateP: facts.start_dt!,
    end_dateP: facts.end_dt!,
    campaign_type: 'Survey',
    survey_url: 'https://survey.test/1',
    survey_id: null,
    partner_id: 1,
    reward_provider: '',
    targeted_location_names: [],
    family_cost_cents: cost_cents,
    quote_round: 1,
    quote_valid_until: project.quote_valid_until,
    requested_by: null,
    partners: project.partners.map((partner) => ({ id: partner, name: nameOf(market.partners, partner) })),
    team: null,
    trend: Array.from({ length: 14 }, () => 0),
    pending_rewards: project.pending_rewards,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    children: [],
    children_count: 0,
  }
}

/** A project as its own screen reads it. */
export const projectDetail = (market: Marketplace, project: Project): Output<'project.get'>['data'] => ({
  ...projectRow(market, project),
  loi_minutes: null,
  incidence: null,
  po_number: '',
  contact: null,
  parent: null,
  decipher: { completes_value: 0 },
  activities: [],
  surveys: [surveyOf(market, project.id)].flatMap((survey) =>
    survey
      ? [
          {
            ...{ id: survey.id, name: survey.name, questions_count: survey.questions.length },
            activity_id: null,
            survey_link: '',
          },
        ]
      : [],
  ),
  teams: [],
  files: [],
  location_groups: [],
  categories: [],
  transitions: openTransitions(actorOf(market), factsOf(project)),
})

export const clientRow = (market: Marketplace, client: Named): Output<'client.get'>['data'] => ({
  ...client,
  ...allowedActions('client', actorOf(market), { running_projects: 0 }),
  users_count: market.people.filter((one) => one.client_id === client.id).length,
  teams_count: 0,
  projects_count: market.projects.filter((one) => one.client_id === client.id).length,
  campaigns_count: 0,
  created_at: LONG_AGO,
  updated_at: LONG_AGO,
})

export const partnerRow = (market: Marketplace, partner: Named): Output<'partner.get'>['data'] => ({
  ...partner,
  ...allowedActions('partner', actorOf(market), { awaited: 0 }),
  company_name: partner.name,
  email: market.without_email.includes(partner.id) ? '' : `partner${partner.id}@mail.test`,
  phone: '',
  contact: '',
  notes: '',
  open_count: 0,
  answer_rate: null,
  answer_hours: null,
  yes_rate: null,
  cpi_cents: null,
  chosen_count: 0,
  answered_at: null,
  projects_count: market.projects.filter((one) => one.partners.includes(partner.id)).length,
  proffers_count: 0,
  created_at: LONG_AGO,
  updated_at: LONG_AGO,
})

function personRow(
  { id, first_name, last_name, role, client_id }: Person,
  client: string,
  teams: { id: number; name: string }[] = [],
): Output<'user.get'>['data'] {
  const facts = {
    id,
    role,
    status: 'active' as const,
    last_admin: role === 'admin',
    pending: false,
    needs_approval: false,
    asked_by: null,
  }
  return {
    ...{ id, first_name, last_name, role },
    ...allowedActions('user', { id: 1, role: 'admin', admin_id: null }, facts),
    name: `${first_name} ${last_name}`,
    phone: '',
    email: `${first_name.toLowerCase()}@mail.test`,
    pending_email: null,
    pending_email_needs_approval: false,
    role_id: role === 'admin' ? 2 : 3,
    status: 'active',
    company_id: client_id,
    company_name: client_id ? client : '',
    company: '',
    clients: client_id ? [{ id: client_id, name: client }] : [],
    teams,
    birth_date: null,
    age: null,
    last_seen_at: null,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    lock_version: 0,
  }
}
export const userRow = (market: Marketplace, person: Person): Output<'user.get'>['data'] =>
  personRow(
    person,
    person.client_id ? nameOf(market.clients, person.client_id) : '',
    teamsOf(market)
      .filter(({ users }) => users.includes(person.id))
      .map(({ id, name }) => ({ id, name })),
  )

export const noteRow = (market: Marketplace, note: Note): Output<'note.get'>['data'] => ({
  ...note,
  ...allowedActions('note', actorOf(market)),
  author: market.me.name,
  author_id: market.me.id,
  updated_at: note.created_at,
})

const NO_ENTRIES = {
  ...{ pending_count: 0, pending_cents: 0, sent_count: 0, sent_cents: 0, rejected_count: 0, rejected_cents: 0 },
}
export const catalogueTotals = (rewards: number): Output<'reward.list'>['totals'] => ({ rewards, ...NO_ENTRIES })
export const catalogueRow = (market: Marketplace, reward: CatalogueReward): Output<'reward.list'>['data'][number] => {
  const project = byId(market.projects, reward.project_id)
  return {
    ...blanksOf<Pick<Output<'reward.list'>['data'][number], Exclude<keyof typeof rewardFields, 'amount'>>>(
      omit(rewardFields, 'amount'),
    ),
    ...reward,
    ...NO_ENTRIES,
    ...allowedActions('reward', actorOf(market)),
    project_name: project?.name ?? '',
    generation: 'project',
    client_id: project?.client_id ?? 0,
    client_name: byId(market.clients, project?.client_id ?? 0)?.name ?? '',
    ...{ amount: 5, amount_cents: 500, description: '', reward_type: 'gift_card' },
    ...{ partner_id: 1, provider_name: 'Gift card', provider_code: '', allowed_amounts: [], amount_flag: false },
    ...{ entries_count: 0, processing_count: 0, processing_cents: 0, created_at: LONG_AGO, updated_at: LONG_AGO },
  }
}

export const entryRow = (market: Marketplace, reward: Reward): Output<'entry.list'>['data'][number] => ({
  ...reward,
  ...allowedActions('entry', actorOf(market), { status: reward.status ?? 'pending', amount_cents: 1000, allowed_amounts: [] }),
  project_name: byId(market.projects, reward.project_id)?.name ?? '',
  survey_id: null,
  reward_id: null,
  reward_name: '$10 Gift card',
  ip: `198.51.100.${reward.id % 250}`,
  amount: 10,
  amount_cents: 1000,
  partner_id: 1,
  provider: 'Gift card',
  status: reward.status ?? 'pending',
  reason: '',
  second_chances: 0,
  allowed_amounts: [],
  amount_flag: false,
  flags: 0,
  import_id: null,
  email_counter: market.rewards.filter(({ project_id, email }) => project_id === reward.project_id && email === reward.email)
    .length,
  ipaddress_counter: 1,
  created_at: LONG_AGO,
  sent_at: null,
  lock_version: 0,
})
