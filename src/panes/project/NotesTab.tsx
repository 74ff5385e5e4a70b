import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { PAGE } from '../../../contract/pages.ts'
import type { Subject } from '../../commands/subject.ts'
import { FigureDifference } from '../../compare/FigureDifference.tsx'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { ENTRY, useEntries } from '../../list/useEntries.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { start } from '../../runner/lazyRunner.ts'
import { Pager } from '../../ui/Pager.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { usePart } from '../../workspace/compareRole.ts'
import { usePane } from '../../workspace/pane.tsx'

type Note = Output<'note.list'>['data'][number]
const noteSubject = (note: Note, generation: string): Subject => ({
  kind: 'note',
  id: note.id,
  name: note.note.slice(0, 40),
  record: { ...note, generation },
})

/** A project's notes, for administrators; 5 per page, newest first (projects-area 2). */
export function NotesTab({ project, subject }: { project: { id: number; generation: string }; subject: Subject }) {
  const { query, setQuery } = usePane()
  const page = Math.max(1, Number(query.page) || 1)
  const answer = useCall('note.list', { id: project.id, page, per_page: PAGE.notes })
  const compared = usePart() !== null
  const { generation } = project
  const { whole, propsOf } = useEntries<Note>({
    // While the next page loads, the previous rows stay.
    rows: answer.stale || answer.data?.page !== page ? undefined : answer.data.data,
    ...{ page, size: PAGE.notes, total: answer.data?.count ?? 0 },
    subjectOf: (note) => noteSubject(note, generation),
    onOpen: (note) => {
      const link = /https?:\/\/\S+/.exec(note.note)?.[0]
      if (link) window.open(link, '_blank', 'noopener')
      else start('note.edit', { subjects: [noteSubject(note, generation)], via: 'key' })
    },
  })
  return (
    <section aria-label="Notes" className="px-4 pt-3 pb-6">
      {answer.data && (compared || answer.data.count > 0) && (
        <div className="flex min-h-7 items-center justify-between gap-3">
          {answer.data.count > 0 ? <CommandButton id="note.create" subjects={[subject]} variant="primary" /> : <span />}
          {compared && (
            <p className="text-meta text-muted">
              {count(answer.data.count)} note{answer.data.count === 1 ? '' : 's'}
              <FigureDifference topic="notes" value={answer.data.count} />
            </p>
          )}
        </div>
      )}
      <AnswerState
        answer={answer}
        what="The notes"
        rows={5}
        empty={
          <EmptyState action={<CommandButton id="note.create" subjects={[subject]} variant="primary" />}>
            No notes yet. Only administrators see notes, never clients.
          </EmptyState>
        }
      />
      <ol ref={whole} className="mt-2 divide-y divide-line">
        {answer.data?.data.map((note, place) => (
          <li key={note.id}>
            <article
              {...propsOf(note.id)}
              aria-labelledby={`note-${note.id} note-${note.id}-by`}
              aria-posinset={(page - 1) * PAGE.notes + place + 1}
              aria-setsize={answer.data?.count}
              className={ENTRY}
            >
              <div className="min-w-0 flex-1">
                <p id={`note-${note.id}`} className="max-w-prose break-words whitespace-pre-wrap">
                  {note.note}
                </p>
                <p id={`note-${note.id}-by`} className="mt-1 text-meta text-muted">
                  <bdi>{note.author}</bdi> ·{' '}
                  <time dateTime={note.created_at} title={moment(note.created_at, 'full')}>
                    {moment(note.created_at)}
                  </time>
                  {note.updated_at !== note.created_at && ` · changed ${moment(note.updated_at)}`}
                </p>
              </div>
              <CommandMenu subjects={[noteSubject(note, project.generation)]} />
            </article>
          </li>
        ))}
      </ol>
      {answer.data && answer.data.count > PAGE.notes && (
        <Pager
          page={page}
          size={PAGE.notes}
          total={answer.data.count}
          most={PAGE.links}
          noun="notes"
          onPage={(next) => setQuery({ page: next > 1 ? next : null, entry: null })}
        />
      )}
    </section>
  )
}
