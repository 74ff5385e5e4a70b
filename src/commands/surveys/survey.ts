import { faultOf, pick } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { newSurveyFields, surveyFields } from '../../../contract/surveyFields.ts'
import { DATA_MAP_FILES } from '../../../contract/vocabulary.ts'
import { andThen, quotedName } from '../../../contract/writeEffects.ts'
import type { Api } from '../../data/api.ts'
import { writeFields } from '../../data/writeFields.ts'
import { href } from '../../routing/routes.ts'
import { wait } from '../../ui/wait.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf, savedNotice } from '../fieldAsks.ts'
import { answerOf, isReached, noteLinkCheck } from '../linkChecks.ts'
import { projectHere } from '../projectHere.ts'
import { restoreOf } from '../restoring.ts'
import { type Option, recordOf } from '../subject.ts'
import { either, listed, lockOf, noticeOf } from '../words.ts'

/** Reads a project's survey activities, those without a survey first; choosing one with a survey replaces it. */
async function activitiesOf(api: Api, project: number): Promise<Option[]> {
  if (!project) return []
  const { data } = await api.read('activity.ofProject', { id: project, per_page: 500 })
  return data
    .filter(({ activity_type }) => activity_type === 'survey')
    .sort((a, b) => Number(a.survey_id !== null) - Number(b.survey_id !== null) || a.id - b.id)
    .map(({ id, name, survey_id }) => ({
      value: String(id),
      label: name,
      detail: survey_id === null ? 'no survey' : `replaces ${codeOf('survey', survey_id)}`,
    }))
}

/** Describes a comparison: "3 added, 1 gone"; empty without differences. */
const differing = (result: Readonly<Record<string, string | number>>): string =>
  ['added', 'changed', 'gone'].flatMap((kind) => (result[kind] ? [`${count(Number(result[kind]))} ${kind}`] : [])).join(', ')

/** Waits up to a minute for a job to end; null if it is still running. */
async function ended(api: Api, id: number, signal: AbortSignal) {
  for (let tries = 0; tries < 60 && !signal.aborted; tries++) {
    const { data } = await api.read('job.get', { id })
    if (data.status !== 'queued' && data.status !== 'running') return data
    await wait(Math.min(1000, 150 * (tries + 1)))
  }
  return null
}

/** What the palette asks of a new survey; only a form takes its file. */
const ASKED = pick(newSurveyFields, 'name', 'survey_link', 'questions_count', 'survey_vendor', 'vendor_survey_id')

const QUESTIONS = ['questions', 'questions'] as const

