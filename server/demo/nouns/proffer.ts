import { demoNoun, type NounRows } from '../noun.ts'

export const proffer = demoNoun({
  tables: ['proffers', 'project_partners'],
  after: ['project', 'partner'],
  example: () => ({}),
})

export const rows: NounRows<'proffers' | 'project_partners'> = {
  ofProject: (_, __, { story }) => ({ proffers: story.proffers, project_partners: story.invited }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly proffer: typeof proffer
  }
}
