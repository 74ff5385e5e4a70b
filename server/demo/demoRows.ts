import type { Status } from '../../contract/status.ts'
import type { FileStore } from '../core/ports.ts'
import type { Database, Tx } from '../db/connect.ts'
import type { Schema } from '../db/schema.ts'
import { ORGANIZATION } from '../domain/organization.ts'
import { insertBulk } from '../domain/runtime/bulk.ts'
import { costNotification, links } from '../mail/letters.ts'
import { HERE, mail } from './base.ts'
import { entriesOf, providerOf, rewardsOf } from './entries.ts'
import { surveyQuestions } from './field.ts'
import type { Market } from './market.ts'
import { papersOf } from './papers.ts'
import { type ProjectPlan, reached } from './plan.ts'
import { extraQuestions } from './questions.ts'
import { randomOf } from './random.ts'
import { type Story, storyOf } from './story.ts'
import { targetRow } from './targets.ts'
import { aboutOf, aboutProject, requirementsOf } from './wording.ts'

/** Some projects with everything but their respondents and reward entries. */
export async function writeProjects(
  database: Database,
  tx: Tx,
  market: Market,
  plans: readonly ProjectPlan[],
  files: FileStore | null,
): Promise<void> {
  const { seed, calendar, people, places } = market
  const rows = new Map<keyof Schema, object[]>()
  const add = (table: keyof Schema, ...more: object[]) => {
    const list = rows.get(table)
    if (list) list.push(...more)
    else rows.set(table, [...more])
  }
  const mails = new Map(people.users.map((user) => [user.id!, user]))
  for (const plan of plans) {
    const cast = market.castOf(plan)
    const story = storyOf(seed, plan, cast, calendar)
    const created = story.history[0]!.at
    const kept = { created_at: created, updated_at: created, lock_version: 1 }
    const chance = randomOf(seed, 'rows', plan.id)
    const known = reached(plan, 'approved') || chance.chance(0.5)
    add('projects', {
      id: plan.id,
      generation: plan.generation,
      parent_id: plan.parent,
      client_id: people.clients[plan.client]!.id,
      name: plan.name,
      description: aboutProject(plan, market.brandOf(plan)),
      requirements: requirementsOf(plan),
      status: plan.status,
      campaign_type: plan.content ? 'Content' : 'Survey',
      ordered: plan.ordered,
      delivered: 0,
      cost_cents: story.cost_cents,
      quote_round: story.quote_round,
      quote_valid_until: story.quote_valid_until,
      start_dt: plan.start,
      end_dt: plan.end,
      survey_url: known ? `https://surveys.example/p/${plan.id}` : '',
      provider_id: providerOf(seed, plan),
      requested_by: cast.requester,
      went_live_at: story.went_live_at,
      created_at: created,
      updated_at: story.updated_at,
      lock_version: story.lock_version,
      deleted_at: null,
    })
    const team = market.teamOf(plan)
    if (team !== null) add('team_projects', { team_id: team, project_id: plan.id })
    let group: number | null = null
    for (const activity of plan.activities) {
      const audience = market.audienceOf(plan, activity)
      const word = { survey: 'Survey', photo: 'Photo', video: 'Video', social: 'Social' }[activity.type]
      add('activities', {
        id: activity.id,
        project_id: plan.id,
        name: `${plan.product} ${word.toLowerCase()}`,
        about: aboutOf(activity.type, plan.product),
        activity_type: activity.type,
        action_type: activity.type === 'photo' || activity.type === 'video' ? activity.type : 'nothing',
        social_type: activity.type === 'social' ? chance.pick(['facebook', 'twitter_follow', 'twitter_tweet']) : '',
        social_text: activity.type === 'social' ? `Tell us about ${plan.product.toLowerCase()}` : '',
        social_link: activity.type === 'social' ? `https://social.example/${plan.id}` : '',
        url: known ? `https://surveys.example/a/${activity.id}` : '',
        start_dt: plan.start,
        end_dt: plan.end,
        ...kept,
        deleted_at: null,
      })
      add('targets', targetRow(activity, audience, created))
      if (audience.group !== null) {
        group = places.groupsOf[plan.client]![audience.group]!.id
        add('activity_location_groups', { activity_id: activity.id, group_id: group })
      }
      const { survey } = activity
      if (!survey) continue
      add('surveys', {
        id: survey.id,
        project_id: plan.id,
        activity_id: activity.id,
        name: `${plan.name} survey`,
        survey_link: known ? `https://surveys.example/s/${survey.id}` : '',
        survey_vendor: `FW-${survey.id}`,
        questions_count: survey.questions,
        ...kept,
        deleted_at: null,
      })
      const extra = chance.chance(0.3) ? extraQuestions() : []
      const questions = [...surveyQuestions(seed, plan, survey, market.brandOf(plan)), ...extra]
      add(
        'questions',
        ...questions.map((question, at) => ({
          id: survey.firstQuestion + at,
          survey_id: survey.id,
          name: question.name,
          position: question.type === 'survey' ? at + 1 : 0,
          question_type: question.type,
          options: JSON.stringify(question.options),
          ...kept,
        })),
      )
    }
    if (plan.entries) add('rewards', ...rewardsOf(seed, plan, market.firstReward(plan), created))
    add('history', ...story.history)
    add('notes', ...story.notes)
    add('project_partners', ...story.invited)
    add('proffers', ...story.proffers)
    if (story.cost_cents !== null) add('quotes', quoteOf(plan.status, story, { project_id: plan.id, ordered: plan.ordered }))
    const requester = mails.get(cast.requester)!
    if (plan.status === 'submit_approval') {
      const letter = costNotification(ORGANIZATION, {
        first_name: requester.first_name,
        project: plan.name,
        cost_cents: story.cost_cents ?? 0,
        valid_until: story.quote_valid_until,
        link: links.approval(HERE, plan),
      })
      add('mails', mail(requester.email, letter, `project:${plan.id}`, story.updated_at))
    }
    const members = group === null ? [] : placesIn(market, group)
    for (const { row, content } of papersOf(seed, plan, cast, created, members)) {
      add('files', row)
      if (files) await files.put(row.storage_key, content, row.mime)
    }
  }
  for (const table of ORDER) await put(database, tx, table, rows.get(table) ?? [])
}

