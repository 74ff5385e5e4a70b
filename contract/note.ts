import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Id, Lock, listOf, needed, one, Search } from './call.ts'
import { plainSchema } from './fieldInput.ts'
import { paged } from './listInput.ts'
import { noteFields } from './noteFields.ts'
import { PAGE } from './pages.ts'

export const Note = z.object({
  id: z.number(),
  project_id: z.number(),
  note: z.string(),
  author: z.string(),
  author_id: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
/** The text of a note, which its handler refuses if it is blank: each generation of project has its own message. */
const Text = plainSchema({ ...noteFields.note, when: () => true })
const ListInput = z.object({ id: Id, ...paged(PAGE.notes), search: Search })

const ASK_BLANK = 'Please write your question'

export const noteCalls = {
  'note.list': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/notes',
    about: 'Lists the notes of a project, newest first.',
    input: ListInput,
    output: listOf(Note),
  }),
  'note.get': call({
    method: 'GET',
    path: '/v3/portal/projects/note/{id}',
    about: 'Returns one note.',
    input: z.object({ id: Id }),
    output: one(Note),
  }),
  'note.create': call({
    method: 'POST',
    path: '/v3/portal/projects/note',
    about: 'Adds a note to a project.',
    undo: true,
    input: z.object({ project_id: Id, note: Text }),
    output: one(Note).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'project.ask': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/ask',
    about: 'Asks a question about a project as a client user, in its conversation (message.send).',
    undo: true,
    sends: 'email',
    input: z.object({ id: Id, note: needed(ASK_BLANK, 5000) }),
    output: Effected,
    refreshes: ['message', 'history', 'outbox'],
  }),
  'note.edit': call({
    method: 'PUT',
    path: '/v3/portal/projects/note',
    about: 'Changes a note.',
    reads: { call: 'note.get', by: { id: 'note_id' } },
    undo: true,
    input: z.object({ note_id: Id, project_id: Id.optional(), note: Text, lock_version: Lock }),
    output: one(Note).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'note.remove': call({
    method: 'DELETE',
    path: '/v3/portal/projects/note',
    about: 'Deletes a note.',
    undo: true,
    input: z.object({ id: Id.optional(), note_id: Id.optional(), project_id: Id.optional() }),
    output: Effected,
    refreshes: ['history'],
  }),
}
