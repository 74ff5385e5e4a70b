import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Input, Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { api } from '../../data/apiClient.ts'
import { type Answer, useCall, useRead } from '../../data/useCall.ts'
import type { ListOfMap } from '../../list/ListScreen.tsx'
import type { MapPoint, PointChoice, PointLook } from '../../ui/charts/PointMap.tsx'
import { cx } from '../../ui/cx.ts'
import { loadable } from '../../ui/loadable.tsx'
import { useTables } from '../../workspace/chartTables.ts'

const PointMap = loadable(() => import('../../ui/charts/PointMap.tsx').then((module) => module.PointMap))

type Points = Output<'location.points'>
export type PointsOf = Partial<Input<'location.points'>>
/** Looks of groups shown together; from the seventh on they repeat. */
const LOOKS: readonly PointLook[] = ['a', 'b', 'c', 'd', 'e', 'f']
/** Returns the look of the nth group on a map. */
const lookOf = (nth: number): PointLook => LOOKS[nth % LOOKS.length]!

/** A group's colour and shape, to go beside its name. */
export const LookMark = ({ nth }: { nth: number }) => (
  <span aria-hidden="true" className={`point-map-point point-map-${lookOf(nth)} inline-block shrink-0`} />
)

/** Converts points for the map: filled if exact, a ring if approximate, squares for clusters. */
const drawnOf = ({ data, squares }: Points, look?: PointLook): MapPoint[] =>
  data.length
    ? data.map(([, lat, lng, exact]) => ({ lat, lng, look: look ?? (exact ? 'dot' : 'ring') }))
    : squares.map(({ latitude, longitude, count }) => ({ lat: latitude, lng: longitude, weight: count }))

interface Frame {
  label: string
  height?: number | '100%'
  empty?: string
  className?: string
}

/** A map, with a line below it about locations it can't show. */
function Drawn({
  label,
  height = 320,
  empty = 'No location has a position yet',
  className,
  points,
  unplaced,
  answer,
  choice,
  caption,
}: Frame & {
  points: readonly MapPoint[]
  unplaced: number
  answer: Pick<Answer<unknown>, 'error' | 'loading' | 'retry'>
  choice?: PointChoice | undefined
  caption?: string | null
}) {
  const asTable = useTables()
  const config = useCall('organization.config', {}).data?.data
  if (answer.error) return <AnswerError what="The map" error={answer.error} retry={answer.retry} />
  const rings = points.some(({ look }) => look === 'ring')
  return (
    <div className={cx('relative flex min-h-0 flex-col', className)}>
      <div className="min-h-0 flex-1">
        <PointMap
          label={label}
          points={points}
          height={height}
          loading={answer.loading}
          asTable={asTable}
          empty={empty}
          blank
          choice={choice}
          {...(config?.map_style_url ? { styleUrl: config.map_style_url } : {})}
        />
      </div>
      {caption && (
        <p
          aria-live="polite"
          aria-atomic="true"
          className="pointer-events-none absolute bottom-8 left-2 max-w-[calc(100%-1rem)] truncate rounded-md border border-edge bg-raised px-2 py-0.5 text-meta"
        >
          <bdi>{caption}</bdi>
        </p>
      )}
      {(rings || unplaced > 0) && (
        <p className="flex shrink-0 flex-wrap gap-x-4 px-2 py-1 text-meta text-muted">
          {rings && (
            <>
              <span className="flex items-center gap-1.5">
                <span aria-hidden="true" className="point-map-point point-map-dot inline-block" /> exact
              </span>
              <span className="flex items-center gap-1.5">
                <span aria-hidden="true" className="point-map-point point-map-ring inline-block" /> approximate
              </span>
            </>
          )}
          {unplaced > 0 && <span className="ml-auto">{count(unplaced)} without a position</span>}
        </p>
      )}
    </div>
  )
}

const NO_POINTS: readonly MapPoint[] = []

/** Maps the locations that match a filter. */
export function PlaceMap({ where, ...frame }: Frame & { where: PointsOf }) {
  const answer = useCall('location.points', where as Input<'location.points'>)
  const points = useMemo(() => (answer.data ? drawnOf(answer.data) : NO_POINTS), [answer.data])
  return <Drawn {...frame} points={points} unplaced={answer.data?.unplaced ?? 0} answer={answer} />
}

/** Maps points that are already loaded. */
export function DrawnPoints({ points, ...frame }: Frame & { points: readonly MapPoint[] }) {
  return <Drawn {...frame} points={points} unplaced={0} answer={THERE} />
}
const THERE = { error: undefined, loading: false, retry: () => {} }

/** Maps several sets of locations, each with its own colour and shape. */
export function SetsMap({ sets, ...frame }: Frame & { sets: readonly PointsOf[] }) {
  const answer = useRead(['location.points', sets], () =>
    Promise.all(sets.map((where) => api.read('location.points', where as Input<'location.points'>))),
  )
  const points = useMemo(() => answer.data?.flatMap((set, nth) => drawnOf(set, lookOf(nth))) ?? NO_POINTS, [answer.data])
  const unplaced = answer.data?.reduce((sum, set) => sum + set.unplaced, 0) ?? 0
  return <Drawn {...frame} points={points} unplaced={unplaced} answer={answer} />
}

/** Maps a list's locations: highlights the cursor's row, and selects in the list what is clicked here. */
export function ListMap({
  where,
  list,
  onOpen,
  ...frame
}: Frame & { where: PointsOf; list: ListOfMap; onOpen(id: number): void }) {
  const answer = useCall('location.points', where as Input<'location.points'>)
  const { data } = answer
  const points = useMemo(() => (data ? drawnOf(data) : NO_POINTS), [data])
  const atOf = useMemo(() => new Map(data?.data.map(([id], at) => [id, at])), [data])
  const { cursor, selected } = list
  /** The point the map moved to, whose row may not be loaded yet. */
  const [gone, setGone] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a cursor move in the list resets the map's point
  useEffect(() => setGone(null), [cursor])
  const id = gone ?? cursor
  const hovered = id === null ? null : (atOf.get(id) ?? null)
  const chosen = useMemo(() => new Set([...selected].flatMap((one) => atOf.get(Number(one)) ?? [])), [selected, atOf])
  const idAt = useCallback((at: number) => data?.data[at]?.[0] ?? 0, [data])
  const one = useCall('location.get', gone === null ? null : { id: gone }).data?.data
  const words = one && one.id === gone ? [one.name, one.address, one.city].filter(Boolean).join(', ') : null
  return (
    <Drawn
      {...frame}
      points={points}
      unplaced={data?.unplaced ?? 0}
      answer={answer}
      caption={words}
      choice={
        data?.data.length
          ? {
              lit: hovered,
              chosen,
              onLit: (at) => {
                setGone(idAt(at))
                list.moveTo(idAt(at))
              },
              onChoose: (ats, how) => list.selectIds(ats.map(idAt), how === 'toggle'),
              onOpen: (at) => onOpen(idAt(at)),
            }
          : undefined
      }
    />
  )
}
