import { demoNoun, type NounRows } from '../noun.ts'
import { targetHistory } from '../targetVersions.ts'

export const history = demoNoun({
  tables: ['history'],
  after: ['project', 'user', 'partner'],
})

export const rows: NounRows<'history'> = {
  ofProject: (_, { seed, calendar }, draft) => ({
    history: [...draft.story.history, ...targetHistory(seed, calendar, draft)].sort((a, b) =>
      a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
    ),
  }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly history: typeof history
  }
}
