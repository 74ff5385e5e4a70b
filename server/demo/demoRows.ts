import type { Insertable } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { ORGANIZATION } from '../domain/organization.ts'
import { costMails, invitationMails } from './demoMails.ts'
import type { DemoNoun, TableOf } from './demoNouns.ts'
import type { ProjectDraft } from './draft.ts'
import { entriesOf, rewardsOf } from './entries.ts'
import type { Market } from './market.ts'
import { papersOf } from './papers.ts'
import type { ProjectPlan } from './plan.ts'
import { activityRow, projectRow, questionRows, quoteRows, surveyRows } from './projectRows.ts'
import type { Random } from './random.ts'
import { targetRow } from './targets.ts'

/** Rows by table; all rows of a table have the same columns. */
export type Rows<T extends keyof Schema = keyof Schema> = { readonly [Table in T]?: readonly Insertable<Schema[Table]>[] }
/** A file's content by its key in the file store. */
export interface Content {
  key: string
  content: Buffer
  mime: string
}

/** Makes a noun's rows; each noun has its own random stream, so that its draws don't shift the others'. */
export interface NounRows<T extends keyof Schema = keyof Schema> {
  /** The name of its random stream, if not the noun. */
  stream?: string
  /** Rows that belong to no project. */
  rows?(random: Random, market: Market): Rows<T>
  /** Rows of one project. */
  ofProject?(random: Random, market: Market, project: ProjectDraft): Rows<T> & { contents?: readonly Content[] }
  /** Rows of one project that are too many for one transaction: their number, and the rows. */
  apart?: { weight(plan: ProjectPlan): number; rows(random: Random, market: Market, plan: ProjectPlan): Rows<T> }
}

/** The rows of each noun of the demo data. */
export const demoRows: { readonly [N in DemoNoun]: NounRows<TableOf<N>> } = {
  organization: {
    rows: (_, { people }) => {
      const at = people.users[0]!.created_at
      return { organizations: [{ id: 1, ...ORGANIZATION, settings: '{}', created_at: at, updated_at: at, lock_version: 1 }] }
    },
  },
  client: { rows: (_, { people }) => ({ clients: people.clients }) },
  user: { rows: (_, { people }) => ({ users: people.users, user_clients: people.userClients }) },
  team: { rows: (_, { people }) => ({ teams: people.teams, team_users: people.teamUsers }) },
  partner: { rows: (_, { people }) => ({ partners: people.partners }) },
  place: { rows: (_, { places }) => ({ places: places.places }) },
  group: { rows: (_, { places }) => ({ location_groups: places.groups, location_group_places: places.members }) },
  project: {
    ofProject: (_, market, draft) => {
      const team_id = market.teamOf(draft.plan)
      return {
        projects: [projectRow(market, draft)],
        team_projects: team_id === null ? [] : [{ team_id, project_id: draft.plan.id }],
      }
    },
  },
  activity: {
    ofProject: (_, __, draft) => ({
      activities: draft.activities.map((activity) => activityRow(draft, activity)),
      activity_location_groups: draft.activities.flatMap(({ id, group }) =>
        group === null ? [] : { activity_id: id, group_id: group },
      ),
    }),
  },
  target: {
    ofProject: (_, __, { activities, created }) => ({
      targets: activities.map((activity) => targetRow(activity, activity.audience, created)),
    }),
  },
  survey: { ofProject: (_, __, draft) => ({ surveys: surveyRows(draft) }) },
  question: { ofProject: (_, __, draft) => ({ questions: questionRows(draft) }) },
  reward: {
    ofProject: (_, { seed, firstReward }, { plan, created }) => ({
      rewards: plan.entries ? rewardsOf(seed, plan, firstReward(plan), created) : [],
    }),
  },
  history: { ofProject: (_, __, { story }) => ({ history: story.history }) },
  note: { ofProject: (_, __, { story }) => ({ notes: story.notes }) },
  proffer: { ofProject: (_, __, { story }) => ({ proffers: story.proffers, project_partners: story.invited }) },
  quote: { ofProject: (_, __, draft) => ({ quotes: quoteRows(draft) }) },
  mail: {
    rows: (_, market) => ({ mails: invitationMails(market) }),
    ofProject: (_, market, draft) => ({ mails: costMails(market, draft) }),
  },
  file: {
    stream: 'papers',
    ofProject: (random, { places }, { plan, cast, created, activities }) => {
      const group = activities.findLast((activity) => activity.group !== null)?.group
      const papers = papersOf(random, plan, cast, created, places.inGroup.get(group ?? 0) ?? [])
      return {
        files: papers.map(({ row }) => row),
        contents: papers.map(({ row, content }) => ({ key: row.storage_key, content, mime: row.mime })),
      }
    },
  },
  entry: {
    stream: 'entries',
    apart: { weight: (plan) => plan.entries, rows: (random, market, plan) => entriesOf(random, market, plan) },
  },
}
