import { useMemo, useState } from 'react'
import type { Brand } from '../../../../contract/brand.ts'
import { shortDate } from '../../../../contract/format.ts'
import { codeOf } from '../../../../contract/nounOf.ts'
import type { VisitCounts, VisitDay } from '../../../../contract/visit.ts'
import type { Subject } from '../../../commands/subject.ts'
import { ComparedPill } from '../../../compare/ComparedPill.tsx'
import { useCrosshair, useShared } from '../../../compare/shared.ts'
import { type Answer, useCall } from '../../../data/useCall.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { CommandMenu } from '../../../runner/CommandMenu.tsx'
import { DailyGraph, topOfDays } from '../../../ui/charts/DailyGraph.tsx'
import type { Day } from '../../../ui/charts/dailyWords.ts'
import { HourGrid, topShare } from '../../../ui/charts/HourGrid.tsx'
import { cx } from '../../../ui/cx.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { useSettled } from '../../../ui/useSettled.ts'
import { useTables } from '../../../workspace/chartTables.ts'
import { MarketMap } from './MarketMap.tsx'
import { useBrandController } from './useBrandController.ts'
import { useVisitView, type VisitViewState } from './useVisitView.ts'
import { VisitFigures } from './VisitFigures.tsx'
import { VisitFilterBar } from './VisitFilterBar.tsx'
import { VisitsError } from './VisitsError.tsx'
import { inputOfView, rangeBefore, rangeOf, showMarkets, showPeriod, showRange, textOfView } from './visitView.ts'

/** New visits update figures at most this often, in ms. */
const PACE = 5000
/** Debounce for the map and saved filters, in ms (screens-visitation.md). */
const SETTLES = 400
const GRAPH_HEIGHT = 220
const NO_AREAS: readonly never[] = []

/** What a pane publishes to those it is compared with. */
interface Published {
  of: string
  days: readonly Day[]
  hours: readonly (readonly number[])[]
}

const dayOf = ({ date, total, unique, unique_exact, unique_error }: VisitDay): Day => ({
  ...{ date, total, unique },
  ...(unique_exact ? {} : { error: unique_error }),
})

