import { demoNoun, type NounRows } from '../noun.ts'
import { targetRow } from '../targets.ts'
import { targetId, versionOf } from '../targetVersions.ts'

export const target = demoNoun({
  tables: ['targets'],
  after: ['activity'],
  example: () => ({}),
})

export const rows: NounRows<'targets'> = {
  ofProject: (_, { seed }, { activities, created }) => ({
    targets: activities.map((activity) => ({
      id: targetId(activity),
      ...targetRow(activity, activity.audience, created),
      version: versionOf(seed, activity),
    })),
  }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly target: typeof target
  }
}
