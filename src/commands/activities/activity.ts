import { activityFields } from '../../../contract/activityFields.ts'
import { isolateBidi } from '../../../contract/bidi.ts'
import { pick, wordsOf } from '../../../contract/fieldKinds.ts'
import { assetFields } from '../../../contract/fileFields.ts'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { ACTIVITY_TYPES, ASSET_FILES } from '../../../contract/vocabulary.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import type { Api } from '../../data/api.ts'
import { writeFields } from '../../data/writeFields.ts'
import { href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command, type RawAnswers } from '../command.ts'
import { answered, asksOf, savedNotice } from '../fieldAsks.ts'
import { type Option, type RecordOf, recordOf, type Subject } from '../subject.ts'
import { either, listed, lockOf, noticeOf } from '../words.ts'
import type { WorkspaceApi } from '../workspaceApi.ts'
import type { TargetChoices } from './target.ts'

const numberOf = (subject: Subject | undefined, field: keyof RecordOf<'activity'>): number | null => {
  const value = recordOf(subject, 'activity')[field]
  return typeof value === 'number' ? value : null
}
const sum = (subjects: readonly Subject[], field: keyof RecordOf<'activity'>) =>
  subjects.reduce((all, subject) => all + (numberOf(subject, field) ?? 0), 0)

/** Returns the project of the active pane: its own, or its activity's. */
function projectInSight(workspace: WorkspaceApi | undefined): Subject | number | null {
  const focused = workspace?.subjects().focused
  if (focused?.kind === 'project' || focused?.kind === 'campaign') return focused
  return focused?.kind === 'activity' ? numberOf(focused, 'project_id') : null
}
const ASKED = pick(activityFields, 'name', 'activity_type', 'action_type', 'about')
const questions = asksOf(ASKED)
/** Another type may take another action. */
const CONVERTED = pick(activityFields, 'activity_type', 'action_type')
const conversion = ({ id, record }: Subject, answers: RawAnswers) => ({ id, ...answered(CONVERTED, answers), ...lockOf(record) })
const becomes = (answers: RawAnswers) =>
  `Action type becomes ${wordsOf(activityFields.action_type, answered(CONVERTED, answers).action_type)}.`
/** Without a name, the full form is opened. */
const isNamed = ({ name }: RawAnswers) => Boolean(String(name ?? '').trim())

type Survey = { id: number; name: string; activity_id: number | null; project_id: number; project_name: string }
/** What linking needs to know of an activity's surroundings, and what copying does. */
interface ActivityChoices extends TargetChoices {
  surveys: readonly Survey[]
  siblings: readonly { id: number; name: string }[]
}
const surveysFor = (subject: Subject | undefined): readonly Survey[] => recordOf(subject, 'activity').surveys ?? []
const activitiesFor = (subject: Subject | undefined) => recordOf(subject, 'activity').siblings ?? []

/** Describes where a survey is linked now. */
function linkedTo(subject: Subject | undefined, survey: Survey): string {
  if (survey.activity_id === null) return 'not linked'
  if (survey.activity_id === subject?.id) return 'linked here'
  const other = activitiesFor(subject).find(({ id }) => id === survey.activity_id)
  return `linked to ${other ? `“${isolateBidi(other.name)}”` : codeOf('activity', survey.activity_id)}`
}

/** Reads the surveys that can be linked, those of the same project first, with the activities they are linked to. */
async function withSurveys(api: Api, subject: Subject): Promise<Subject> {
  const project = numberOf(subject, 'project_id') ?? (await api.read('activity.get', { id: subject.id })).data.project_id
  const [own, all, siblings] = await Promise.all([
    api.read('survey.ofProject', { id: project }),
    api.read('survey.list', { per_page: 500 }),
    api.read('activity.ofProject', { id: project, per_page: 500 }),
  ])
  const mine = new Set(own.data.map(({ id }) => id))
  const surveys = [...own.data, ...all.data.filter(({ id }) => !mine.has(id))]
  return { ...subject, record: { ...subject.record, project_id: project, surveys, siblings: siblings.data } }
}

/** Opens the previous or next activity of the project in this one's place. */
function openBeside(workspace: WorkspaceApi, subject: Subject, which: 'previous_id' | 'next_id'): void {
  const id = numberOf(subject, which)
  if (id !== null) workspace.open(href('activity', { id }, { tab: 'details' }), 'here')
}