/** The revision that a project's price is, as far as its story has come. */
function quoteOf(status: Status, story: Story, of: { project_id: number; ordered: number }) {
  const approved = status !== 'submit_approval' && status !== 'rejected'
  const at = (action: string) => story.history.findLast((line) => line.action === action)
  const [priced, sent, decided] = [at('project.setCost'), at('project.notifyCost'), approved ? at('project.approve') : undefined]
  return {
    ...of,
    round: story.quote_round,
    revision: 1,
    cost_cents: story.cost_cents,
    valid_until: story.quote_valid_until,
    asked: '{}',
    state: approved ? 'approved' : 'sent',
    sent_at: sent?.at ?? null,
    sent_by: sent?.actor_id ?? null,
    opened_at: null,
    opened_by: null,
    decided_at: decided?.at ?? null,
    decided_by: decided?.actor_id ?? null,
    reason: decided?.reason ?? '',
    created_at: priced?.at ?? story.updated_at,
    updated_at: decided?.at ?? sent?.at ?? story.updated_at,
    lock_version: 1,
  }
}

/** Parents before what refers to them. */
const ORDER: (keyof Schema & string)[] = [
  'projects',
  'team_projects',
  'activities',
  'targets',
  'activity_location_groups',
  'surveys',
  'questions',
  'rewards',
  'history',
  'notes',
  'project_partners',
  'proffers',
  'quotes',
  'mails',
  'files',
]
const byGroup = new WeakMap<Market, Map<number, { name: string; address: string }[]>>()

function placesIn(market: Market, group: number): { name: string; address: string }[] {
  let lists = byGroup.get(market)
  if (!lists) {
    const places = new Map(market.places.places.map((place) => [place.id!, { name: place.name, address: place.address ?? '' }]))
    lists = new Map(
      [...Map.groupBy(market.places.members, (member) => member.group_id)].map(([id, members]) => [
        id,
        members.map((member) => places.get(member.place_id)!),
      ]),
    )
    byGroup.set(market, lists)
  }
  return lists.get(group) ?? []
}

/** The reward entries of a project, and what was paid. */
export async function writeEntries(database: Database, tx: Tx, market: Market, plan: ProjectPlan): Promise<void> {
  const { entries, payouts } = entriesOf(market.seed, plan, market.firstReward(plan), market.calendar)
  await put(database, tx, 'entries', entries)
  await put(database, tx, 'payouts', payouts)
}

const NUMBERS =
  /^(id|.*_id|ordered|delivered|.*_cents|.*_version|version|quote_round|round|revision|sent_by|opened_by|decided_by|requested_by|questions_count|position|size|uploaded_by|second_chances|feasible_completes|incidence|loi_minutes|field_days|attempts)$/

/** Inserts rows of one table that have the same columns; the bulk insert wants each column's kind. */
function put(database: Database, tx: Tx, table: keyof Schema & string, rows: readonly object[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  const columns = Object.fromEntries(names.map((name) => [name, NUMBERS.test(name) ? ('int' as const) : ('text' as const)]))
  return insertBulk(database, tx, {
    table,
    columns,
    rows: rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name])),
  })
}
