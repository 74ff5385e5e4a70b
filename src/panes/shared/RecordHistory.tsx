import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import type { Answer } from '../../data/useCall.ts'
import { EmptyState } from '../../ui/States.tsx'

type Lines = Output<'team.history'>
type Line = Lines['data'][number]

/** The latest entries of a record's history: when, who, what, and details. */
export function RecordHistory({ answer }: { answer: Answer<Lines> }) {
  return (
    <section aria-label="History" className="mt-6 px-4">
      <h2 className="text-meta font-medium text-muted">History</h2>
      <AnswerState
        answer={answer}
        what="The history"
        rows={3}
        empty={<EmptyState className="items-start! px-0! py-3! text-left!">Nothing has happened yet.</EmptyState>}
      />
      <ol className="mt-1 max-w-4xl divide-y divide-line border-y border-line empty:hidden">
        {answer.data?.data.map((line) => (
          <li key={line.id} className="grid grid-cols-1 gap-x-4 py-2 @lg:grid-cols-[144px_minmax(0,1fr)]">
            <time dateTime={line.at} title={moment(line.at, 'full')} className="text-meta text-muted tabular-nums">
              {moment(line.at)}
            </time>
            <p className="min-w-0 break-words">
              <bdi className="font-medium">{line.actor_name}</bdi>{' '}
              <span className="text-muted">
                {line.words}
                {detailOf(line)}
              </span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Describes an entry's details: the new name, added or unlinked records, or location counts before and after. */
function detailOf({ before, after }: Line): string {
  const names = [...new Set([...valuesOf(after), ...valuesOf(before)])]
  if (names.length) return `: ${names.slice(0, 6).join(', ')}${names.length > 6 ? ` and ${count(names.length - 6)} more` : ''}`
  const is = after.locations
  if (typeof before.locations === 'number' && typeof is === 'number')
    return `: ${count(before.locations)} before, ${count(is)} since`
  const added = after.locations_added ?? after.added
  return typeof added === 'number' ? `: ${count(added)}` : ''
}
const valuesOf = (of: Line['before']): string[] =>
  Object.entries(of).flatMap(([field, value]) =>
    /_(ids?|at)$/.test(field) ? [] : Array.isArray(value) ? value.map(String) : typeof value === 'string' && value ? [value] : [],
  )
