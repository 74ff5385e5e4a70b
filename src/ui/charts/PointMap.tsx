import { Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { decimal } from '../../../contract/decimals.ts'
import { count } from '../../../contract/format.ts'
import { IconButton } from '../Button.tsx'
import { cx } from '../cx.ts'
import { whenIdle } from '../idle.ts'
import { usePrinting } from '../printState.ts'
import { watchInSight } from '../useInSight.ts'
import { useTokenVersion } from '../useTokens.ts'
import { ChartBlank, type ChartProps, ChartTable } from './ChartFrame.tsx'
import type { Place } from './cluster.worker.ts'
import type { DrawnMap, MapView } from './draw-map.ts'
import { FIRST_VIEW, type Heat } from './map-view.ts'
import { type Box, headingOf, nearest, nextPoint, pointsIn } from './nearPoints.ts'

/** A position in degrees and the number of points there, 1 by default. `look` changes how it is drawn. */
export type MapPoint = { lat: number; lng: number; weight?: number; look?: PointLook }
/** How a point is drawn: filled, or as a ring if approximate; `a` to `f` differ in color and shape. */
export type PointLook = 'dot' | 'ring' | 'a' | 'b' | 'c' | 'd' | 'e' | 'f'

/** Points that can be highlighted, selected and opened, by index. */
export interface PointChoice {
  lit: number | null
  chosen: ReadonlySet<number>
  /** A click or an arrow key highlighted a point. */
  onLit(at: number): void
  /** X toggles a point; a dragged box adds the points in it. */
  onChoose(points: readonly number[], how: 'toggle' | 'add'): void
  onOpen(at: number): void
}

type Props = ChartProps & {
  points: readonly MapPoint[]
  /** Web map zoom at 256 px tiles: 4 shows the whole country in 900 px, 5 half of it. */
  zoom?: 4 | 5
  /** The style of a tile server, instead of the built-in outlines. */
  styleUrl?: string
  /** In px; '100%' fills its container. */
  height?: number | '100%'
  /** The view of a linked map, which this one follows. */
  view?: MapView | null
  /** Called when the user moves this map; the same object comes back as `view`. */
  onView?: (view: MapView) => void
  choice?: PointChoice
  /** Shaded areas below the points. */
  heat?: Heat | null
  /** Called on a click on an area. */
  onArea?: (code: number) => void
  /** Also draws the map without points, below the text of `empty`. */
  blank?: boolean
}

const NONE: ReadonlySet<number> = new Set()
/** How long a busy page may put off a map that is in sight, in ms. */
const LATEST = 1000
/** When the table of a map out of sight is made, in ms. */
const FOR_PAPER = 3000
/** Places in its table. */
const LARGEST = 10
/** Whether maps can be drawn, as far as is known: asking takes a frame, so the first map finds out. */
let webGL2 = typeof WebGL2RenderingContext !== 'undefined'

/** The heaviest points by their position, for paper that can't wait for the names of places. */
const heaviest = (points: readonly (readonly [lng: number, lat: number, weight: number])[]) =>
  [...points]
    .sort(([, , a], [, , b]) => b - a)
    .slice(0, LARGEST)
    .map(([lng, lat, weight]) => ({ name: `${decimal(lat, 1, 1)}, ${decimal(lng, 1, 1)}`, weight }))

/** A clustered map of the United States. Arrow keys move it, + and − zoom; its table lists the largest places. */
export function PointMap({
  label,
  points,
  zoom = FIRST_VIEW.zoom,
  styleUrl,
  height = 320,
  loading,
  asTable,
  empty = 'No places yet',
  className,
  view,
  onView,
  choice,
  heat = null,
  onArea,
  blank = false,
}: Props) {
  const host = useRef<HTMLDivElement>(null)
  const map = useRef<DrawnMap>(null)
  const theme = useTokenVersion()
  const [able, setAble] = useState(webGL2)
  const [problem, setProblem] = useState<string | null>(null)
  const [largest, setLargest] = useState<(Place & { name: string })[] | null>(null)
  const packed = useMemo(
    () => points.map(({ lng, lat, weight }) => [lng, lat, weight ?? 1] as [number, number, number]),
    [points],
  )
  const looks = useMemo(() => points.map(({ look }) => look ?? 'dot'), [points])
  const nothing = points.length === 0 && !blank
  const [seen, setSeen] = useState(false)
  const [made, setMade] = useState(false)
  const printing = usePrinting()
  const table = asTable || !able || problem !== null
  /** Paper can't wait for a map that isn't drawn yet, and shows its table. */
  const paper = printing && !table && !made
  const drawn = able && !loading && !asTable && !nothing && !paper
  const chooses = choice !== undefined
  const heats = onArea !== undefined
  const latest = useRef({ packed, looks, choice, onArea })
  latest.current = { packed, looks, choice, onArea }
  /** The points drawn last; when they change, the map stays and only the points are replaced. */
  const shown = useRef<typeof packed>(null)

  useEffect(() => {
    if (drawn && !seen && host.current) return watchInSight(host.current, setSeen)
  }, [drawn, seen])

  useEffect(() => {
    if (!drawn || !seen || !host.current) return
    const element = host.current
    let gone = false
    setProblem(null)
    import('./draw-map.ts')
      .then(async ({ drawMap }) => {
        // A map takes long to begin where WebGL is software: not while somebody waits for the rest of the page.
        await new Promise<void>((idle) => whenIdle(idle, LATEST))
        if (gone) return
        const { packed, looks } = latest.current
        shown.current = packed
        const drawing = drawMap({
          host: element,
          points: packed,
          looks,
          ...(chooses
            ? {
                choice: {
                  onPoint: (at) => latest.current.choice?.onLit(at),
                  onBox: (box: Box) => latest.current.choice?.onChoose(pointsIn(latest.current.packed, box), 'add'),
                },
              }
            : {}),
          zoom,
          exact: zoom !== FIRST_VIEW.zoom,
          styleUrl,
          label,
          ...(heats ? { onArea: (code: number) => latest.current.onArea?.(code) } : {}),
          onProblem: setProblem,
          onDrawn: () => !gone && setMade(true),
          onView: (seen) => report.current?.(seen),
        })
        map.current = drawing
        if (wanted.current) drawing.lookAt(wanted.current)
        if (latest.current.packed !== packed) exchange.current()
        marked.current()
        warmed.current()
      })
      .catch((failure: unknown) => {
        if (failure instanceof Error && failure.name === 'GPUInitializationError') webGL2 = false
        if (gone) return
        setAble(webGL2)
        setProblem(failure instanceof Error ? failure.message : String(failure))
      })
    return () => {
      gone = true
      map.current?.destroy()
      map.current = null
      setMade(false)
    }
  }, [drawn, seen, chooses, heats, zoom, styleUrl, label])

  const exchange = useRef(() => {})
  exchange.current = () => {
    if (!map.current || shown.current === packed) return
    shown.current = packed
    map.current.setPoints(packed, looks)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: other points, drawn by the map that is there
  useEffect(() => exchange.current(), [packed])
  const { lit = null, chosen = NONE } = choice ?? {}
  /** The point highlighted from this map, which the view follows. A list's cursor doesn't move the map. */
  const followed = useRef<number | null>(null)
  const marked = useRef(() => {})
  marked.current = () => map.current?.mark(lit, chosen, lit !== null && followed.current === lit)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it marks what is latest
  useEffect(() => marked.current(), [lit, chosen, packed])
  const warmed = useRef(() => {})
  warmed.current = () => map.current?.heat(heat)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it shades what is latest
  useEffect(() => warmed.current(), [heat])
  const keys = (event: KeyboardEvent) => {
    if (!choice || event.ctrlKey || event.metaKey || event.altKey) return
    const heading = event.shiftKey ? undefined : headingOf(event.key)
    const zoomed = { '+': 1, '=': 1, '-': -1 }[event.key]
    if (heading) {
      const at =
        lit !== null && packed[lit] ? nextPoint(packed, lit, heading) : nearest(packed, ...(map.current?.middle() ?? [0, 0]))
      if (at < 0) return
      followed.current = at
      choice.onLit(at)
    } else if (zoomed) map.current?.zoomBy(zoomed)
    else if (lit === null) return
    else if (event.key === 'x') choice.onChoose([lit], 'toggle')
    else if (event.key === 'Enter') choice.onOpen(lit)
    else return
    event.preventDefault()
  }

  // The map's own move comes back late as the shared view. Ignore it, because the map may have moved on.
  const wanted = useRef(view)
  const [mine] = useState(() => new WeakSet<MapView>())
  const report = useRef<(seen: MapView) => void>(null)
  report.current = (seen) => {
    mine.add(seen)
    onView?.(seen)
  }
  useEffect(() => {
    wanted.current = view
    if (view && !mine.has(view)) map.current?.lookAt(view)
  }, [view, mine])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme, the same map
  useEffect(() => map.current?.paint(), [theme])

  useLayoutEffect(() => (printing ? map.current?.freeze() : undefined), [printing])

  useEffect(() => {
    // A map that failed may still be drawn in part later: its table stays.
    if (loading || (made && !table) || packed.length === 0) return
    let gone = false
    // A table whose code doesn't come stays empty.
    const find = async () => {
      const { largestPlaces } = await import('./largest.ts')
      const found = await largestPlaces(packed, LARGEST)
      if (!gone) setLargest(found)
    }
    // Names of places are read from outlines that take a moment to unpack: for paper alone there is time.
    const timer = setTimeout(() => void find().catch(() => {}), table ? 0 : FOR_PAPER)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [table, made, loading, packed])

  if (loading || nothing)
    return (
      <ChartBlank
        loading={loading}
        label={label}
        height={typeof height === 'number' ? height : 240}
        ghost={<div className="rounded-md bg-land" style={{ height }} />}
      >
        {empty}
      </ChartBlank>
    )
  if (table || paper)
    return (
      <div className={className}>
        {!asTable && !paper && (
          <p className="mb-2 text-meta text-muted">
            {able ? `The map couldn’t be drawn: ${problem}` : 'This browser can’t draw maps (no WebGL 2).'} These are its largest
            places.
          </p>
        )}
        <ChartTable
          label={label}
          head={['Around', 'Count']}
          rows={(largest ?? (paper ? heaviest(packed) : [])).map((place) => [place.name, count(place.weight)])}
        />
      </div>
    )
  return (
    <section
      aria-label={label}
      data-drawing=""
      data-drawn={made ? '' : undefined}
      onKeyDown={keys}
      className={cx('relative isolate overflow-hidden rounded-md border border-line bg-surface', className)}
      style={{ height }}
    >
      <div ref={host} className="point-map h-full w-full" />
      {points.length === 0 && (
        <p className="pointer-events-none absolute inset-0 grid place-items-center text-center text-meta text-muted">
          <span className="rounded-md bg-surface px-2 py-0.5">{empty}</span>
        </p>
      )}
      <div data-view="" className="absolute top-2 right-2 flex flex-col rounded-md border border-edge bg-raised">
        <IconButton label="Zoom in" onClick={() => map.current?.zoomBy(1)}>
          <Plus size={14} aria-hidden="true" />
        </IconButton>
        <IconButton label="Zoom out" onClick={() => map.current?.zoomBy(-1)}>
          <Minus size={14} aria-hidden="true" />
        </IconButton>
      </div>
    </section>
  )
}
