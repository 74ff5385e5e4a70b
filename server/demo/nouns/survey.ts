import { rejectedAt, surveyRows } from '../demoRows.ts'
import { demoNoun, type NounRows } from '../noun.ts'

export const survey = demoNoun({
  tables: ['surveys'],
  after: ['activity'],
  first: 2001,
  example: (nth) => ({ name: `Survey ${nth}` }),
})

/** For every forty activities, one survey of a rejected project belongs to no activity. */
const UNLINKED = 40

export const rows: NounRows<'surveys'> = {
  ofProject: (_, market, draft) => ({
    surveys: [
      ...surveyRows(draft),
      ...rejectedAt(market, draft.plan, Math.floor(market.amounts.activity / UNLINKED)).map((at) => ({
        ...surveyRows(draft)[0]!,
        // Below the range, so that these aren't newer than any other.
        id: market.amounts.first.survey - 1 - at,
        activity_id: null,
        name: `${draft.plan.name} pretest`,
        survey_link: '',
        vendor_survey_id: '',
        refreshed_at: null,
        questions_count: 0,
      })),
    ],
  }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly survey: typeof survey
  }
}
