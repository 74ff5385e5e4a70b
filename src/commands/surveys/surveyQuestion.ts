import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import type { Api } from '../../data/api.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import type { Subject } from '../subject.ts'
import { either, listed } from '../words.ts'

const surveyOf = (subject: Subject | undefined): number =>
  subject?.kind === 'question' ? Number(subject.record?.survey_id) : Number(subject?.id)
const typeOf = (subject: Subject): string => String(subject.record?.question_type ?? 'survey')

/** The ids of a survey's questions that have an order. */
async function orderOf(api: Api, survey: number): Promise<number[]> {
  const { data } = await api.read('survey.questions', { id: survey, type: 'survey' })
  return data.map(({ id }) => id)
}

/** Moves some ids to a place, keeping their order; `at` counts from 1 among all of them. */
export function movedTo(order: readonly number[], some: readonly number[], at: number): number[] {
  const moving = order.filter((id) => some.includes(id))
  const rest = order.filter((id) => !some.includes(id))
  const place = Math.max(0, Math.min(rest.length, at - 1))
  return [...rest.slice(0, place), ...moving, ...rest.slice(place)]
}

/** Moves some ids one place up or down, each past its neighbour; a block at the end stays there. */
export function movedBy(order: readonly number[], some: readonly number[], by: 1 | -1): number[] {
  const moving = new Set(some)
  const ids = by === -1 ? [...order] : [...order].reverse()
  for (let at = 1; at < ids.length; at++) {
    const before = ids[at - 1]!
    if (moving.has(ids[at]!) && !moving.has(before)) [ids[at - 1], ids[at]] = [ids[at]!, before]
  }
  return by === -1 ? ids : ids.reverse()
}

async function reorder(api: Api, subjects: readonly Subject[], how: (order: number[], ids: number[]) => number[]) {
  const survey = surveyOf(subjects[0])
  const order = await orderOf(api, survey)
  const ids = how(
    order,
    subjects.map(({ id }) => id),
  )
  if (ids.every((id, at) => id === order[at])) return null
  await api.write('question.reorder', { id: survey, ids })
  return ids
}

const moving = (title: string, by: 1 | -1) =>
  command({
    title,
    on: 'question',
    many: true,
    icon: 'arrows',
    undo: 'restores',
    async run({ api, subjects }) {
      await reorder(api, subjects, (order, ids) => movedBy(order, ids, by))
    },
  })

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
        check: (text: string) => (Number(text) >= 1 ? null : MESSAGES.questionOrder),
        prefill: ([question]: readonly Subject[]) => question?.record?.order,
      }),
    },
    async run({ api, subjects, answers }) {
      const ids = await reorder(api, subjects, (order, some) => movedTo(order, some, answers.place))
      return { message: ids ? `Moved to ${count(ids.indexOf(subjects[0]!.id) + 1)}` : 'It’s there already' }
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
      done: ['is deleted', 'are deleted'],
      answers: true,
      one: ({ api, subject, signal }) => api.write('question.remove', { id: subject.id }, { signal }),
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof surveyQuestionCommands> {}
}
