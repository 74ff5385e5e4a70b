import type { Output } from '../../../contract/calls.ts'
import { count, counted } from '../../../contract/format.ts'
import type { DimensionInput, Quota } from '../../../contract/quota.ts'
import { quotaFields } from '../../../contract/quotaFields.ts'
import { QUOTA_LIMITS } from '../../../contract/quotaRules.ts'
import {
  AUDIENCE_FIELDS,
  dimensionsOfAudience,
  plannedTargets,
  QUOTA_FIELD_LABELS,
  readQuotaSheet,
} from '../../../contract/quotaSheet.ts'
import type { Api } from '../../data/api.ts'
import { href } from '../../routing/routes.ts'
import { ask, command, type RawAnswers } from '../command.ts'
import { editAsksOf, saves } from '../fieldAsks.ts'
import { recordOf, type Subject } from '../subject.ts'
import { lockOf, named } from '../words.ts'
import { foreseenWords } from './foreseen.ts'

const PROJECTS = ['project', 'campaign'] as const

/** The Quotas tab of a project. */
const tabOf = (kind: string, id: number, query: Record<string, string | number> = {}): string =>
  kind === 'campaign'
    ? href('surveyProject', { id }, { tab: 'quotas', query })
    : href('project', { id }, { tab: 'quotas', query })

type Survey = Output<'survey.ofProject'>['data'][number]
const surveysOf = async (api: Api, project: Subject) => (await api.read('survey.ofProject', { id: project.id })).data

/** The survey that was chosen, or the only one. */
async function surveyOf(api: Api, project: Subject, answer: unknown): Promise<Survey | undefined> {
  const surveys = await surveysOf(api, project)
  return surveys.find(({ id }) => id === Number(answer)) ?? surveys[0]
}

/** A plan’s dimensions as they are sent again. */
const sentAgain = ({ dimensions }: Quota): DimensionInput[] =>
  dimensions.map(({ name, kind, fields, cells }) => ({
    ...{ name, kind, fields },
    cells: cells.map(({ name, conditions, target }) => ({
      ...{ name, target },
      conditions: Object.fromEntries(Object.entries(conditions).map(([field, codes]) => [field, codes.map(String)])),
    })),
  }))

/** The plan of a survey that hasn't ended, and its dimensions with the new ones, which replace those of their name. */
async function filled(api: Api, project: Subject, answers: RawAnswers) {
  const survey = await surveyOf(api, project, answers.survey)
  const { data } = await api.read('quota.ofProject', { id: project.id, ...(survey ? { survey_id: survey.id } : {}) })
  const plan = data?.state === 'ended' ? null : data
  const added =
    answers.from === 'table'
      ? readQuotaSheet(String(answers.table ?? ''), null).dimensions
      : await ofAudience(api, project, survey, answers)
  const names = new Set(added.map(({ name }) => name))
  const stays = plan ? sentAgain(plan).filter(({ name }) => !names.has(name)) : []
  return { survey, plan, added, dimensions: [...stays, ...added] }
}

async function ofAudience(api: Api, project: Subject, survey: Survey | undefined, answers: RawAnswers) {
  const { data } = await api.read('project.get', { id: project.id })
  const target = data.activities.find(({ id }) => id === survey?.activity_id)?.target
  const audience = (target ?? {}) as unknown as Record<string, string | undefined>
  return dimensionsOfAudience((answers.fields ?? []) as string[], audience, answers.together === 'interlock')
}

/** What the answers change in a plan (`edit`), or the plan that they make (`create`). */
async function inputsOf(api: Api, project: Subject, answers: RawAnswers) {
  const { survey, plan, dimensions, added } = await filled(api, project, answers)
  const edit = plan && { id: plan.id, dimensions, lock_version: plan.lock_version }
  return { plan, added, edit, create: { id: project.id, dimensions, ...(survey ? { survey_id: survey.id } : {}) } }
}

/** The most targets that a line of the review names. */
const NAMED = 12

/** Targets in a line; of many, their range, and how many cells would get none. */
function targetWords(targets: readonly number[], total: number): string {
  if (targets.length <= NAMED) return `${targets.map(count).join(', ')} of ${count(total)}`
  const [least, most] = [Math.min(...targets), Math.max(...targets)].map(count)
  const empty = targets.filter((target) => target === 0).length
  const none = empty ? `; ${counted(empty, 'cell gets', 'cells get')} none` : ''
  return `${count(targets.length)} cells of ${least === most ? most : `${least} to ${most}`}, ${count(total)} in all${none}`
}

const surveyAsk = ask.entity({
  kind: 'survey',
  label: 'Survey',
  among: async (api, [project]) => (await surveysOf(api, project!)).map(({ id, name }) => ({ value: String(id), label: name })),
})

