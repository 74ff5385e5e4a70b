import type { Output } from '../../../contract/calls.ts'
import { FILE_FORMATS, type FileFormat } from '../../../contract/importWords.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { ANSWERS_IN } from '../../../contract/severalTexts.ts'
import { agesOf, GENDERS } from '../../../contract/vocabulary.ts'
import { serverTime } from '../../data/serverClock.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { activeOverview } from '../overviewController.ts'
import { restoreOf } from '../restoring.ts'
import { recordOf, type Subject } from '../subject.ts'
import { either, listed, noticeOf } from '../words.ts'
import { decisionCommands } from './project/decision.ts'
import { documentCommands } from './project/documents.ts'
import { inviteCommands } from './project/invitePartners.ts'
import { offerCommands } from './project/partnerOffers.ts'
import { priceCommands } from './project/price.ts'
import { propertyCommands } from './project/properties.ts'
import { PROJECTS } from './project/reason.ts'
import { statusCommands } from './project/status.ts'

/** The most projects to export at once, because each export is a job. */
const MOST_EXPORTS = 20

/** True if a project's start date is still to come; a day counts as begun once it has begun in UTC. */
const startsLater = (subject: Subject): boolean =>
  (recordOf(subject, ...PROJECTS).start_dt ?? '') > serverTime().toISOString().slice(0, 10)

/** Actions on projects of either generation (projects-area 4, decisions.md 2 to 4). */
export const projectCommands = {
  'project.open': command({
    title: 'Open overview',
    on: PROJECTS,
    rule: null,
    undo: 'needless',
    keywords: 'dashboard',
    icon: 'panel',
    run: ({ workspace, subject }) =>
      workspace.open(
        subject.kind === 'campaign'
          ? href('surveyProject', { id: subject.id }, { tab: 'overview' })
          : href('project', { id: subject.id }, { tab: 'overview' }),
        'tab',
      ),
  }),
  'project.goLive': command({
    title: 'Go live',
    on: PROJECTS,
    many: true,
    keywords: 'launch start field',
    icon: 'play',
    delay: true,
    confirm: (subjects) => ({
      title: `Launch ${listed(subjects)}?`,
      body: `Respondents can start right away${subjects.some(startsLater) ? ', even before the start date' : ''}.`,
      action: 'Go live',
    }),
    each: {
      done: 'project.goLive',
      one: ({ api, subject, signal }) => api.write('project.goLive', { id: subject.id }, { signal }),
      dialog: { title: MESSAGES.goLiveTitle, body: MESSAGES.goLiveBody },
    },
  }),
  'project.clone': command({
    title: 'Clone project',
    on: PROJECTS,
    keywords: 'copy duplicate',
    icon: 'copy',
    undo: 'restores',
    confirm: () => ({
      title: MESSAGES.cloneConfirm,
      body: 'The copy gets the activities, audience, surveys and files, but no responses, rewards or notes. It starts at requirements.',
      action: 'Clone',
    }),
    async run({ api, subject, workspace }) {
      const { data } = await api.write('project.clone', { id: subject.id })
      workspace.open(
        subject.kind === 'campaign'
          ? href('surveyProject', { id: data.project_id }, { tab: 'specifications' })
          : href('project', { id: data.project_id }, { tab: 'specifications' }),
        'pinned',
      )
      return { message: noticeOf('project.clone', { name: subject.name, rest: ` as ${codeOf('project', data.project_id)}` }) }
    },
  }),
  ...inviteCommands,
  ...offerCommands,
  ...priceCommands,
  ...decisionCommands,
  ...statusCommands,
  ...documentCommands,
  ...propertyCommands,
  'project.remove': command({
    title: 'Delete project',
    on: PROJECTS,
    danger: true,
    many: true,
    keywords: 'remove discard',
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: either(
        subjects,
        'It disappears from every list, including its client’s. It has no responses or rewards. You can undo this.',
        'They disappear from every list, including their clients’. They have no responses or rewards. You can undo this.',
      ),
      action: 'Delete',
    }),
    each: {
      done: 'project.remove',
      one: ({ api, subject, signal }) => api.write('project.remove', { id: subject.id }, { signal }),
    },
  }),
  'project.restore': restoreOf('project'),
  'project.edit': command({
    title: 'Edit project',
    on: PROJECTS,
    keywords: 'change name goal dates',
    icon: 'pencil',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('editProject', { id: subject.id }), 'tab'),
  }),
  'project.funnel': command({
    title: 'Show performance funnel',
    detail: 'completes, terminates, overquota, partials',
    on: PROJECTS,
    rule: null,
    undo: 'needless',
    keywords: 'chart incidence drop-off screened',
    icon: 'list',
    run: ({ workspace, subject }) => {
      const overview = activeOverview(subject.id)
      if (overview) return overview.showFunnel()
      const where = { tab: 'overview', query: { funnel: '1' } } as const
      workspace.open(
        subject.kind === 'campaign'
          ? href('surveyProject', { id: subject.id }, where)
          : href('project', { id: subject.id }, where),
      )
    },
  }),
  'project.narrow': command({
    title: 'Filter responses…',
    detail: 'in the Overview, by age and gender',
    on: PROJECTS,
    rule: null,
    undo: 'needless',
    keywords: 'filter narrow age gender overview segment',
    icon: 'list',
    asks: {
      age: ask.several({
        label: 'Ages',
        optional: true,
        options: ([project]) =>
          [...agesOf(project?.kind ?? 'project'), { value: 8, label: 'Other' }].map(({ value, label }) => ({
            value: String(value),
            label,
          })),
      }),
      gender: ask.several({ label: 'Genders', optional: true, options: GENDERS }),
    },
    run: ({ workspace, subject, answers }) => {
      const query = {
        ...(answers.age?.length ? { age: answers.age.join() } : {}),
        ...(answers.gender?.length ? { gender: answers.gender.join() } : {}),
      }
      workspace.open(
        subject.kind === 'campaign'
          ? href('surveyProject', { id: subject.id }, { tab: 'overview', query })
          : href('project', { id: subject.id }, { tab: 'overview', query }),
        'here',
      )
    },
  }),
  'project.export': command({
    title: 'Export responses…',
    on: PROJECTS,
    keywords: 'csv download respondents',
    icon: 'download',
    many: true,
    undo: 'needless',
    asks: {
      format: ask.option({ label: 'Format', options: FILE_FORMATS, prefill: () => 'csv' }),
      answers: ask.option({ label: 'Several answers', options: ANSWERS_IN, prefill: () => 'cell', usual: true }),
    },
    disabledReason: (_desk, subjects) =>
      subjects.length > MOST_EXPORTS ? `at most ${MOST_EXPORTS} can be exported at a time` : null,
    each: {
      done: 'project.export',
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'export.start',
          {
            source: 'responses',
            filter: { project_id: subject.id, answers: answers.answers },
            format: answers.format as FileFormat,
          },
          { signal },
        ),
      ends: (workspace, made) =>
        workspace.follow(
          made.map((answer) => (answer as Output<'export.start'>).data.id),
          'Responses ready',
        ),
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof projectCommands> {}
}
