import { demoNoun, type NounRows } from '../noun.ts'
import { surveyRows } from '../projectRows.ts'

export const survey = demoNoun({
  tables: ['surveys'],
  after: ['activity'],
  first: 2001,
  example: (nth) => ({ name: `Survey ${nth}` }),
})

export const rows: NounRows<'surveys'> = { ofProject: (_, __, draft) => ({ surveys: surveyRows(draft) }) }

declare module '../figures.ts' {
  interface DemoNouns {
    readonly survey: typeof survey
  }
}
