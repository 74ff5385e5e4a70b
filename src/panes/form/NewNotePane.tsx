import { noteFields, olderNoteFields } from '../../../contract/noteFields.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'
import { OfProject } from './OfProject.tsx'
import type { Project } from './projectEdit.ts'

const SHOWN = 3

/** Adds a note to a project; the shortcut `a n` does it without the form. */
export default function NewNotePane({ params }: PaneProps) {
  return <OfProject id={Number(params.id)}>{(project) => <NoteForm key={project.id} project={project} />}</OfProject>
}

function NoteForm({ project }: { project: Project }) {
  const fields = project.generation === 'campaign' ? olderNoteFields : noteFields
  const form = useFieldForm('note', fields, {
    of: project.id,
    more: { project_id: project.id },
    saved: ({ data }) => ({
      title: 'Note Created',
      name: data.note,
      leads: recordHref(project.generation, project.id, 'notes'),
    }),
  })
  return (
    <FieldForm
      form={form}
      fields={fields}
      title={`New note on ${project.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('project', project.id)}</span>
          <StatusPill stored={project.stored_status} shown={project.status_shown} />
          <PaneLink to={recordHref(project.generation, project.id, 'notes')} className="text-accent-ink hover:underline">
            Notes
          </PaneLink>
        </p>
      }
      send="Add note"
      sections={[
        { id: 'note', title: 'Note', fields: ['note'] },
        { id: 'last', title: 'Last notes', fields: [], done: true, body: <LastNotes project={project} /> },
      ]}
    />
  )
}

function LastNotes({ project }: { project: Project }) {
  const { data } = useCall('note.list', { id: project.id, page: 1, per_page: SHOWN })
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
