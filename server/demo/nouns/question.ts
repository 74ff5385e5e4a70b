import { questionRows } from '../demoRows.ts'
import { demoNoun, type NounRows } from '../noun.ts'

/** Questions as part of a survey, without an amount of their own. */
export const question = demoNoun({
  tables: ['questions'],
  after: ['survey'],
  first: 30_001,
  example: (nth) => ({ name: `Question ${nth}`, options: '["Yes","No"]' }),
})

export const rows: NounRows<'questions'> = { ofProject: (_, __, draft) => ({ questions: questionRows(draft) }) }

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly question: typeof question
  }
}
