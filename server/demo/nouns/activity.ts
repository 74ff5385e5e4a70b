import { demoNoun, type NounRows } from '../noun.ts'
import { activityRow } from '../projectRows.ts'

export const activity = demoNoun({
  tables: ['activities', 'activity_location_groups'],
  after: ['project', 'group'],
  first: 8001,
  amount: { test: 24, demo: 320, mid: 5400, large: 54_000 },
  example: (nth) => ({ name: `Activity ${nth}` }),
})

export const rows: NounRows<'activities' | 'activity_location_groups'> = {
  ofProject: (_, __, draft) => ({
    activities: draft.activities.map((activity) => activityRow(draft, activity)),
    activity_location_groups: draft.activities.flatMap(({ id, group }) =>
      group === null ? [] : { activity_id: id, group_id: group },
    ),
  }),
}

declare module '../figures.ts' {
  interface DemoNouns {
    readonly activity: typeof activity
  }
}
