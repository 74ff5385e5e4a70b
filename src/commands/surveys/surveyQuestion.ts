import { faultOf } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { questionFields } from '../../../contract/questionFields.ts'
import type { Api } from '../../data/api.ts'
import { href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command } from '../command.ts'
import { movedTo, moveLater, writtenOrders } from '../questionOrder.ts'
import { recordOf, type Subject } from '../subject.ts'
import { aboutOf, either, listed, noticeOf } from '../words.ts'

const surveyOf = (subject: Subject | undefined): number =>
  subject?.kind === 'question' ? Number(recordOf(subject, 'question').survey_id) : Number(subject?.id)
const typeOf = (subject: Subject): string => recordOf(subject, 'question').question_type ?? 'survey'

/** Reads the ids of a survey's questions in order. */
async function orderOf(api: Api, survey: number): Promise<number[]> {
  const { data } = await api.read('survey.questions', { id: survey, type: 'survey' })
  return data.map(({ id }) => id)
}

/** Reads who last changed the order of a survey's questions. */
async function whoOrdered(api: Api, survey: number): Promise<string | null> {
  const { data } = await api.read('survey.get', { id: survey })
  const { data: lines } = await api.read('project.history', { id: data.project_id, per_page: 50 })
  return lines.find((line) => line.subject === 'survey' && line.subject_id === survey && line.after.questions)?.who ?? null
}

const moving = (title: string, by: 1 | -1) =>
  command({
    title,
    on: 'question',
    many: true,
    icon: 'arrows',
    undo: 'restores',
    async run({ api, subjects, workspace }) {
      const survey = surveyOf(subjects[0])
      const seen = orderOf(api, survey)
      // The write that waits for this read reports its failure.
      seen.catch(() => {})
      await moveLater(survey, { ids: subjects.map(({ id }) => id), by }, async (apply) => {
        const [before, now] = [await seen, await orderOf(api, survey)]
        const ids = apply(now)
        const isOthers = before.some((id, at) => id !== now[at])
        const who = isOthers ? await whoOrdered(api, survey) : null
        if (ids.some((id, at) => id !== now[at])) await api.write('question.reorder', { id: survey, ids: [...ids] })
        if (who) workspace.notice(`Order changed by ${who}`)
        return ids
      })
    },
  })

/** Only survey questions are in an order. */
const PLACED = { question_type: 'survey' }

/** Questions of surveys (screens-projects.md, Questions). */
export const surveyQuestionCommands = {
  'question.create': command({
    title: 'New question…',
    on: ['survey', 'question'],
    rule: null,
    keywords: 'add',
    icon: 'plus',
    undo: 'needless',
    run: ({ workspace, subject }) => {
      const isQuestion = subject.kind === 'question'
      const questionType = isQuestion ? typeOf(subject) : 'survey'
      const after = isQuestion && questionType === 'survey' ? subject.id : null
      workspace.open(href('newQuestion', { id: surveyOf(subject), questionType }, { query: { after } }), 'tab')
    },
  }),
  'question.edit': command({
    title: 'Edit question',
    on: 'question',
    keywords: 'change answers type text rename',
    icon: 'pencil',
    undo: 'needless',
    run: ({ workspace, subject }) =>
      workspace.open(href('survey', { id: surveyOf(subject) }, { tab: 'questions', query: { edit: subject.id } }), 'tab'),
  }),
  'question.moveUp': moving('Move question up', -1),
  'question.moveDown': moving('Move question down', 1),
  'question.moveTo': command({
    title: 'Move question to…',
    on: 'question',
    many: true,
    keywords: 'order place number sort',
    icon: 'arrows',
    undo: 'restores',
    asks: {
      place: ask.number({
        label: 'Order',
        check: (text: string) => faultOf({ ...questionFields.order, required: MESSAGES.questionOrder }, text, PLACED),
        prefill: ([question]: readonly Subject[]) => recordOf(question, 'question').order,
      }),
    },
    async run({ api, subjects, answers }) {
      const survey = surveyOf(subjects[0])
      await writtenOrders(survey)
      const order = await orderOf(api, survey)
      const ids = movedTo(
        order,
        subjects.map(({ id }) => id),
        answers.place,
      )
      if (ids.every((id, at) => id === order[at])) return { note: 'It’s there already' }
      await api.write('question.reorder', { id: survey, ids })
      return {
        message: noticeOf('question.reorder', { ...aboutOf(subjects), rest: ` to ${count(ids.indexOf(subjects[0]!.id) + 1)}` }),
      }
    },
  }),
  'question.paste': command({
    title: 'Paste questions…',
    on: ['survey', 'question'],
    rule: null,
    keywords: 'sheet excel csv import bulk add many',
    icon: 'copy',
    undo: 'needless',
    run: ({ workspace, subject }) =>
      workspace.open(href('survey', { id: surveyOf(subject) }, { tab: 'questions', query: { paste: 1 } })),
  }),
  'question.editField': bulkEditOf('question', questionFields),
  'question.remove': command({
    title: 'Delete question',
    on: 'question',
    many: true,
    danger: true,
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => {
      const answered = subjects.filter(({ record }) => Number(record?.answered) > 0)
      return {
        title: `Delete ${listed(subjects)}?`,
        body: answered.length
          ? `${answered.length === subjects.length ? either(subjects, 'It has answers, so it is', 'They have answers, so they are') : `${count(answered.length)} of them have answers, so they are`} retired: charts keep ${either(answered, 'it', 'them')} under “Retired”.`
          : `No complete answered ${either(subjects, 'it', 'them')}. What others answered is retired instead. You can undo this.`,
        lines: answered.slice(0, 5).map(({ id, name, record }) => ({
          label: `${codeOf('question', id)} ${name}`,
          value: `${count(Number(record?.answered))} answered`,
        })),
        action: 'Delete',
      }
    },
    each: {
      done: 'question.remove',
      answers: true,
      one: ({ api, subject, signal }) => api.write('question.remove', { id: subject.id }, { signal }),
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof surveyQuestionCommands> {}
}
