import { useMemo } from 'react'
import { useCall } from '../../data/useCall.ts'
import { loadable } from '../../ui/loadable.tsx'
import type { Dma } from '../shared/dma.ts'

const HEIGHT = 280
const PointMap = loadable(
  () => import('../../ui/charts/PointMap.tsx').then((module) => module.PointMap),
  <div style={{ height: HEIGHT }} />,
)

/** Maps market areas as one point each, at their main city. */
export function AreaMap({ areas, label }: { areas: readonly Dma[]; label: string }) {
  const config = useCall('organization.config', {}).data?.data
  const points = useMemo(
    () => areas.flatMap(({ latitude, longitude }) => (latitude && longitude ? [{ lat: latitude, lng: longitude }] : [])),
    [areas],
  )
  return (
    <PointMap
      label={label}
      points={points}
      height={HEIGHT}
      empty="No market areas selected"
      {...(config?.map_style_url ? { styleUrl: config.map_style_url } : {})}
    />
  )
}
