import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { api } from '../../data/apiClient.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { TextArea } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'
import { OfProject } from './OfProject.tsx'
import type { Project } from './projectEdit.ts'

interface Values {
  project_id: number
  note: string
}
const LABELS = { note: 'Note' } as Readonly<Record<keyof Values, string>>
const RULES: FormRules<Values> = { schema: async () => (await import('../../../contract/note.ts')).NoteInput }
const SHOWN = 3

/** Adds a note to a project; the shortcut `a n` does it without the form. */
export default function NewNotePane({ params }: PaneProps) {
  return <OfProject id={Number(params.id)}>{(project) => <NoteForm key={project.id} project={project} />}</OfProject>
}

function NoteForm({ project }: { project: Project }) {
  const blank = project.generation === 'campaign' ? MESSAGES.noteBlankV1 : MESSAGES.noteBlank
  const form = useRecordForm<Values>({
    form: 'note.create',
    record: project.id,
    initial: { project_id: project.id, note: '' },
    labels: LABELS,
    rules: RULES,
    also: ({ note }) => (note.trim() ? {} : { note: blank }),
    noun: 'note',
    async save({ input, attempt }) {
      const { data } = await api.write('note.create', input as never, { attempt })
      return { title: 'Note Created', name: data.note, leads: recordHref(project.generation, project.id, 'notes') }
    },
  })
  return (
    <RecordForm
      form={form}
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
        {
          id: 'note',
          title: 'Note',
          fields: ['note'],
          children: (
            <FormField
              control={form.control}
              name="note"
              label={LABELS.note}
              required
              wide
              hint="Only administrators see notes, never clients."
            >
              {(bound) => <TextArea {...bound} rows={4} maxLength={20_000} />}
            </FormField>
          ),
        },
        { id: 'last', title: 'Last notes', fields: [], done: true, children: <LastNotes project={project} /> },
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
