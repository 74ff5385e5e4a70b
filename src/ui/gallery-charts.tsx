import { type ReactNode, useState } from 'react'
import { AreaTrend } from './charts/AreaTrend.tsx'
import { Bars } from './charts/Bars.tsx'
import { Donut } from './charts/Donut.tsx'
import { Funnel } from './charts/Funnel.tsx'
import { Sparkline } from './charts/Sparkline.tsx'
import { loadable } from './loadable.tsx'
import { Switch } from './Switch.tsx'

const PointMap = loadable(
  () => import('./charts/PointMap.tsx').then((module) => module.PointMap),
  <div style={{ height: 450 }} />,
)

const trend = (rate: number) =>
  Array.from({ length: 23 }, (_, at) => ({
    date: `2026-11-${String(at + 2).padStart(2, '0')}`,
    value: at < 20 ? Math.round(rate * at * 33 + 30 * Math.sin(at)) : null,
    plan: ((at + 1) * 700) / 23,
  }))
const trends = [trend(1), trend(0.62)] as const
const AGAINST = { points: trends[0], name: 'the first' }
const cities = [
  [-87.6, 41.9],
  [-74, 40.7],
  [-118.2, 34.1],
  [-95.4, 29.8],
  [-84.4, 33.7],
  [-122.3, 47.6],
  [-104.9, 39.7],
  [-80.2, 25.8],
] as const
const points = Array.from({ length: 2400 }, (_, at) => {
  const [lng, lat] = cities[(at * 7) % (3 + (at % 6))]!
  return { lng: lng + Math.sin(at * 12.9) * 1.6 * ((at % 10) / 4), lat: lat + Math.cos(at * 78.2) * 1.1 * ((at % 10) / 4) }
})
const ages = [
  ['13 to 17', 0],
  ['18 to 24', 77],
  ['25 to 34', 122],
  ['35 to 44', 109],
  ['45 to 54', 97],
  ['65 and older, retired', 135],
] as const
const bars = ages.map(([label, value], at) => ({
  label,
  value,
  percent: Math.round((100 * value) / 540),
  difference: [0, -3, 2, 0, -1, 1][at],
}))
const steps = [
  { label: 'Entrants', value: 2147 },
  { label: 'Finished', value: 1825, lost: 'Partials' },
  { label: 'Qualified', value: 859, lost: 'Terminates' },
  { label: 'Completes', value: 644, lost: 'Overquota', tone: 'green' as const },
]

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-2 text-meta font-medium text-muted">{title}</h2>
      {children}
    </section>
  )
}

/** Every chart: with data, loading, empty, and as a table. */
export function GalleryCharts() {
  const [at, setAt] = useState<number | null>(null)
  const [asTable, setTable] = useState(location.search.includes('table'))
  return (
    <div className="grid min-h-0 flex-1 content-start gap-6 overflow-y-auto p-4 @container lg:grid-cols-2">
      <div className="lg:col-span-2">
        <Switch checked={asTable} onChange={setTable}>
          Tables behind the charts
        </Switch>
      </div>
      <Part title="Delivery">
        <div className="flex flex-wrap justify-around gap-4">
          <Donut label="Pacing" share={0.92} figure="92%" tone="green" asTable={asTable} />
          <Donut label="Delivered" share={0.61} figure="427" difference={-217} asTable={asTable} />
          <Donut label="Ordered" share={0} figure="1,700" tone="grey" difference={0} asTable={asTable} />
          <Donut label="Loading" share={null} figure="" loading />
        </div>
      </Part>
      <Part title="Ages, against the first">
        <Bars label="Age" bars={bars} asTable={asTable} />
      </Part>
      <Part title="Delivery trend">
        <AreaTrend label="Delivery trend" points={trends[0]} at={at} onAt={setAt} max={700} asTable={asTable} />
      </Part>
      <Part title="Delivery trend, linked">
        <AreaTrend label="Delivery trend" points={trends[1]} against={AGAINST} at={at} onAt={setAt} max={700} asTable={asTable} />
      </Part>
      <Part title="Performance funnel">
        <Funnel label="Performance funnel" steps={steps} asTable={asTable} />
      </Part>
      <Part title="Map">
        <PointMap label="Where respondents were" points={points} height={450} asTable={asTable} />
      </Part>
      <Part title="Empty">
        <div className="grid grid-cols-2 gap-6">
          <Bars label="Gender" bars={[]} />
          <AreaTrend label="Trend" points={[]} />
        </div>
      </Part>
      <Part title="Loading">
        <div className="grid grid-cols-2 gap-6">
          <Bars label="Gender" bars={[]} loading />
          <AreaTrend label="Trend" points={[]} loading />
        </div>
      </Part>
      <Part title="In a table">
        <Sparkline values={[1, 4, 5, 9, 14, 15, 18]} label="Delivered over a week" /> <Sparkline values={[0, 0, 0, 0]} />
      </Part>
    </div>
  )
}