/** A brand's header, filters, figures, graph, profile and map; each part loads and fails on its own. */
export function BrandVisits({ id, brand, subject }: { id: number; brand: Brand | undefined; subject: Subject | null }) {
  const state = useVisitView(id)
  const { view, before, problem, ready, today, setView, openDay } = state
  const asTable = useTables()
  const [held, setHeld] = useState(false)
  const paced = useMemo(() => ({ every: PACE, held }), [held])
  const dmas = useCall('dma.list', {}).data?.dmas ?? NO_AREAS
  const range = rangeOf(view, today)
  const input = ready && !problem ? inputOfView(id, view) : null
  const text = JSON.stringify(input)
  const countsAnswer = useCall('visit.counts', input && { ...input, ...(before ? { compare_before: 1 } : {}) }, { paced })
  const daysAnswer = useCall('visit.dailyGraph', input, { paced })
  const earlier = rangeBefore(range)
  const { start: _start, end: _end, ...rest } = input ?? { start: '', end: '' }
  const beforeAnswer = useCall('visit.dailyGraph', input && before ? { ...rest, date: 'custom', ...earlier } : null, { paced })
  const settled = useSettled(text, SETTLES)
  const placesInput = useMemo(() => (settled === 'null' ? null : (JSON.parse(settled) as NonNullable<typeof input>)), [settled])
  const placesAnswer = useCall('visit.locations', placesInput, { paced })

  const counts = countsAnswer.data?.data as VisitCounts | undefined
  const days = useMemo(() => daysAnswer.data?.data.visits.map(dayOf), [daysAnswer.data])
  const daysBefore = useMemo(() => beforeAnswer.data?.data.visits.map(dayOf), [beforeAnswer.data])

  // Compared columns share period and market areas; each brand has its own service.
  const of = textOfView({ ...view, service: null })
  const published = useMemo<Published | undefined>(
    () => (counts && days && !countsAnswer.stale && !daysAnswer.stale ? { of, days, hours: counts.hours } : undefined),
    [of, counts, days, countsAnswer.stale, daysAnswer.stale],
  )
  const shared = useShared<Published>('visits', published)
  const linked = shared.part?.is === 'baseline' || shared.part?.is === 'compared'
  const base = shared.base?.of === of ? shared.base : null
  const all = shared.all.filter((one) => one.of === of)
  const top = linked ? Math.max(1, ...all.map((one) => topOfDays(one.days))) : undefined
  const topHour = linked ? Math.max(0, ...all.map(({ hours }) => topShare(hours))) : undefined
  const [day, setDay] = useCrosshair<string>('visits by day')
  const [hour, setHour] = useCrosshair<string>('visits by hour')
  const behind = useMemo(
    () =>
      base
        ? { days: base.days, name: shared.baseName, short: 'first' }
        : before && daysBefore
          ? { days: daysBefore, name: 'the period before', short: 'before' }
          : null,
    [base, shared.baseName, before, daysBefore],
  )
  const against = useMemo(() => base && { hours: base.hours, name: shared.baseName }, [base, shared.baseName])

  useBrandController({ id, brand, name: subject?.name ?? '', state, dmas, range, counts, days, behind })
  const none = counts !== undefined && !countsAnswer.stale && counts.total === 0
  const noDays = days !== undefined && !daysAnswer.stale && days.every(({ total }) => total === 0)
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
      <Head {...{ id, brand, subject, state, counts, linked }} markets={showMarkets(dmas, view.dmas)}>
        <VisitFilterBar id={id} brand={brand} state={state} dmas={dmas} />
      </Head>
      <div className="@container min-h-0 flex-1 overflow-y-auto px-4 pt-3 pb-8" data-scroll="" tabIndex={-1}>
        {problem ? (
          <p className="text-muted">Change the dates to see figures.</p>
        ) : (
          <>
            <Widget name="Figures" anchor="figures" bare>
              <Loaded answer={countsAnswer} none={none} height={66}>
                <VisitFigures counts={counts} stale={countsAnswer.stale} of={of} linked={linked} />
              </Loaded>
            </Widget>
            <div className="grid grid-cols-1 gap-x-8 @5xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
              <Widget
                name="Visits by day"
                anchor="days"
                aside={behind ? `thin line: ${behind.name}` : 'unique devices are counted per day'}
              >
                <Loaded answer={daysAnswer} none={noDays} height={GRAPH_HEIGHT}>
                  <DailyGraph
                    label="Visits by day"
                    days={days ?? NO_AREAS}
                    today={today}
                    height={GRAPH_HEIGHT}
                    loading={days === undefined}
                    asTable={asTable}
                    behind={behind}
                    max={top}
                    onOpen={openDay}
                    onHeld={setHeld}
                    className={daysAnswer.stale ? 'opacity-60' : ''}
                    {...(linked ? { at: day, onAt: setDay } : {})}
                  />
                </Loaded>
              </Widget>
              <Widget name="Weekday and hour" anchor="hours" aside="share of visits">
                <Loaded answer={countsAnswer} none={none} height={200}>
                  <HourGrid
                    label="Visits by weekday and hour"
                    hours={counts?.hours}
                    loading={counts === undefined}
                    asTable={asTable}
                    against={against}
                    max={topHour}
                    className={countsAnswer.stale ? 'opacity-60' : ''}
                    {...(linked ? { at: hour, onAt: setHour } : {})}
                  />
                </Loaded>
              </Widget>
            </div>
            <Widget name="Where" anchor="where" aside="market areas are approximate: each county belongs to the nearest city">
              <MarketMap
                counts={{ data: counts, error: countsAnswer.error, loading: countsAnswer.loading, retry: countsAnswer.retry }}
                places={placesAnswer}
                dmas={dmas}
                chosen={view.dmas}
                onChosen={(codes) => setView({ dmas: codes })}
                before={before}
                linked={linked}
                of={of}
                none={none}
              />
            </Widget>
          </>
        )}
      </div>
    </div>
  )
}

