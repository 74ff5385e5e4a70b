import { useCallback } from 'react'
import { fileSize } from '../../../../contract/format.ts'
import { moment } from '../../../data/format.ts'
import { type ShortColumn, ShortList } from '../../../list/ShortList.tsx'
import { start } from '../../../runner/lazyRunner.ts'
import { EmptyState } from '../../../ui/States.tsx'
import { type Document, documentSubject, type StepProps } from './quoteSteps.ts'

const COLUMNS: readonly ShortColumn<Document>[] = [
  {
    id: 'name',
    header: 'Name',
    min: 180,
    flex: 4,
    priority: 9,
    by: ({ name }) => name,
    render: ({ name }) => (
      <span dir="auto" className="truncate font-medium">
        {name}
      </span>
    ),
  },
  {
    id: 'date',
    header: 'Date',
    width: 152,
    priority: 7,
    narrow: 'meta',
    figure: true,
    by: ({ created_at }) => created_at,
    render: ({ created_at }) => moment(created_at),
  },
  {
    id: 'size',
    header: 'Size',
    width: 96,
    align: 'right',
    priority: 5,
    narrow: 'aside',
    by: ({ size }) => size,
    render: ({ size }) => fileSize(size),
  },
  {
    id: 'by',
    header: 'By',
    min: 132,
    flex: 2,
    priority: 6,
    narrow: 'meta',
    by: ({ by }) => by,
    render: ({ by }) => <span className="truncate">{by || '–'}</span>,
  },
]

/** Lists signed documents; Enter opens one. */
export function DocumentsStep({ quote, subject }: StepProps) {
  const subjectOf = useCallback((document: Document) => documentSubject(quote, document), [quote])
  const open = useCallback(
    (document: Document) => start('file.download', { subjects: [documentSubject(quote, document)], via: 'button' }),
    [quote],
  )
  const adds = quote.allowed_actions.includes('docsign.add')
  return (
    <ShortList<Document>
      title="Signed documents"
      nouns={['signed document', 'signed documents']}
      rows={quote.documents}
      columns={COLUMNS}
      subjectOf={subjectOf}
      onOpen={open}
      actions={adds ? ['docsign.add'] : []}
      bulk={['docsign.remove']}
      menu={['file.download', 'docsign.remove']}
      empty={
        <EmptyState>
          {adds
            ? 'No signed documents yet. The latest one stays with the project.'
            : `Documents are signed once the quote of ${subject.name} is approved.`}
        </EmptyState>
      }
    />
  )
}
