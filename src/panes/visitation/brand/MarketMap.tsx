import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import type { VisitCounts } from '../../../../contract/visit.ts'
import { useSharedView } from '../../../compare/shared.ts'
import { configAtom } from '../../../data/session.ts'
import type { Answer } from '../../../data/useCall.ts'
import { loadable } from '../../../ui/loadable.tsx'
import { useTables } from '../../../workspace/charts.ts'
import type { Dma } from '../../shared/dma.ts'
import { VisitsError } from './VisitsError.tsx'

const HEIGHT = 420
const PointMap = loadable(
  () => import('../../../ui/charts/PointMap.tsx').then((module) => module.PointMap),
  <div style={{ height: HEIGHT }} />,
)

interface Props {
  counts: VisitCounts | undefined
  places: Answer<Output<'visit.locations'>>
  placesText: string
  dmas: readonly Dma[]
  /** The chosen market areas, none for all. */
  chosen: readonly number[]
  onChosen(codes: number[]): void
  before: boolean
  linked: boolean
  of: string
  none: boolean
}

/** Venues on a map, heat by market area under them, and the market areas as a list. */
export function MarketMap({ places, linked, none }: Props) {
  const config = useAtomValue(configAtom)
  const asTable = useTables()
  const [view, onView] = useSharedView()
  const points = useMemo(
    () => places.data?.data.map(({ latitude, longitude, visits }) => ({ lat: latitude, lng: longitude, weight: visits })) ?? [],
    [places.data],
  )
  if (places.error) return <VisitsError error={places.error} retry={places.retry} height={HEIGHT} />
  if (none) return <VisitsError retry={places.retry} height={HEIGHT} />
  return (
    <PointMap
      label="Visits by place"
      points={points}
      height={HEIGHT}
      zoom={5}
      loading={places.loading}
      asTable={asTable}
      empty="No visits"
      {...(linked ? { view, onView } : {})}
      {...(config.map_style_url ? { styleUrl: config.map_style_url } : {})}
    />
  )
}
