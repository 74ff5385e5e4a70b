import { MESSAGES } from '../../contract/messages.ts'
import { ask, command } from './command.ts'

const check = (text: string) => (text.trim() ? null : MESSAGES.noteBlank)

/** Notes of a project, for administrators. */
export const noteCommands = {
  'note.create': command({
    title: 'Add note…',
    on: ['project', 'campaign'],
    access: 'admin',
    keywords: 'comment remark',
    icon: 'note',
    asks: { note: ask.text({ label: 'Note', lines: 4, check }) },
    async run({ api, subject, answers }) {
      const { data } = await api.write('note.create', { project_id: subject.id, note: answers.note })
      return { said: 'Note added', undo: { label: 'Undo', run: (api) => api.write('note.remove', { note_id: data.id }) } }
    },
  }),
  'note.edit': command({
    title: 'Edit note…',
    on: 'note',
    access: 'admin',
    rule: null,
    icon: 'pencil',
    asks: { note: ask.text({ label: 'Note', lines: 4, prefill: ([subject]) => subject?.record?.note, check }) },
    async run({ api, subject, answers }) {
      const lock_version = typeof subject.record?.lock_version === 'number' ? subject.record.lock_version : undefined
      const before = String(subject.record?.note ?? '')
      await api.write('note.edit', { note_id: subject.id, note: answers.note, lock_version })
      return {
        said: 'Note changed',
        undo: { label: 'Undo', run: (api) => api.write('note.edit', { note_id: subject.id, note: before }) },
      }
    },
  }),
  'note.remove': command({
    title: 'Delete note',
    on: 'note',
    access: 'admin',
    rule: null,
    danger: true,
    icon: 'trash',
    confirm: () => ({ title: 'Delete this note?', body: 'Its text stays in the history.', action: 'Delete' }),
    async run({ api, subject }) {
      const project_id = Number(subject.record?.project_id)
      const note = String(subject.record?.note ?? '')
      await api.write('note.remove', { note_id: subject.id })
      return { said: 'Note deleted', undo: { label: 'Undo', run: (api) => api.write('note.create', { project_id, note }) } }
    },
  }),
} as const