/** Renders a widget's content, or its loading, empty or error state at the same height. */
function Loaded({
  answer,
  none,
  height,
  children,
}: {
  answer: Pick<Answer<unknown>, 'data' | 'error' | 'stale' | 'retry'>
  none: boolean
  height: number
  children: React.ReactNode
}) {
  // Figures of an earlier filter mustn't stand in for a failed response.
  if (answer.error) return <VisitsError error={answer.error} retry={answer.retry} height={height} />
  if (none) return <VisitsError retry={answer.retry} height={height} />
  return children
}
function Widget({
  name,
  anchor,
  aside,
  bare,
  children,
}: {
  name: string
  anchor: string
  aside?: string
  /** Omits the title. */
  bare?: boolean
  children: React.ReactNode
}) {
  return (
    <section aria-label={name} data-anchor={anchor} className={cx('min-w-0', !bare && 'pt-5')}>
      {!bare && (
        <h2 className="mb-2 flex h-4 items-center justify-between gap-3 text-meta font-medium text-muted">
          <span className="shrink-0">{name}</span>
          {aside && (
            <span dir="auto" className="min-w-0 truncate font-normal text-faint">
              {aside}
            </span>
          )}
        </h2>
      )}
      {children}
    </section>
  )
}

interface HeadProps {
  id: number
  brand: Brand | undefined
  subject: Subject | null
  state: VisitViewState
  counts: VisitCounts | undefined
  markets: string
  /** Part of a comparison, whose figures line up across columns. */
  linked: boolean
  children: React.ReactNode
}

/** Shows brand, service, period with dates and the first day with visits, above the filters. */
function Head({ id, brand, subject, state, counts, markets, linked, children }: HeadProps) {
  const { view, today, problem, filter, changed } = state
  const service = brand?.children.find((one) => one.id === view.service)
  const range = problem ? null : rangeOf(view, today)
  return (
    <header className="shrink-0 border-b border-line px-4 pt-3 pb-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 dir="auto" className={cx('min-w-0 truncate text-head @max-xs:w-full', !linked && '@max-md:text-wrap')}>
          {subject?.name ?? <span data-loading="" className="inline-block h-4 w-48 rounded-sm bg-sunken" />}
        </h1>
        {id > 0 && <span className="font-mono text-meta text-muted @max-xs:hidden">{codeOf('brand', id)}</span>}
        {brand?.status === 'inactive' && <Pill tone="grey">Inactive</Pill>}
        <ComparedPill short className="shrink-0" />
        {subject && (
          <span className="ml-auto flex flex-wrap items-center gap-1.5">
            {id > 0 && <CommandButton id="brand.compare" subjects={[subject]} plain className="@max-2xl:hidden" />}
            <CommandButton id="visit.export" plain className="@max-2xl:hidden">
              Export…
            </CommandButton>
            <CommandButton id="visit.export" only="icon" className="@2xl:hidden" />
            {id > 0 && <CommandMenu subjects={[subject]} />}
          </span>
        )}
      </div>
      <p className={cx('mt-0.5 mb-2 text-meta text-muted', linked && '@max-md:line-clamp-3 @max-xs:min-h-12')}>
        <bdi
          className={cx(view.service !== null && '@max-md:inline-block @max-md:max-w-36 @max-md:truncate @max-md:align-bottom')}
          title={service?.name}
        >
          {service?.name ?? (view.service && !brand ? 'One service' : 'All services')}
        </bdi>
        {range && (
          <>
            {' · '}
            <span className="text-ink">{showPeriod(view, today)}</span>, {showRange(range)}
          </>
        )}
        {' · '}
        {markets}
        <span className={cx('whitespace-nowrap', !counts && 'invisible')}>
          {' · '}
          {counts && !counts.start_date ? 'No visits yet' : `Data since ${shortDate(counts?.start_date ?? today)}`}
        </span>
        {filter && (
          <>
            {' · '}
            <bdi className="text-ink">{filter.filter_name}</bdi>
            {changed && ', changed'}
          </>
        )}
      </p>
      {children}
    </header>
  )
}
