import { useEffect, useRef } from 'react'
import { count } from '../../../../contract/format.ts'
import { PAGE } from '../../../../contract/pages.ts'
import type { AdmissionReason, Quota, QuotaCell } from '../../../../contract/quota.ts'
import { QUOTA_FIELD_LABELS } from '../../../../contract/quotaSheet.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { moment } from '../../../data/format.ts'
import { useCall } from '../../../data/useCall.ts'
import { Button } from '../../../ui/Button.tsx'
import { Pager } from '../../../ui/Pager.tsx'
import { usePane } from '../../../workspace/pane.tsx'

const WORDS: Readonly<Record<AdmissionReason, string>> = {
  '': 'Admitted',
  resumed: 'Came back',
  full: 'Refused: full',
  closed: 'Refused: closed',
  unknown: 'Refused: not known enough of them',
  outside: 'Refused: fits no cell',
  duplicate: 'Refused: has completed',
  rid_taken: 'Refused: the rid is another’s',
  open: 'Admitted: the database was away',
}

/** Who was decided how, the newest first: all of a plan, or those whom a cell refused. */
export function Decisions({ plan, cell }: { plan: Quota; cell: QuotaCell }) {
  const { query, setQuery } = usePane()
  const page = Math.max(1, Number(query.page) || 1)
  const whole = cell.id === plan.all.id
  const list = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cell opens it again
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [cell.id])
  const answer = useCall(
    'quota.decisions',
    { id: plan.id, page, per_page: PAGE.notes, ...(whole ? {} : { cell: cell.id }) },
    { paced: { every: 5000, held: false } },
  )
  return (
    <section ref={list} aria-labelledby="decisions" className="mt-5">
      <div className="flex items-baseline gap-3">
        <h2 id="decisions" className="font-medium">
          {whole ? 'Decisions' : 'Refused by '}
          {!whole && <bdi>{cell.name}</bdi>}
        </h2>
        <Button data-view="" variant="ghost" onClick={() => setQuery({ decisions: null, page: null })}>
          Close
        </Button>
      </div>
      <AnswerState
        answer={answer}
        what="The decisions"
        rows={5}
        empty={<p className="text-muted">{whole ? 'Nobody has arrived yet.' : 'It has refused nobody.'}</p>}
      />
      <ol className="divide-y divide-line">
        {answer.data?.data.map(({ id, at, rid, reason, cell: by, profile }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 py-1">
            <time dateTime={at} title={moment(at, 'full')} className="whitespace-nowrap text-muted">
              {moment(at)}
            </time>
            <span>
              {WORDS[reason as AdmissionReason]}
              {by && (
                <>
                  {' · '}
                  <bdi>{by.name || 'Total'}</bdi>
                </>
              )}
            </span>
            <span className="min-w-0 break-words text-meta text-muted">
              {Object.entries(profile)
                .map(([field, code]) => `${QUOTA_FIELD_LABELS[field] ?? field} ${code}`)
                .join(', ') || 'Nothing known'}
            </span>
            <span className="ml-auto font-mono text-meta text-muted">{rid}</span>
          </li>
        ))}
      </ol>
      {answer.data && answer.data.count > PAGE.notes && (
        <Pager
          page={page}
          size={PAGE.notes}
          total={answer.data.count}
          most={PAGE.links}
          noun={`decisions of ${count(answer.data.count)}`}
          onPage={(next) => setQuery({ page: next > 1 ? next : null })}
        />
      )}
    </section>
  )
}
