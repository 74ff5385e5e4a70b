import { demoNoun, type NounRows } from '../noun.ts'
import { papersOf } from '../papers.ts'

export const file = demoNoun({
  tables: ['files'],
  after: ['activity', 'user'],
  example: (nth) => ({
    kind: 'asset' as const,
    original_name: `picture-${nth}.png`,
    storage_key: `made/${nth}.png`,
    mime: 'image/png',
    size: 12,
  }),
})

/** Ids reserved for one project's files; participants' pictures have a range of their own (content.ts). */
const A_PROJECT = 20

export const rows: NounRows<'files'> = {
  stream: 'papers',
  ofProject: (random, { places, amounts }, { plan, cast, created, activities }) => {
    const group = activities.findLast((activity) => activity.group !== null)?.group
    const firstId = 1 + A_PROJECT * (plan.id - amounts.first.project)
    const papers = papersOf(random, plan, firstId, cast, created, places.inGroup.get(group ?? 0) ?? [])
    return {
      files: papers.map(({ row }) => row),
      contents: papers.map(({ row, content }) => ({ key: row.storage_key, content, mime: row.mime })),
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly file: typeof file
  }
}
