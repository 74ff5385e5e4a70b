import { count } from '../../../contract/format.ts'

/** Visits and devices of six sample weeks, with a weekend peak, a holiday dip and a slow rise. */
const DAYS = Array.from({ length: 42 }, (_, day) => {
  const week = [0.72, 0.7, 0.74, 0.82, 1, 1.28, 1.1][day % 7]!
  const holiday = day === 24 || day === 25 ? 0.45 : 1
  return Math.round(820 * week * holiday * (1 + day / 160))
})
const DEVICES = DAYS.map((visits, day) => Math.round(visits * (0.66 + 0.05 * Math.sin(day))))
const TOP = 1600
const [WIDE, HIGH] = [560, 290]
const lineOf = (values: readonly number[]) =>
  values
    .map(
      (value, at) =>
        `${(38 + (at * (WIDE - 50)) / (values.length - 1)).toFixed(1)},${(HIGH - 18 - (value / TOP) * (HIGH - 34)).toFixed(1)}`,
    )
    .join(' ')

/** The contiguous states' outline, simplified, as longitude and latitude. */
const COAST =
  '-124.7,48.4 -123,48.3 -122.8,49 -95.2,49 -94.6,48.7 -91.5,48 -89.5,48 -88,46.9 -84.8,46.6 -83.6,45.8 -83.4,44 -82.5,43 -83.1,42 -81.5,41.6 -79,42.7 -79,43.3 -76.5,43.5 -75,45 -71.5,45 -70.3,46.3 -69.2,47.4 -68,47.3 -67.2,44.8 -70,43.7 -70.7,42.2 -70,41.8 -72,41.2 -74,40.6 -74.2,39.5 -75.5,38.3 -75.9,36.6 -75.6,35.3 -77.5,34.4 -79.3,33 -81.2,31.5 -81.3,29.5 -80.1,26.8 -80.4,25.3 -81.7,26 -82.7,28 -83.8,29.9 -85.3,29.7 -88,30.3 -89.6,30.2 -89.4,29.2 -91.5,29.5 -94,29.6 -96,28.5 -97.3,27 -97.2,25.9 -99.2,26.5 -101.4,29.8 -103.1,29 -104.7,30.3 -106.5,31.8 -108.2,31.3 -111,31.3 -114.8,32.5 -117.1,32.5 -118.4,33.8 -120.6,34.6 -121.9,36.6 -122.5,37.8 -123.8,39.3 -124.3,40.4 -124.1,42 -124.1,44.5 -123.9,46.2'
/** Longitude, latitude and visits of sample venues. */
const VENUES = [
  [-74, 40.7, 9],
  [-73.2, 41.1, 4],
  [-71.1, 42.4, 5],
  [-75.2, 40, 6],
  [-77, 38.9, 6],
  [-87.6, 41.9, 8],
  [-88.3, 41.7, 3],
  [-83, 42.3, 4],
  [-84.4, 33.7, 6],
  [-80.8, 35.2, 3],
  [-80.2, 25.9, 5],
  [-82.5, 28, 4],
  [-96.8, 32.8, 7],
  [-95.4, 29.8, 6],
  [-98.5, 29.4, 3],
  [-97.7, 30.3, 4],
  [-104.9, 39.7, 5],
  [-112, 33.4, 5],
  [-115.1, 36.2, 3],
  [-118.2, 34.1, 9],
  [-117.2, 32.8, 4],
  [-121.9, 37.4, 5],
  [-122.4, 37.8, 5],
  [-122.3, 47.6, 5],
  [-122.7, 45.5, 3],
  [-93.3, 45, 4],
  [-90.2, 38.6, 3],
  [-86.8, 36.2, 3],
  [-90, 30, 3],
  [-81.7, 41.4, 3],
  [-86.2, 39.8, 3],
  [-111.9, 40.7, 3],
] as const
const x = (lng: number) => (lng + 126) * 9.2
const y = (lat: number) => (50 - lat) * 12

const Sample = () => (
  <span className="rounded-sm border border-line bg-surface px-1.5 text-meta font-medium text-muted">Sample</span>
)

/** Previews visitation with made-up figures. */
export function SampleVisits() {
  return (
    <div className="grid gap-4 @3xl:grid-cols-2">
      <figure className="@container min-w-0 rounded-md border border-line p-3">
        <figcaption className="mb-2 flex items-center gap-2">
          <span className="font-medium">Visits by day</span>
          <Sample />
        </figcaption>
        <svg
          viewBox={`-26 0 ${WIDE + 26} ${HIGH}`}
          role="img"
          aria-label="Sample: visits and different devices by day, six weeks"
          className="block w-full"
        >
          {[0, 400, 800, 1200, 1600].map((value) => {
            const at = HIGH - 18 - (value / TOP) * (HIGH - 34)
            return (
              <g key={value}>
                <line x1="36" x2={WIDE - 8} y1={at} y2={at} className="stroke-line" />
                {/* In units of the drawing, which scales down in a narrow window. */}
                <text
                  x="28"
                  y={at}
                  textAnchor="end"
                  dominantBaseline="central"
                  className="fill-muted text-[20px] tabular-nums @md:text-[13px]"
                >
                  {count(value)}
                </text>
              </g>
            )
          })}
          <polyline points={lineOf(DAYS)} fill="none" strokeWidth="2" strokeLinejoin="round" className="stroke-accent" />
          <polyline
            points={lineOf(DEVICES)}
            fill="none"
            strokeWidth="2"
            strokeLinejoin="round"
            strokeDasharray="5 3"
            className="stroke-green"
          />
        </svg>
        <p className="mt-1 flex gap-4 text-meta text-muted">
          <span className="flex items-center gap-1.5">
            <span aria-hidden="true" className="h-0.5 w-4 bg-accent" /> Total
          </span>
          <span className="flex items-center gap-1.5">
            <span aria-hidden="true" className="w-4 border-t-2 border-green border-dashed" /> Unique
          </span>
        </p>
      </figure>
      <figure className="min-w-0 rounded-md border border-line p-3">
        <figcaption className="mb-2 flex items-center gap-2">
          <span className="font-medium">Where they came</span>
          <Sample />
        </figcaption>
        <svg
          viewBox="0 0 560 306"
          role="img"
          aria-label="Sample: venues on a map of the United States"
          className="mx-auto block w-full max-w-lg"
        >
          <polygon
            points={COAST.split(' ')
              .map((pair) => pair.split(',').map(Number))
              .map(([lng, lat]) => `${x(lng!).toFixed(1)},${y(lat!).toFixed(1)}`)
              .join(' ')}
            strokeLinejoin="round"
            fill="currentColor"
            className="stroke-edge text-track"
          />
          {VENUES.map(([lng, lat, visits]) => (
            <circle key={`${lng} ${lat}`} cx={x(lng)} cy={y(lat)} r={visits * 1.25} className="fill-accent/35 stroke-accent" />
          ))}
        </svg>
      </figure>
    </div>
  )
}
