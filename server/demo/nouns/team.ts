import { demoNoun, type NounRows } from '../noun.ts'

export const team = demoNoun({
  tables: ['teams', 'team_users'],
  after: ['client', 'user'],
  first: 501,
  amount: { test: 3, demo: 30, mid: 220, large: 1800 },
  example: (nth) => ({ name: `Team ${nth}` }),
})

export const rows: NounRows<'teams' | 'team_users'> = {
  rows: (_, { people }) => ({ teams: people.teams, team_users: people.teamUsers }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly team: typeof team
  }
}
