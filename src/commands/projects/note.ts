import { MESSAGES } from '../../../contract/messages.ts'
import { ask, command } from '../command.ts'
import type { Subject } from '../subject.ts'
import { either, listed, lockOf } from '../words.ts'

/** Notes of v1 projects have their own messages (projects-area 5). */
const isOlder = ({ kind, record }: Subject) => kind === 'campaign' || record?.generation === 'campaign'
const check = (text: string, _answers: unknown, subjects: readonly Subject[]) =>
  text.trim() ? null : subjects.length && subjects.every(isOlder) ? MESSAGES.noteBlankV1 : MESSAGES.noteBlank

/** A project's notes, for administrators. */
export const noteCommands = {
  'note.create': command({
    title: 'Add note…',
    on: ['project', 'campaign'],
    keywords: 'comment remark',
    icon: 'note',
    many: true,
    undo: 'restores',
    asks: { note: ask.text({ label: 'Note', recalls: true, lines: 4, check }) },
    review: (subjects) => ({
      title: `Add this note to ${listed(subjects)}?`,
      body: either(subjects, '', 'Each gets a note of its own.'),
      action: 'Add note',
    }),
    each: {
      done: ['has your note', 'have your note'],
      one: ({ api, subject, answers, signal }) =>
        api.write('note.create', { project_id: subject.id, note: answers.note }, { signal }),
    },
  }),
  'note.edit': command({
    title: 'Edit note…',
    on: 'note',
    rule: null,
    icon: 'pencil',
    undo: 'restores',
    asks: { note: ask.text({ label: 'Note', lines: 4, prefill: ([subject]) => subject?.record?.note, check }) },
    async run({ api, subject, answers }) {
      await api.write('note.edit', { note_id: subject.id, note: answers.note, ...lockOf(subject.record) })
      return { message: 'Note changed' }
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
      return { message: 'Note deleted' }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof noteCommands> {}
}
