import { demoNoun, type NounRows } from '../noun.ts'
import { targetRow } from '../targets.ts'

export const target = demoNoun({
  tables: ['targets'],
  after: ['activity'],
  example: () => ({}),
})

export const rows: NounRows<'targets'> = {
  ofProject: (_, __, { activities, created }) => ({
    targets: activities.map((activity) => targetRow(activity, activity.audience, created)),
  }),
}

declare module '../figures.ts' {
  interface DemoNouns {
    readonly target: typeof target
  }
}