/** Quota plans of a project's surveys. */
export const quotaCommands = {
  'quota.open': command({
    title: 'Open quotas',
    on: PROJECTS,
    rule: null,
    undo: 'needless',
    keywords: 'cells targets plan quota full',
    icon: 'list',
    opens: ([project]) => (project ? tabOf(project.kind, project.id) : null),
    run: ({ workspace, subject }) => workspace.open(tabOf(subject.kind, subject.id), 'tab'),
  }),
  'quota.fill': command({
    title: 'Set quotas…',
    detail: 'from the audience or a table',
    on: PROJECTS,
    rule: null,
    undo: 'restores',
    keywords: 'new plan quota dimension census shares paste table csv audience create',
    icon: 'plus',
    disabledReason: (_workspace, [project]) =>
      recordOf(project, 'project', 'campaign').surveys?.length === 0 ? 'the project has no survey yet' : null,
    asks: {
      survey: surveyAsk,
      from: ask.option({
        label: 'From',
        options: [
          { value: 'audience', label: 'The audience', detail: 'its codes, by the shares of the population' },
          { value: 'table', label: 'A table', detail: 'pasted or from a CSV' },
        ],
      }),
      fields: ask.several({
        label: 'By',
        options: AUDIENCE_FIELDS.map((value) => ({ value, label: QUOTA_FIELD_LABELS[value]! })),
        when: ({ from }) => from === 'audience',
        check: (text) => (text ? null : 'Choose at least one'),
      }),
      together: ask.option({
        label: 'Counted',
        options: [
          { value: 'marginal', label: 'Each by itself', detail: 'a dimension for each' },
          { value: 'interlock', label: 'Together', detail: 'a cell for each combination' },
        ],
        when: ({ from, fields }) =>
          from === 'audience' && Array.isArray(fields) && fields.length > 1 && fields.length <= QUOTA_LIMITS.fields,
      }),
      table: ask.text({
        label: 'Table',
        lines: 8,
        placeholder: 'Gender, Target',
        when: ({ from }) => from === 'table',
        check: (text) => {
          const { dimensions, faults } = readQuotaSheet(text, null)
          return faults[0] ?? (dimensions.length ? null : 'Paste a table with a column for each field and one of targets')
        },
      }),
    },
    confirm: ([project]) => ({
      title: `Set quotas of ${project ? named(project) : 'this project'}?`,
      body: 'A new plan is a draft: nobody is refused before it is live.',
      action: 'Set quotas',
    }),
    async foresees({ api, subjects: [project], answers, signal }) {
      const { plan, added, edit, create } = await inputsOf(api, project!, answers)
      const { data, foreseen } = edit
        ? await api.dryRun('quota.edit', edit, signal)
        : await api.dryRun('quota.create', create, signal)
      return {
        body: `${plan?.state === 'live' ? 'The plan is live: it decides by these from now on.' : 'It is a draft: nobody is refused before it is live.'} ${foreseenWords(foreseen)}`,
        lines: added.map((dimension) => ({
          label: dimension.name,
          value: targetWords(plannedTargets(dimension, data.total), data.total),
        })),
      }
    },
    async run({ api, subject, answers, workspace }) {
      const { edit, create } = await inputsOf(api, subject, answers)
      const { message, data } = edit ? await api.write('quota.edit', edit) : await api.write('quota.create', create)
      workspace.open(tabOf(subject.kind, subject.id, { survey: data.survey_id }), 'tab')
      return { message }
    },
  }),
  'quota.compare': command({
    title: 'Compare quotas…',
    detail: 'with another project’s plan',
    on: PROJECTS,
    rule: null,
    undo: 'needless',
    keywords: 'side by side difference plan quota',
    icon: 'columns',
    asks: { with: ask.entities({ kind: PROJECTS, label: 'Compare with', min: 1, max: 3 }) },
    async run({ api, workspace, subject, answers, signal }) {
      const others = await Promise.all(
        answers.with.map(async (id) => tabOf((await api.read('project.get', { id }, signal)).data.generation, id)),
      )
      workspace.compare.open([tabOf(subject.kind, subject.id), ...others])
      return { note: `${counted(others.length + 1, 'plan')} side by side, compared with that of ${named(subject)}` }
    },
  }),
  'quota.edit': command({
    title: 'Edit quota settings…',
    detail: 'total, overage, how long places are held',
    on: 'quota',
    undo: 'restores',
    keywords: 'hold silence overage unknown note mode',
    icon: 'pencil',
    asks: editAsksOf(quotaFields),
    run: saves('quota', quotaFields),
  }),
  'quota.live': command({
    title: 'Start quota plan',
    on: 'quota',
    irreversible: true,
    keywords: 'go live launch quota plan',
    icon: 'play',
    confirm: () => ({
      title: 'Start this quota plan?',
      body: 'Completes that the survey has take their places, and arrivals are decided by it.',
      action: 'Start',
    }),
    async foresees({ api, subjects: [plan], signal }) {
      const { data } = await api.dryRun('quota.live', { id: plan!.id, ...lockOf(plan!.record) }, signal)
      const { all, beyond, dimensions } = data
      const full = dimensions.flatMap(({ cells }) => cells).filter(({ free }) => free === 0).length
      const also = [
        all.completes ? `${counted(all.completes, 'complete takes its place', 'completes take their places')}.` : '',
        beyond ? `${counted(beyond, 'complete counts', 'completes count')} beyond it.` : '',
        full ? `${counted(full, 'cell is', 'cells are')} full from the start.` : '',
      ]
      return { body: ['Arrivals are decided by it from now on.', ...also].filter(Boolean).join(' ') }
    },
    async run({ api, subject }) {
      return { message: (await api.write('quota.live', { id: subject.id, ...lockOf(subject.record) })).message }
    },
  }),
  'quota.end': command({
    title: 'End quota plan',
    on: 'quota',
    irreversible: true,
    danger: true,
    keywords: 'stop close quota plan',
    icon: 'x',
    confirm: () => ({
      title: 'End this quota plan?',
      body: 'Nobody is decided by it any more, and its figures stay.',
      action: 'End',
    }),
    async run({ api, subject }) {
      return { message: (await api.write('quota.end', { id: subject.id, ...lockOf(subject.record) })).message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof quotaCommands> {}
}
