import { faultOf } from '../../../contract/fieldKinds.ts'
import { showTime } from '../../../contract/format.ts'
import { noteFields, olderNoteFields } from '../../../contract/noteFields.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf, editAsksOf } from '../fieldAsks.ts'
import { recordOf, type Subject } from '../subject.ts'
import { either, listed, lockOf, noticeOf } from '../words.ts'

const isOlder = (subject: Subject) => subject.kind === 'campaign' || recordOf(subject, 'project').generation === 'campaign'
const check = (text: string, _answers: unknown, subjects: readonly Subject[]) =>
  faultOf((subjects.length && subjects.every(isOlder) ? olderNoteFields : noteFields).note, text)

/** Returns a project's tab with the cursor on one of its entries. */
const tabOf = ({ kind, id }: Subject, tab: 'notes' | 'history', entry: number): string =>
  kind === 'campaign'
    ? href('surveyProject', { id }, { tab, query: { entry } })
    : href('project', { id }, { tab, query: { entry } })

/** A project's notes, for administrators. */
export const noteCommands = {
  'note.create': command({
    title: 'Add note…',
    on: ['project', 'campaign'],
    keywords: 'comment remark',
    icon: 'note',
    many: true,
    undo: 'restores',
    asks: { note: ask.text({ ...asksOf(noteFields).note, recalls: true, check }) },
    review: (subjects) => ({
      title: `Add this note to ${listed(subjects)}?`,
      body: either(subjects, '', 'Each gets its own note.'),
      action: 'Add note',
    }),
    each: {
      done: 'note.create',
      one: ({ api, subject, answers, signal }) =>
        api.write('note.create', { project_id: subject.id, ...answered(noteFields, answers) }, { signal }),
    },
  }),
  'note.goTo': command({
    title: 'Go to note…',
    detail: 'of this project, by its text',
    on: ['project', 'campaign'],
    rule: null,
    keywords: 'find open comment',
    icon: 'note',
    undo: 'needless',
    asks: {
      note: ask.entity({
        kind: 'note',
        label: 'Note',
        among: async (api, [subject]) => {
          const { data } = await api.read('note.list', { id: subject!.id, per_page: 200 })
          return data.map((one) => ({
            value: String(one.id),
            label: one.note.slice(0, 120),
            detail: `${one.author} · ${showTime(new Date(one.created_at), 'day')}`,
          }))
        },
      }),
    },
    run: ({ workspace, subject, answers: { note } }) => workspace.open(tabOf(subject, 'notes', note), 'here'),
  }),
  'project.goToChange': command({
    title: 'Go to change…',
    detail: 'in the history of this project',
    on: ['project', 'campaign'],
    rule: null,
    keywords: 'find open history entry who changed',
    icon: 'list',
    undo: 'needless',
    asks: {
      change: ask.entity({
        kind: 'project',
        label: 'Change',
        among: async (api, [subject]) => {
          const { historyWords } = await import('../../../contract/history.ts')
          const { data } = await api.read('project.history', { id: subject!.id, per_page: 200 })
          return data.map((one) => ({
            value: String(one.id),
            label: `${one.who} ${historyWords(one.action) ?? one.action.replace('.', ': ')}`,
            detail: [showTime(new Date(one.at), 'day'), one.reason].filter(Boolean).join(' · '),
          }))
        },
      }),
    },
    run: ({ workspace, subject, answers: { change } }) => workspace.open(tabOf(subject, 'history', change), 'here'),
  }),
  'note.edit': command({
    title: 'Edit note…',
    on: 'note',
    rule: null,
    icon: 'pencil',
    undo: 'restores',
    asks: { note: ask.text({ ...editAsksOf(noteFields).note, check }) },
    async run({ api, subject, answers }) {
      const input = { note_id: subject.id, ...answered(noteFields, answers), ...lockOf(subject.record) }
      return { message: (await api.write('note.edit', input)).message }
    },
  }),
  'note.remove': command({
    title: 'Delete note',
    on: 'note',
    rule: null,
    danger: true,
    icon: 'trash',
    undo: 'restores',
    confirm: () => ({ title: 'Delete this note?', body: 'Its text stays in the history.', action: 'Delete' }),
    async run({ api, subject }) {
      await api.write('note.remove', { note_id: subject.id })
      return { message: noticeOf('note.remove', { noun: 'note' }) }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof noteCommands> {}
}
