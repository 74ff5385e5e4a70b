import { noteFields, olderNoteFields } from '../../../contract/noteFields.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { type NewForm, newPane } from '../shared/form/declaredForm.tsx'
import { recordHref } from '../shared/projectSubject.ts'

const SHOWN = 3

/** A new note on a project, with the last ones; the shortcut `a n` adds one without the form. */
const form: NewForm<'note', typeof noteFields, 'project'> = {
  noun: 'note',
  fields: noteFields,
  of: 'project',
  useSpecial(project) {
    const notes = recordHref(project.generation, project.id, 'notes')
    return {
      ...(project.generation === 'campaign' ? { fields: olderNoteFields } : {}),
      form: { saved: ({ data }) => ({ title: 'Note Created', name: 'note' in data ? data.note : '', leads: notes }) },
      title: `New note on ${project.name}`,
      links: { Notes: notes },
      send: 'Add note',
      sections: [
        { id: 'note', title: 'Note', fields: ['note'] },
        { id: 'last', title: 'Last notes', fields: [], done: true, body: <LastNotes id={project.id} /> },
      ],
    }
  },
}
export const pane = newPane(form)

function LastNotes({ id }: { id: number }) {
  const { data } = useCall('note.list', { id, page: 1, per_page: SHOWN })
  if (!data) return null
  if (!data.data.length) return <p className="text-muted">No notes yet.</p>
  return (
    <ol className="divide-y divide-line @lg:col-span-2">
      {data.data.map((note) => (
        <li key={note.id} className="py-2 first:pt-0">
          <p dir="auto" className="line-clamp-3 max-w-prose break-words whitespace-pre-wrap">
            {note.note}
          </p>
          <p className="mt-0.5 text-meta text-muted">
            <bdi>{note.author}</bdi> · <time dateTime={note.created_at}>{moment(note.created_at)}</time>
          </p>
        </li>
      ))}
    </ol>
  )
}
