import { useEffect, useMemo, useRef } from 'react'
import { count } from '../../../contract/format.ts'
import { FigureDifference, WordDifference } from '../../compare/FigureDifference.tsx'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/States.tsx'
import { useWidth } from '../../ui/useWidth.ts'
import { usePane } from '../../workspace/pane.tsx'
import { labelOfSet } from '../shared/dma.ts'
import { byRank, columnsAt, rowsFor } from '../shared/marketAreas.ts'
import { AreaMap } from './AreaMap.tsx'
import type { ActivityTabProps } from './activitySubject.ts'
import { sharesBy } from './audienceFields.ts'

/** Shows where an activity is fielded, with completes by market area. */
export function MarketTab({ activity, subject }: ActivityTabProps) {
  const { query, setQuery } = usePane()
  const { id } = activity
  const answer = useCall('activity.target', { id }, { fresh: true })
  const dmas = useCall('dma.list', {})
  const completes = useCall('target.completes', { id }, { fresh: true }).data?.data
  const list = useRef<HTMLUListElement>(null)
  const whole = useRef<HTMLElement>(null)
  const width = useWidth(whole)
  const target = answer.data?.data
  const codes = useMemo(() => (target?.targeted_locations ?? '').split(',').filter(Boolean), [target])
  const areas = useMemo(() => {
    const set = new Set(codes)
    return byRank((dmas.data?.dmas ?? []).filter((dma) => set.has(String(dma.dma_code))))
  }, [dmas.data, codes])
  const marked = query.area ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the area renders once they have loaded
  useEffect(() => {
    if (marked) list.current?.querySelector(`[data-area="${marked}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [marked, areas])
  const edit = <CommandButton id="activity.editMarket" subjects={[subject]} variant="primary" />
  if (answer.data && target?.location_based === 'yes')
    return (
      <EmptyState action={edit}>
        {activity.location_groups.length
          ? `By location groups: ${activity.location_groups.map(({ name }) => name).join(', ')}.`
          : 'By location groups. None is linked yet.'}
      </EmptyState>
    )
  if (answer.data && !codes.length) return <EmptyState action={edit}>No market chosen.</EmptyState>
  const label = labelOfSet(dmas.data?.dmas ?? [], codes) ?? `${count(codes.length)} market area${codes.length === 1 ? '' : 's'}`
  const shares = sharesBy(
    (completes?.areas ?? []).map((area) => ({ value: area.id, completes: area.completes })),
    completes?.completes ?? 0,
  )
  const by = new Map((completes?.areas ?? []).map((area) => [area.id, area.completes]))
  const shown = marked ? areas.filter(({ dma_code }) => String(dma_code) === marked) : areas
  const columns = columnsAt(width)
  return (
    <section ref={whole} aria-label="Target market" className="pt-3 pb-8">
      <AnswerState answer={answer} what="The market" rows={8} />
      {target && (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pb-3">
            <p className="min-w-0 flex-1 basis-48">
              <span className="font-medium">{label}</span>
              <WordDifference topic="market" text={label} />
              <FigureDifference topic="market areas" value={codes.length} />
              {completes?.completes === 0 && activity.activity_type === 'survey' && (
                <span className="text-muted"> · No completes yet</span>
              )}
              {completes && completes.outside_areas > 0 && (
                <span className="text-muted">
                  {' · '}
                  {count(completes.outside_areas)} of {count(completes.completes)} completes are in other areas
                </span>
              )}
            </p>
            <div className="flex flex-wrap gap-1.5">
              <CommandButton id="activity.editMarket" subjects={[subject]} />
              <CommandButton id="market.copy" subjects={[subject]} />
            </div>
          </div>
          <div className="px-4 pb-3">
            <AreaMap
              areas={shown.length ? shown : areas}
              label={marked && shown[0] ? shown[0].dma_name : 'Targeted market areas'}
            />
          </div>
          <ul
            ref={list}
            aria-label="Market areas"
            className="mx-4 grid grid-flow-col gap-x-6"
            style={{
              gridTemplateRows: `repeat(${rowsFor(areas.length, columns)}, minmax(28px, auto))`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {areas.map((area) => {
              const code = String(area.dma_code)
              const here = by.get(area.dma_code) ?? 0
              return (
                <li key={code} data-area={code}>
                  <button
                    type="button"
                    data-view=""
                    aria-pressed={marked === code}
                    onClick={() => setQuery({ area: marked === code ? null : code })}
                    className={cx(
                      'flex h-7 w-full min-w-0 items-center gap-2 rounded-sm px-1.5 text-left hover:bg-hover',
                      marked === code && 'bg-accent-wash text-accent-ink',
                    )}
                  >
                    <span className="w-7 shrink-0 text-right text-meta text-faint tabular-nums">{area.rank}</span>
                    <span className="min-w-0 flex-1 truncate" title={area.dma_name}>
                      {area.dma_name}
                    </span>
                    {completes &&
                      completes.completes > 0 &&
                      (here ? (
                        <span className="shrink-0 text-meta text-muted tabular-nums">
                          {count(here)} · {shares(area.dma_code)}
                        </span>
                      ) : (
                        <span className="shrink-0 text-meta text-faint">no completes</span>
                      ))}
                  </button>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </section>
  )
}
