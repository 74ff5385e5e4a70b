import { demoNoun, type NounRows } from '../noun.ts'
import { questionRows } from '../projectRows.ts'

/** Questions as part of a survey, without an amount of their own. */
export const question = demoNoun({
  tables: ['questions'],
  after: ['survey'],
  first: 30_001,
  example: (nth) => ({ name: `Question ${nth}`, options: '["Yes","No"]' }),
})

export const rows: NounRows<'questions'> = { ofProject: (_, __, draft) => ({ questions: questionRows(draft) }) }

declare module '../figures.ts' {
  interface DemoNouns {
    readonly question: typeof question
  }
}
