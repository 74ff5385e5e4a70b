import { useEffect, useMemo, useRef, useState } from 'react'
import { useCall } from '../../data/useCall.ts'
import { loadable } from '../../ui/loadable.tsx'
import type { Dma } from '../shared/dma.ts'

const HEIGHT = 280
const PointMap = loadable(
  () => import('../../ui/charts/PointMap.tsx').then((module) => module.PointMap),
  <div style={{ height: HEIGHT }} />,
)

/** Maps market areas as one point each, at their main city; loads once it scrolls into view. */
export function AreaMap({ areas, label }: { areas: readonly Dma[]; label: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  const config = useCall('organization.config', {}).data?.data
  useEffect(() => {
    const element = place.current
    if (!element || seen) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [seen])
  const points = useMemo(
    () => areas.flatMap(({ latitude, longitude }) => (latitude && longitude ? [{ lat: latitude, lng: longitude }] : [])),
    [areas],
  )
  return (
    <div ref={place} style={{ minHeight: HEIGHT }}>
      {seen && (
        <PointMap
          label={label}
          points={points}
          height={HEIGHT}
          empty="No market areas selected"
          {...(config?.map_style_url ? { styleUrl: config.map_style_url } : {})}
        />
      )}
    </div>
  )
}