/** Activities (screens-projects.md, Activities and targets). */
export const activityCommands = {
  'activity.create': command({
    title: 'New activity…',
    on: 'nothing',
    group: 'add',
    keywords: 'add task survey photo video social',
    icon: 'plus',
    undo: 'restores',
    disabledReason: (workspace) => {
      const project = projectInSight(workspace)
      return (typeof project === 'object' && project?.refused_actions?.['activity.create']) || null
    },
    asks: {
      project: ask.entity({
        kind: 'project',
        label: 'Project',
        prefill: (_subjects, workspace) => {
          const project = projectInSight(workspace)
          return typeof project === 'object' ? project?.id : project
        },
      }),
      name: ask.text({ label: activityFields.name.short, optional: true, placeholder: 'Leave empty for the full form' }),
      activity_type: { ...questions.activity_type, label: activityFields.activity_type.short, when: isNamed },
      action_type: questions.action_type,
      about: { ...questions.about, when: isNamed },
    },
    async run({ api, answers, workspace }) {
      const { project } = answers
      if (!isNamed(answers)) return void workspace.open(href('newActivity', { id: project }), 'tab')
      const { data } = await writeFields(api, 'activity.create', { project_id: project, ...answered(ASKED, answers) })
      workspace.open(href('activity', { id: data.id }, { tab: 'details' }), 'tab')
      return { message: noticeOf('activity.create', { name: data.name, noun: 'activity' }) }
    },
  }),
  'activity.previous': command({
    title: 'Previous activity',
    detail: 'of the same project',
    on: 'activity',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    disabledReason: (_workspace, [subject]) =>
      recordOf(subject, 'activity').previous_id === null ? 'it is the first in its project' : null,
    run: ({ workspace, subject }) => openBeside(workspace, subject, 'previous_id'),
  }),
  'activity.next': command({
    title: 'Next activity',
    detail: 'of the same project',
    on: 'activity',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    disabledReason: (_workspace, [subject]) =>
      recordOf(subject, 'activity').next_id === null ? 'it is the last in its project' : null,
    run: ({ workspace, subject }) => openBeside(workspace, subject, 'next_id'),
  }),
  'activity.edit': command({
    title: 'Edit activity',
    detail: 'all fields',
    on: 'activity',
    keywords: 'change name description dates type link',
    icon: 'pencil',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('editActivity', { id: subject.id }), 'tab'),
  }),
  'activity.editTarget': command({
    title: 'Edit audience',
    on: 'activity',
    keywords: 'target age gender income ethnicity change',
    icon: 'user',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('editTarget', { id: subject.id }), 'tab'),
  }),
  'activity.editMarket': command({
    title: 'Edit market',
    on: 'activity',
    keywords: 'target dma areas locations change',
    icon: 'visits',
    undo: 'needless',
    // The screen is addressed by the activity alone.
    run: ({ workspace, subject }) =>
      workspace.open(href('editMarket', { project_id: numberOf(subject, 'project_id') ?? subject.id, id: subject.id }), 'tab'),
  }),
  'activity.linkSurvey': command({
    title: 'Link survey…',
    on: 'activity',
    keywords: 'connect questionnaire responses',
    icon: 'link',
    undo: 'restores',
    prepare: async (api, [subject]) => ({ able: subject ? [await withSurveys(api, subject)] : [], left: [] }),
    asks: {
      survey: ask.entity({
        kind: 'survey',
        label: 'Survey',
        async among(_api, [subject]) {
          const project = numberOf(subject, 'project_id')
          return surveysFor(subject)
            .filter(({ activity_id }) => activity_id !== subject?.id)
            .map((survey): Option => {
              const place = survey.project_id === project ? '' : `${survey.project_name} · `
              return {
                value: String(survey.id),
                label: survey.name,
                detail: `${codeOf('survey', survey.id)} · ${place}${linkedTo(subject, survey)}`,
              }
            })
        },
      }),
    },
    confirm([subject], { survey }) {
      const chosen = surveysFor(subject).find(({ id }) => id === Number(survey))
      const code = survey ? codeOf('survey', survey) : 'the survey'
      const from = activitiesFor(subject).find(({ id }) => id === chosen?.activity_id)
      const to = `“${isolateBidi(subject!.name)}”`
      const before = numberOf(subject, 'survey_id')
      const completes = numberOf(subject, 'completes') ?? 0
      const body = [
        chosen?.activity_id
          ? `${code} moves from ${from ? `“${isolateBidi(from.name)}”` : codeOf('activity', chosen.activity_id)} to ${to}.`
          : `${code} is linked to ${to}.`,
        ...(before && before !== Number(survey)
          ? [
              `New responses count for ${code}; ${completes === 1 ? 'one complete stays' : `${count(completes)} completes stay`} with ${codeOf('survey', before)}.`,
            ]
          : []),
      ].join(' ')
      return { title: `Link ${code} to ${to}?`, body, action: 'Link survey' }
    },
    async run({ api, subject, answers }) {
      const { message } = await api.write('activity.linkSurvey', { activity_id: subject.id, survey_id: answers.survey })
      return { message }
    },
  }),
  'activity.unlinkSurvey': command({
    title: 'Unlink survey',
    on: 'activity',
    keywords: 'disconnect remove questionnaire',
    icon: 'x',
    undo: 'restores',
    confirm: ([subject]) => {
      const survey = numberOf(subject, 'survey_id')
      return {
        title: `Unlink ${survey ? codeOf('survey', survey) : 'the survey'} from ${listed([subject!])}?`,
        body: 'Its responses stay with the survey. It can be linked again.',
        action: 'Unlink survey',
      }
    },
    async run({ api, subject }) {
      const { message } = await api.write('activity.linkSurvey', { activity_id: subject.id, survey_id: null })
      return { message }
    },
  }),
  'activity.addAsset': command({
    title: 'Add assets…',
    on: 'activity',
    icon: 'plus',
    keywords: 'upload file document creative',
    undo: 'restores',
    asks: {
      files: ask.file({ label: 'Files', many: true, types: ASSET_FILES }),
      asset_type: asksOf(assetFields).asset_type,
    },
    async run({ api, subject, answers, progress, signal }) {
      const form = new FormData()
      form.append('activity_id', String(subject.id))
      form.append('asset_type', answers.asset_type)
      for (const file of answers.files) form.append('file', file, file.name)
      const { message } = await api.upload('file.upload', form, {
        signal,
        onProgress: (share) => progress(Math.round(share * 100), 100, 'uploading'),
      })
      return { message }
    },
  }),
  'activity.openUsers': command({
    title: 'Show who acted',
    on: 'activity',
    keywords: 'users participants people responses',
    icon: 'team',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('activityUsers', { activity_id: subject.id }), 'tab'),
  }),
  'activity.convert': command({
    title: 'Change type…',
    on: 'activity',
    keywords: 'convert survey social video photo',
    icon: 'arrows',
    undo: 'restores',
    asks: {
      activity_type: ask.option({
        label: activityFields.activity_type.short,
        options: ([subject]) => ACTIVITY_TYPES.filter(({ value }) => value !== recordOf(subject, 'activity').activity_type),
      }),
      action_type: questions.action_type,
    },
    confirm: ([subject], answers) => ({
      title: `Make ${listed([subject!])} a ${wordsOf(activityFields.activity_type, answers.activity_type).toLowerCase()} activity?`,
      body: becomes(answers),
      action: 'Change type',
    }),
    // Says also which fields of the former type would be cleared.
    async foresees({ api, subjects: [subject], answers, signal }) {
      const { message } = await api.dryRun('activity.edit', conversion(subject!, answers), signal)
      return { body: andThen(message, becomes(answers)) }
    },
    async run({ api, subject, answers }) {
      return { message: savedNotice(await api.write('activity.edit', conversion(subject, answers))) }
    },
  }),
  'activity.duplicate': command({
    title: 'Duplicate activity',
    detail: 'without responses',
    on: 'activity',
    keywords: 'copy clone',
    icon: 'copy',
    undo: 'restores',
    async run({ api, subject, workspace }) {
      const { data } = await api.write('activity.duplicate', { activity_id: subject.id })
      workspace.open(href('activity', { id: data.id }, { tab: 'details' }), 'tab')
      return { message: noticeOf('activity.duplicate', { name: subject.name, rest: ` as ${codeOf('activity', data.id)}` }) }
    },
  }),
  'activity.editField': bulkEditOf('activity', activityFields, { except: ['activity_type'] }),
  'activity.remove': command({
    title: 'Delete activity',
    on: 'activity',
    many: true,
    danger: true,
    keywords: 'remove discard',
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({ title: `Delete ${listed(subjects)}?`, body: goesAlong(subjects), action: 'Delete' }),
    each: {
      done: 'activity.remove',
      one: ({ api, subject, signal }) => api.write('activity.remove', { id: subject.id }, { signal }),
    },
  }),
} as const

/** Says what a deletion removes: "Its 214 photos and its audience go with it; the survey stays with the project." */
function goesAlong(subjects: readonly Subject[]): string {
  const its = either(subjects, 'Its', 'Their')
  const it = either(subjects, 'it', 'them')
  const items = sum(subjects, 'content_count')
  const types = new Set(subjects.map((subject) => recordOf(subject, 'activity').activity_type))
  const [type] = types
  const word = types.size === 1 && (type === 'photo' || type === 'video') ? type : 'item'
  const audience = either(subjects, 'its audience', 'their audiences')
  const deleted = items
    ? `${its} ${items === 1 ? word : `${count(items)} ${word}s`} and ${audience} go with ${it}`
    : `${its} ${either(subjects, 'audience goes', 'audiences go')} with ${it}`
  const surveys = subjects.filter((subject) => recordOf(subject, 'activity').survey_id).length
  if (!surveys) return `${deleted}.`
  return `${deleted}; ${surveys === 1 ? 'the survey stays' : 'the surveys stay'} with the project.`
}

declare module '../subject.ts' {
  interface AddedToRecords {
    activity: ActivityChoices
  }
}

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof activityCommands> {}
}
