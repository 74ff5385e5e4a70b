import { useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { wordOf } from '../../../contract/nounOf.ts'
import { PAGE } from '../../../contract/pages.ts'
import { HISTORY_FILTERS } from '../../../contract/vocabulary.ts'
import { FigureDifference } from '../../compare/FigureDifference.tsx'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { ENTRY, useEntries } from '../../list/useEntries.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { usePart } from '../../workspace/compareRole.ts'
import { usePane } from '../../workspace/pane.tsx'
import { doneText } from './historyActions.ts'
import { fieldName, fieldValue, listChange } from './historyFields.ts'

type Line = Output<'project.history'>['data'][number]

/** A project's history, filtered by All, Client, Event or Channel Partner, 5 rows a page (projects-area 2). */
export function HistoryTab({ project }: { project: { id: number; generation: string } }) {
  const { query, setQuery } = usePane()
  const filter = HISTORY_FILTERS.find((one) => one.value === query.by)?.value ?? 'all'
  const page = Math.max(1, Number(query.page) || 1)
  const answer = useCall('project.history', { id: project.id, filter, page, per_page: PAGE.history })
  const compared = usePart() !== null
  const [open, setOpen] = useState<number | null>(null)
  const { whole, propsOf } = useEntries<Line>({
    // While the next page loads, the previous rows stay.
    rows: answer.stale || answer.data?.page !== page ? undefined : answer.data.data,
    ...{ page, size: PAGE.history, total: answer.data?.count ?? 0 },
    // No command acts on a history entry.
    subjectOf: () => null,
    onOpen: ({ id }) => setOpen((now) => (now === id ? null : id)),
  })
  return (
    <section aria-label="History" className="px-4 pt-3 pb-6">
      <div className="flex items-center justify-between gap-3">
        <span data-filter="by">
          <Menu
            label="Who"
            align="start"
            trigger={<Chip label="By" value={HISTORY_FILTERS.find((one) => one.value === filter)!.label} on={filter !== 'all'} />}
            items={HISTORY_FILTERS.map((one) => ({
              id: one.value,
              label: one.label,
              checked: one.value === filter,
              one: true,
              onSelect: () => setQuery({ by: one.value === 'all' ? null : one.value, page: null, entry: null }),
            }))}
          />
        </span>
        {compared && answer.data && (
          <p className="text-meta text-muted">
            {count(answer.data.count)} change{answer.data.count === 1 ? '' : 's'}
            <FigureDifference topic="history" value={answer.stale ? undefined : answer.data.count} of={filter} />
          </p>
        )}
      </div>
      <AnswerState
        answer={answer}
        what="The history"
        rows={5}
        empty={<EmptyState>Nothing has happened yet{filter === 'all' ? '' : ' by them'}.</EmptyState>}
      />
      <ol ref={whole} className="mt-2 divide-y divide-line">
        {answer.data?.data.map((line, place) => (
          <li key={line.id}>
            <article
              {...propsOf(line.id)}
              aria-labelledby={`change-${line.id}`}
              aria-posinset={(page - 1) * PAGE.history + place + 1}
              aria-setsize={answer.data?.count}
              className={ENTRY}
            >
              <HistoryLine
                line={line}
                generation={project.generation}
                whole={open === line.id}
                onWhole={() => setOpen(open === line.id ? null : line.id)}
              />
            </article>
          </li>
        ))}
      </ol>
      {answer.data && answer.data.count > PAGE.history && (
        <Pager
          page={page}
          size={PAGE.history}
          total={answer.data.count}
          most={PAGE.links}
          noun="changes"
          onPage={(next) => setQuery({ page: next > 1 ? next : null, entry: null })}
        />
      )}
    </section>
  )
}

/** The most fields of a change shown before it is expanded. */
const FEW_FIELDS = 12

interface HistoryLineProps {
  line: Line
  generation: string
  whole: boolean
  onWhole: () => void
}
function HistoryLine({ line, generation, whole, onWhole }: HistoryLineProps) {
  const fields = [...new Set([...Object.keys(line.before), ...Object.keys(line.after)])]
  return (
    <div
      id={`change-${line.id}`}
      className="grid min-w-0 flex-1 grid-cols-1 gap-x-4 gap-y-0.5 @lg:grid-cols-[144px_minmax(0,1fr)]"
    >
      <time dateTime={line.at} title={moment(line.at, 'full')} className="text-meta whitespace-nowrap text-muted tabular-nums">
        {moment(line.at)}
      </time>
      <div className="min-w-0">
        <p>
          <span className="font-medium">{line.who}</span>{' '}
          <span className="text-muted">
            {doneText(line.action)}
            {line.subject === 'project' ? '' : ` · ${wordOf(line.subject)}`}
            {line.acting_admin && (
              <>
                {' · '}
                <bdi>{line.acting_admin}</bdi> acting for them
              </>
            )}
          </span>
        </p>
        {line.reason && (
          <p className="text-muted">
            “<bdi>{line.reason}</bdi>”
          </p>
        )}
        {fields.length > 0 && (
          <dl className="mt-1 space-y-0.5">
            {fields.slice(0, whole ? undefined : FEW_FIELDS).map((field) => (
              <div key={field} className="flex flex-wrap gap-x-2">
                <dt className="text-muted">{fieldName(line.subject, field)}</dt>
                <dd className="min-w-0 break-words">
                  {listOf(line, field, generation) ?? (
                    <>
                      {isSomething(ownValue(line.before, field)) && (
                        <>
                          <span className="text-muted line-through">{fieldValue(field, ownValue(line.before, field))}</span> →{' '}
                        </>
                      )}
                      <bdi>{fieldValue(field, ownValue(line.after, field))}</bdi>
                    </>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {fields.length > FEW_FIELDS && (
          <Button data-view="" variant="ghost" aria-expanded={whole} onClick={onWhole}>
            {whole ? 'Show fewer fields' : `Show all ${fields.length} fields`}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Returns what an audience entry added and removed; null for other entries. */
const listOf = (line: Line, field: string, generation: string): string | null =>
  line.subject === 'target' ? listChange(field, ownValue(line.before, field), ownValue(line.after, field), generation) : null

/** Reads an own property only, because a field may be called `constructor`. */
const ownValue = (of: Line['before'], field: string): unknown => (Object.hasOwn(of, field) ? of[field] : undefined)
/** True if there is an old value to strike through. */
const isSomething = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
