import { activityRow, rejectedAt } from '../demoRows.ts'
import { demoNoun, type NounRows } from '../noun.ts'

export const activity = demoNoun({
  tables: ['activities', 'activity_location_groups'],
  after: ['project', 'group'],
  first: 8001,
  amount: { test: 24, demo: 320, mid: 5400, large: 54_000 },
  example: (nth) => ({ name: `Activity ${nth}` }),
})

/** One activity in fifty never got a survey: a wave of a rejected project. */
const PLANNED = 50

export const rows: NounRows<'activities' | 'activity_location_groups'> = {
  ofProject: (_, market, draft) => ({
    activities: [
      ...draft.activities.map((activity) => activityRow(draft, activity)),
      ...rejectedAt(market, draft.plan, Math.floor(market.amounts.activity / PLANNED)).map((at) => ({
        ...activityRow(draft, draft.activities[0]!),
        // Below the range, so that these aren't newer than any other.
        id: market.amounts.first.activity - 1 - at,
        name: `${draft.plan.product} follow-up`,
        url: '',
      })),
    ],
    activity_location_groups: draft.activities.flatMap(({ id, group }) =>
      group === null ? [] : { activity_id: id, group_id: group },
    ),
  }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly activity: typeof activity
  }
}
