import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import type { Subject } from '../subject.ts'
import { named } from '../words.ts'

/** Projects of both generations can be compared, in the tabs they share. */
const PROJECTS = ['project', 'campaign'] as const
const MOST = 4

type Api = Parameters<NonNullable<Parameters<typeof ask.entity>[0]['among']>>[0]

const overview = (kind: string, id: number): string =>
  kind === 'campaign' ? href('surveyProject', { id }, { tab: 'overview' }) : href('project', { id }, { tab: 'overview' })

/** Returns the Overview URLs of chosen projects; the server knows their generation. */
const overviewsOf = (api: Api, ids: readonly number[], signal: AbortSignal): Promise<string[]> =>
  Promise.all(
    ids.map(async (id) => {
      const { data } = await api.read('project.get', { id }, signal)
      return overview(data.generation, id)
    }),
  )

const others = ask.entities({
  kind: PROJECTS,
  label: 'Compare with',
  min: 1,
  max: MOST - 1,
  when: (_answers: unknown, subjects: readonly Subject[]) => subjects.length === 1,
})

/** Compares projects in linked columns, with differences from the first (workspace.md, Compare). */
export const compareCommands = {
  'compare.open': command({
    title: 'Compare…',
    undo: 'needless',
    on: PROJECTS,
    rule: null,
    many: true,
    keywords: 'side by side difference versus benchmark linked columns',
    icon: 'columns',
    asks: { with: others },
    disabledReason: (_desk, subjects) =>
      subjects.length > MOST ? `at most ${MOST} can be compared, and ${subjects.length} are selected` : null,
    async run({ api, workspace, subjects, answers, signal }) {
      const picked = subjects.length === 1 ? await overviewsOf(api, answers.with ?? [], signal) : []
      const refs = [...subjects.map(({ kind, id }) => overview(kind, id)), ...picked]
      workspace.compare.open(refs)
      return { note: `${Math.min(MOST, refs.length)} projects side by side, compared with ${named(subjects[0]!)}` }
    },
  }),
  'compare.add': command({
    title: 'Add to comparison…',
    undo: 'needless',
    on: 'nothing',
    group: 'workspace',
    keywords: 'compare column linked',
    icon: 'columns',
    asks: { with: ask.entities({ kind: PROJECTS, label: 'Compare with', min: 1, max: MOST - 2 }) },
    disabledReason: (workspace) => workspace.compare.cannot('add'),
    async run({ api, workspace, answers, signal }) {
      workspace.compare.add(await overviewsOf(api, answers.with, signal))
    },
  }),
  'compare.link': command({
    title: 'Link columns',
    on: 'nothing',
    group: 'workspace',
    keywords: 'compare together',
    icon: 'link',
    disabledReason: (workspace) => workspace.compare.cannot('link'),
    run: ({ workspace }) => workspace.compare.link(),
  }),
  'compare.unlink': command({
    title: 'Unlink columns',
    on: 'nothing',
    group: 'workspace',
    keywords: 'compare stop apart',
    icon: 'x',
    disabledReason: (workspace) => workspace.compare.cannot('unlink'),
    run: ({ workspace }) => workspace.compare.unlink(),
  }),
  'compare.days': command({
    title: 'Trend by calendar or by field day',
    on: 'nothing',
    group: 'workspace',
    keywords: 'compare axis dates shift align start',
    icon: 'arrows',
    disabledReason: (workspace) => workspace.compare.cannot('days'),
    run: ({ workspace }) => workspace.compare.days(),
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof compareCommands> {}
}
