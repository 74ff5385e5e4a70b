import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { count } from '../../../../contract/format.ts'
import type { VisitCounts, VisitPoint } from '../../../../contract/visit.ts'
import { useSharedView } from '../../../compare/shared.ts'
import { configAtom } from '../../../data/session.ts'
import type { Answer } from '../../../data/useCall.ts'
import { ChartBlank } from '../../../ui/charts/ChartFrame.tsx'
import type { City, Heat } from '../../../ui/charts/map-view.ts'
import type { MapPoint } from '../../../ui/charts/PointMap.tsx'
import { cx } from '../../../ui/cx.ts'
import { loadable } from '../../../ui/loadable.tsx'
import { useWidth } from '../../../ui/useWidth.ts'
import { useTables } from '../../../workspace/chartTables.ts'
import type { Dma } from '../../shared/dma.ts'
import { MarketList } from './MarketList.tsx'
import { HEAT_WORDS, type HeatBy, shadesOf, toggled } from './marketHeat.ts'
import { VisitsError } from './VisitsError.tsx'

const HEIGHT = 440
/** In a narrow column the map is less tall, or the country would leave empty space below it. */
const NARROW = { width: 480, height: 300 }
const PointMap = loadable(
  () => import('../../../ui/charts/PointMap.tsx').then((module) => module.PointMap),
  <div className="h-full" />,
)
const NO_POINTS: readonly VisitPoint[] = []
const NO_MARKETS: VisitCounts['by_market'] = []
const NOTHING: ReadonlySet<number> = new Set()

interface Props {
  counts: Pick<Answer<unknown>, 'error' | 'loading' | 'retry'> & { data: VisitCounts | undefined }
  places: Answer<Output<'visit.locations'>>
  dmas: readonly Dma[]
  /** Selected market areas; empty for all. */
  chosen: readonly number[]
  onChosen(codes: number[]): void
  before: boolean
  linked: boolean
  of: string
  none: boolean
}

/** Venues on a map over a heat map of market areas, with the areas as a list. */
export function MarketMap({ counts, places, dmas, chosen, onChosen, before, linked, of, none }: Props) {
  const config = useAtomValue(configAtom)
  const asTable = useTables()
  const [view, onView] = useSharedView()
  const [wanted, setHeatBy] = useState<HeatBy>('visits')
  const by = wanted === 'change' && !before ? 'visits' : wanted
  const [lit, setLit] = useState<number | null>(null)
  const data = places.data?.data ?? NO_POINTS
  const squares = places.data?.squares ?? false
  // biome-ignore lint/correctness/useExhaustiveDependencies: new points have new indexes
  useEffect(() => setLit(null), [data])
  const points = useMemo(
    () =>
      data.map(
        ({ latitude, longitude, visits }): MapPoint => ({
          ...{ lat: latitude, lng: longitude, weight: visits },
          look: visits ? 'dot' : 'ring',
        }),
      ),
    [data],
  )
  const markets = counts.data?.by_market ?? NO_MARKETS
  const cities = useMemo<City[]>(
    () =>
      dmas.flatMap(({ dma_code, latitude, longitude }) =>
        latitude && longitude ? [{ code: dma_code, lat: latitude, lng: longitude }] : [],
      ),
    [dmas],
  )
  const heat = useMemo<Heat>(
    () => ({ cities, shades: shadesOf(markets, by), chosen: new Set(chosen) }),
    [cities, markets, by, chosen],
  )
  const toggle = (code: number) => onChosen(toggled(chosen, code))
  const only = (code: number) => onChosen(chosen.length === 1 && chosen[0] === code ? [] : [code])
  const list = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const height = width > 0 && width < NARROW.width ? NARROW.height : HEIGHT
  const point = lit === null ? undefined : data[lit]
  const caption = point && describePoint(point, dmas)
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-4 @5xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      <div ref={frame} className="min-w-0">
        {places.error ? (
          <VisitsError error={places.error} retry={places.retry} height={height} />
        ) : none ? (
          <VisitsError retry={places.retry} height={height} />
        ) : (
          <div className={cx('relative', places.stale && 'opacity-60')} style={{ height: asTable ? undefined : height }}>
            <PointMap
              label={squares ? 'Visits by half a degree' : 'Visits by venue'}
              points={points}
              height={height}
              zoom={5}
              loading={places.loading}
              asTable={asTable}
              empty="No venues"
              blank
              heat={heat}
              onArea={toggle}
              choice={{
                lit,
                chosen: NOTHING,
                onLit: setLit,
                onChoose: ([at]) => at !== undefined && data[at] && toggle(data[at].dma),
                onOpen: (at) => {
                  setLit(at)
                  list.current?.querySelector('table')?.focus()
                },
              }}
              {...(linked ? { view, onView } : {})}
              styleUrl={config.map_style_url ?? undefined}
            />
            {!asTable && !places.loading && (
              <div data-view="" className="absolute top-2 left-2">
                <HeatChoice value={by} onChange={setHeatBy} changes={before} />
              </div>
            )}
            <p
              aria-live="polite"
              aria-atomic="true"
              className={cx(
                'pointer-events-none absolute bottom-2 left-2 max-w-[calc(100%-1rem)] truncate rounded-md border border-edge bg-raised px-2 py-0.5 text-meta',
                !caption && 'hidden',
              )}
            >
              <bdi>{caption}</bdi>
            </p>
          </div>
        )}
      </div>
      <div ref={list} className="@container min-w-0">
        {counts.error ? (
          <VisitsError error={counts.error} retry={counts.retry} height={HEIGHT} />
        ) : counts.data === undefined ? (
          <ChartBlank
            loading
            label="Market areas"
            height={HEIGHT}
            ghost={<div className="rounded-md bg-land" style={{ height: HEIGHT }} />}
          >
            {''}
          </ChartBlank>
        ) : (
          <MarketList
            markets={markets}
            points={data}
            chosen={chosen}
            before={before}
            total={counts.data.total}
            of={of}
            lit={lit}
            onLit={setLit}
            onToggle={toggle}
            onOnly={only}
          />
        )}
      </div>
    </div>
  )
}

/** Describes a point: "Elm Street, 12 Elm St · Chicago · 1,204 visits"; client users get "6 venues". */
function describePoint({ name, address, venues, visits, dma }: VisitPoint, dmas: readonly Dma[]): string {
  const market = dmas.find(({ dma_code }) => dma_code === dma)?.dma_name
  const place = name ? [name, address].filter(Boolean).join(', ') : venues > 1 ? `${count(venues)} venues` : 'A venue'
  return [place, market, `${count(visits)} ${visits === 1 ? 'visit' : 'visits'}`].filter(Boolean).join(' · ')
}

/** Selects what the shades of market areas show. */
function HeatChoice({ value, onChange, changes }: { value: HeatBy; onChange(by: HeatBy): void; changes: boolean }) {
  const all: readonly HeatBy[] = changes ? ['visits', 'venue', 'change'] : ['visits', 'venue']
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are toggle buttons, not fields
    <div role="group" aria-label="Shade market areas by" className="flex rounded-md border border-edge bg-raised p-px text-meta">
      {all.map((by) => (
        <button
          key={by}
          type="button"
          aria-pressed={value === by}
          onClick={() => onChange(by)}
          className={cx(
            'h-6 rounded-[5px] px-2 -outline-offset-2',
            value === by ? 'bg-accent-wash font-medium text-accent-ink' : 'text-muted hover:text-ink',
          )}
        >
          {HEAT_WORDS[by]}
        </button>
      ))}
    </div>
  )
}
