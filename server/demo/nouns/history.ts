import { demoNoun, type NounRows } from '../noun.ts'

export const history = demoNoun({
  tables: ['history'],
  after: ['project', 'user', 'partner'],
})

export const rows: NounRows<'history'> = { ofProject: (_, __, { story }) => ({ history: story.history }) }

declare module '../figures.ts' {
  interface DemoNouns {
    readonly history: typeof history
  }
}
