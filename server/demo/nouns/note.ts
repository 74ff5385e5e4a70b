import { demoNoun, type NounRows } from '../noun.ts'

export const note = demoNoun({
  tables: ['notes'],
  after: ['project', 'user'],
  example: (nth) => ({ note: `Note ${nth}` }),
})

export const rows: NounRows<'notes'> = { ofProject: (_, __, { story }) => ({ notes: story.notes }) }

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly note: typeof note
  }
}
