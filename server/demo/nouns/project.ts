import { addDays } from '../../../contract/pacing.ts'
import { projectRow } from '../demoRows.ts'
import type { ProjectDraft } from '../draft.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { later } from '../people.ts'

export const project = demoNoun({
  tables: ['projects', 'team_projects'],
  after: ['client', 'user', 'team'],
  first: 4001,
  amount: { test: 14, demo: 180, mid: 3000, large: 30_000 },
  /** In field from last week to next week. */
  example: (nth, today) => ({
    name: `Project ${nth}`,
    status: 'active' as const,
    ordered: 100,
    cost_cents: 100_000,
    start_dt: addDays(today, -7),
    end_dt: addDays(today, 7),
    survey_url: 'https://survey.test/1',
    provider_id: 1,
  }),
})

export const rows: NounRows<'projects' | 'team_projects'> = {
  ofProject: (_, market, draft) => {
    const team_id = market.teamOf(draft.plan)
    return {
      projects: [projectRow(market, draft)],
      team_projects: team_id === null ? [] : [teamLink(market, draft, team_id)],
    }
  },
}

/** A project's link to its team, created with whichever came later. */
const teamLink = ({ people }: Market, { plan, created }: ProjectDraft, team_id: number) => ({
  team_id,
  project_id: plan.id,
  added_by: people.admins[0] ?? null,
  added_at: later(created, people.teamSince.get(team_id)!),
})

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly project: typeof project
  }
}