/** Surveys (screens-projects.md, Surveys and questions). */
export const surveyCommands = {
  'survey.open': command({
    title: 'Open survey',
    on: 'survey',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('survey', { id: subject.id }, { tab: 'details' }), 'tab'),
  }),
  'survey.create': command({
    title: 'New survey…',
    detail: 'of an activity',
    on: 'nothing',
    group: 'add',
    keywords: 'add questionnaire',
    icon: 'plus',
    undo: 'restores',
    asks: {
      project_id: ask.entity({ kind: 'project', label: 'Project', prefill: (_, workspace) => projectHere(workspace) }),
      activity_id: ask.entity({
        kind: 'activity',
        label: surveyFields.activity_id.label,
        prefill: (_, workspace) => {
          const here = workspace?.subjects().focused
          return here?.kind === 'activity' ? here.id : null
        },
      }),
      ...asksOf(ASKED),
      name: { ...asksOf(ASKED).name, label: 'Survey name' },
    },
    async run({ api, answers, workspace }) {
      const { project_id, activity_id } = answers
      const { data } = await writeFields(api, 'survey.create', {
        ...{ project_id, activity_id },
        ...answered(ASKED, answers),
      })
      workspace.open(href('survey', { id: data.id }, { tab: 'details' }))
      return { message: noticeOf('survey.create', { noun: 'survey', rest: `: ${quotedName(data.name)}` }) }
    },
  }),
  'survey.edit': command({
    title: 'Edit survey',
    on: 'survey',
    keywords: 'change name link vendor',
    icon: 'pencil',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('editSurvey', { id: subject.id }), 'tab'),
  }),
  'survey.link': command({
    title: 'Link to an activity…',
    on: 'survey',
    keywords: 'activity move wave',
    icon: 'link',
    undo: 'restores',
    asks: {
      activity_id: ask.entity({
        kind: 'activity',
        label: surveyFields.activity_id.label,
        among: (api, [survey]) => activitiesOf(api, Number(recordOf(survey, 'survey').project_id)),
      }),
    },
    async run({ api, subject, answers }) {
      const saved = await api.write('survey.edit', {
        id: subject.id,
        activity_id: answers.activity_id,
        // The option's text says which survey it replaces.
        replace: true,
        ...lockOf(subject.record),
      })
      return { message: savedNotice(saved) }
    },
  }),
  'survey.attachSource': command({
    title: 'URL or file…',
    detail: 'the survey’s link, or a data map to read questions from',
    on: 'survey',
    keywords: 'attach source data map upload link questions',
    icon: 'upload',
    undo: 'restores',
    asks: {
      source: ask.option({
        label: 'Source',
        options: [
          { value: 'url', label: 'URL', detail: 'where people answer it' },
          { value: 'file', label: surveyFields.source_file_id.label, detail: 'a data map: CSV, XLSX or JSON' },
        ],
      }),
      survey_link: ask.text({
        label: surveyFields.survey_link.label,
        kind: 'url',
        when: ({ source }) => source === 'url',
        prefill: ([survey]) => recordOf(survey, 'survey').survey_link || null,
        check: (text) => faultOf({ ...surveyFields.survey_link, required: MESSAGES.surveyFileOrUrl }, text),
      }),
      files: ask.file({ label: 'Data map', types: DATA_MAP_FILES, when: ({ source }) => source === 'file' }),
    },
    async run({ api, subject, answers, progress, signal }) {
      const { survey_link, files } = answers
      if (survey_link) {
        return {
          message: savedNotice(await api.write('survey.edit', { id: subject.id, survey_link, ...lockOf(subject.record) })),
        }
      }
      const [file] = files ?? []
      if (!file) throw new Error(MESSAGES.surveyFileOrUrl)
      const { data: survey } = await api.read('survey.get', { id: subject.id })
      const form = new FormData()
      form.append('project_id', String(survey.project_id))
      form.append('asset_type', 'Survey Document')
      form.append('file', file, file.name)
      const { data } = await api.upload('file.uploadDocument', form, {
        signal,
        onProgress: (share) => progress(Math.round(share * 100), 100, 'uploading'),
      })
      return {
        message: savedNotice(await api.write('survey.edit', { id: subject.id, source_file_id: data[0]!.id, ...lockOf(survey) })),
      }
    },
  }),
  'survey.checkLink': command({
    title: 'Check the link',
    detail: 'whether it answers now',
    on: 'survey',
    keywords: 'test url status reach works',
    icon: 'link',
    undo: 'needless',
    disabledReason: (_workspace, [survey]) =>
      survey?.record && !recordOf(survey, 'survey').survey_link ? 'it has no link' : null,
    async run({ api, subject }) {
      const { data: survey } = await api.read('survey.get', { id: subject.id })
      const { data } = await api.read('survey.checkLink', { id: subject.id })
      const check = { ...data, link: survey.survey_link }
      noteLinkCheck(subject.id, check)
      if (!isReached(check)) throw new Error(`The link ${answerOf(check)}`)
      return { note: `The link ${answerOf(check)}` }
    },
  }),
  'survey.refresh': command({
    title: 'Refresh questions',
    on: 'survey',
    many: true,
    keywords: 'compare source data map vendor update reload',
    icon: 'repeat',
    // It only compares; survey.applyComparison applies the result and has its own undo.
    undo: 'needless',
    async run({ api, subjects, progress, signal }) {
      const refused: { id: number; name: string; reason: string }[] = []
      const jobs: number[] = []
      for (const [at, { id, name }] of subjects.entries()) {
        if (signal.aborted) break
        progress(at, subjects.length)
        try {
          jobs.push((await api.write('survey.refresh', { id })).data.id)
        } catch (error) {
          const { status, message } = error as { status?: number; message: string }
          if (subjects.length === 1 || !status || status === 401) throw error
          refused.push({ id, name, reason: message })
        }
      }
      if (subjects.length > 1)
        return { message: noticeOf('survey.refreshMany', { count: jobs.length, words: ['refresh', 'refreshes'] }), refused }
      const job = await ended(api, jobs[0]!, signal)
      if (!job) return { message: andThen(noticeOf('survey.refresh', { words: QUESTIONS }), 'Jobs shows when it’s done.') }
      if (job.status !== 'done') throw new Error(job.error || 'The comparison was cancelled.')
      const words = differing(job.result)
      if (!words) return { message: noticeOf('survey.match', { words: ['the questions', 'questions'] }) }
      return {
        message: noticeOf('survey.compare', { words: QUESTIONS, rest: `: ${words}` }),
        dialog: {
          title: 'Review the changes',
          body: `“${String(job.result.source)}” differs: ${words}. Nothing changes until you apply it.`,
          leadsTo: href('survey', { id: subjects[0]!.id }, { tab: 'questions', query: { review: 1 } }),
        },
      }
    },
  }),
  'survey.applyComparison': command({
    title: 'Apply the changes',
    detail: 'that a refresh found',
    on: 'survey',
    rule: null,
    icon: 'check',
    undo: 'restores',
    async run({ api, subject, workspace }) {
      const { digest } = subject.record ?? {}
      // Applies only a comparison that the user has seen.
      if (digest === undefined)
        return workspace.open(href('survey', { id: subject.id }, { tab: 'questions', query: { review: 1 } }))
      const { message } = await api.write('survey.applyComparison', { id: subject.id, digest })
      workspace.open(href('survey', { id: subject.id }, { tab: 'questions' }))
      return { message }
    },
  }),
  'survey.cloneProject': command({
    title: 'Clone its project',
    on: 'survey',
    keywords: 'copy duplicate',
    icon: 'copy',
    undo: 'restores',
    confirm: () => ({
      title: MESSAGES.cloneConfirm,
      body: 'The copy gets the activities, audience, surveys and files, but no responses, rewards or notes. It starts at requirements.',
      action: 'Clone',
    }),
    async run({ api, subject, workspace }) {
      const { data: survey } = await api.read('survey.get', { id: subject.id })
      const { data } = await api.write('project.clone', { id: survey.project_id })
      workspace.open(href('project', { id: data.project_id }, { tab: 'specifications' }), 'pinned')
      return { message: noticeOf('project.clone', { noun: 'project', rest: ` as ${codeOf('project', data.project_id)}` }) }
    },
  }),
  'survey.editField': bulkEditOf('survey', surveyFields),
  'survey.remove': command({
    title: 'Delete survey',
    on: 'survey',
    many: true,
    danger: true,
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: `${either(subjects, 'It has no responses, and its', 'They have no responses, and their')} questions go with ${either(subjects, 'it', 'them')}. You can undo this.`,
      action: 'Delete',
    }),
    each: {
      done: 'survey.remove',
      one: ({ api, subject, signal }) => api.write('survey.remove', { id: subject.id }, { signal }),
    },
  }),
  'survey.restore': restoreOf('survey'),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof surveyCommands> {}
}

declare module '../subject.ts' {
  interface AddedToRecords {
    /** What a refresh found, of the screen that shows it. */
    survey: { digest: string }
  }
}
