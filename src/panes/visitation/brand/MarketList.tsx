import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { count, showRounded } from '../../../../contract/format.ts'
import { sharesOf, sharesWithin } from '../../../../contract/percentages.ts'
import type { VisitPoint } from '../../../../contract/visit.ts'
import { FigureDifference } from '../../../compare/FigureDifference.tsx'
import { sayChange, showChange } from '../../../ui/charts/dailyWords.ts'
import { cx } from '../../../ui/cx.ts'
import { SelectionBox } from '../../../ui/SelectionBox.tsx'
import { type Market, venuesByMarket } from './marketHeat.ts'

type Line = { key: string; market: Market; venue: null; at: -1 } | { key: string; market: Market; venue: VisitPoint; at: number }

interface Props {
  markets: readonly Market[]
  /** The map's points; named venues are listed under their market area. */
  points: readonly VisitPoint[]
  chosen: readonly number[]
  before: boolean
  total: number
  /** Names the figures in comparisons. */
  of: string
  /** The point the map moved to; its venue's row is scrolled into view. */
  lit: number | null
  onLit(at: number | null): void
  onToggle(code: number): void
  onOnly(code: number): void
}

const COLUMNS = ['Market', 'Venues', 'Visits', 'Share', 'Unique'] as const

/** Lists market areas by visits, with venues for admins: arrows move, Space toggles, Enter shows only one. */
export function MarketList({ markets, points, chosen, before, total, of, lit, onLit, onToggle, onOnly }: Props) {
  const id = useId()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [cursor, setCursor] = useState(0)
  const box = useRef<HTMLTableElement>(null)
  const venues = useMemo(() => venuesByMarket(points.filter(({ name }) => name !== null)), [points])
  // Indexes of named points in `points`.
  const places = useMemo(() => new Map(points.map((point, at) => [point.venue_id, at])), [points])
  const sorted = useMemo(() => [...markets].sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1)), [markets])
  const lines = useMemo(
    () =>
      sorted.flatMap((market): Line[] => [
        { key: `m${market.dma}`, market, venue: null, at: -1 },
        ...(open.has(market.dma) ? (venues.get(market.dma) ?? []) : []).map((venue): Line => {
          const at = places.get(venue.venue_id) ?? -1
          return { key: `v${at}`, market, venue, at }
        }),
      ]),
    [sorted, open, venues, places],
  )
  const at = Math.min(cursor, lines.length - 1)
  const expand = useCallback(
    (code: number, is: boolean) =>
      setOpen((before) => {
        const next = new Set(before)
        if (is) next.add(code)
        else next.delete(code)
        return next
      }),
    [],
  )
  // The market area of the map's current venue opens, and its row gets the cursor.
  const litPoint = lit === null ? null : points[lit]
  const shownPoint = useRef<number | null>(null)
  useEffect(() => {
    if (!litPoint || lit === null || shownPoint.current === lit) return
    if (litPoint.name !== null && !open.has(litPoint.dma)) return expand(litPoint.dma, true)
    const line = lines.findIndex((one) => (litPoint.name === null ? one.key === `m${litPoint.dma}` : one.at === lit))
    shownPoint.current = lit
    if (line >= 0) setCursor(line)
  }, [lit, litPoint, open, lines, expand])
  useEffect(() => {
    if (lit === null) shownPoint.current = null
  }, [lit])
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>(`[data-line="${at}"]`)
    const scroller = box.current?.parentElement
    if (!row || !scroller) return
    const head = 28
    if (row.offsetTop - head < scroller.scrollTop) scroller.scrollTop = row.offsetTop - head
    else if (row.offsetTop + row.offsetHeight > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = row.offsetTop + row.offsetHeight - scroller.clientHeight
  }, [at])
  const goTo = (next: number) => {
    const to = Math.max(0, Math.min(lines.length - 1, next))
    const line = lines[to]
    if (line) shownPoint.current = line.at >= 0 ? line.at : null
    setCursor(to)
    onLit(line && line.at >= 0 ? line.at : null)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const line = lines[at]
    if (!line) return
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    if (steps !== undefined) goTo(at + steps)
    else if (event.key === 'Home') goTo(0)
    else if (event.key === 'End') goTo(lines.length - 1)
    else if (event.key === ' ') onToggle(line.market.dma)
    else if (event.key === 'Enter') onOnly(line.market.dma)
    else if (event.key === 'ArrowRight' && venues.has(line.market.dma)) expand(line.market.dma, true)
    else if (event.key === 'ArrowLeft') {
      expand(line.market.dma, false)
      setCursor(lines.findIndex(({ key }) => key === `m${line.market.dma}`))
      onLit(null)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const shares = useMemo(() => {
    const whole = Math.max(1, total)
    const percents = sharesOf(
      sorted.map((market) => market.total),
      whole,
    )
    return new Map(
      sorted.flatMap((market, nth) => {
        const own = venues.get(market.dma) ?? []
        const within = sharesWithin(
          percents[nth]!,
          own.map(({ visits }) => visits),
          market.total,
        )
        return [
          [`m${market.dma}`, showRounded(percents[nth]!, market.total, whole, 1)] as const,
          ...own.map(({ venue_id, visits }, at) => [`v${venue_id}`, showRounded(within[at]!, visits, whole, 1)] as const),
        ]
      }),
    )
  }, [sorted, total, venues])
  return (
    <div className="relative max-h-110 overflow-y-auto rounded-md border border-line">
      <table
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with a row cursor
        role="treegrid"
        data-part=""
        aria-label="Market areas"
        aria-multiselectable="true"
        aria-rowcount={lines.length + 1}
        tabIndex={0}
        aria-activedescendant={lines[at] ? `${id}-${lines[at].key}` : undefined}
        onKeyDown={keys}
        className="group/list w-full border-collapse text-meta tabular-nums -outline-offset-2"
      >
        <thead>
          <tr>
            {[...COLUMNS, ...(before ? ['Change'] : [])].map((name, place) => (
              <th
                key={name}
                scope="col"
                className={cx(
                  'sticky top-0 z-[1] h-7 border-b border-line bg-surface px-2 font-medium text-muted',
                  place ? 'whitespace-nowrap text-right' : 'w-full pl-3 text-left',
                  name === 'Venues' && '@max-lg:hidden',
                  name === 'Share' && '@max-sm:hidden',
                  name === 'Unique' && before && '@max-xs:hidden',
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, place) => {
            const { market, venue, key } = line
            const is = chosen.includes(market.dma)
            const shown = venue ? { total: venue.visits, before: venue.before } : market
            return (
              <tr
                key={key}
                id={`${id}-${key}`}
                data-line={place}
                aria-level={venue ? 2 : 1}
                aria-rowindex={place + 2}
                aria-selected={is}
                aria-expanded={!venue && venues.has(market.dma) ? open.has(market.dma) : undefined}
                onClick={() => {
                  goTo(place)
                  if (!venue) onOnly(market.dma)
                }}
                className={cx(
                  'cursor-pointer border-b border-line last:border-0 hover:bg-hover',
                  place === at &&
                    'group-focus-visible/list:bg-cursor group-focus-visible/list:shadow-[inset_2px_0_0_var(--accent)]',
                  line.at >= 0 && line.at === lit && 'bg-cursor',
                )}
              >
                <td className="h-7 max-w-0 py-0 pr-2 pl-3">
                  <span className={cx('flex items-center gap-2', venue && 'pl-6')}>
                    {!venue && (
                      // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; the list handles Space
                      // biome-ignore lint/a11y/useKeyWithClickEvents: the same
                      <span
                        className="inline-flex"
                        onClick={(event) => {
                          event.stopPropagation()
                          goTo(place)
                          onToggle(market.dma)
                        }}
                      >
                        <SelectionBox state={is} />
                      </span>
                    )}
                    <span dir="auto" className="min-w-0 flex-1 truncate" title={venue?.address ?? undefined}>
                      {venue ? venue.name : market.name}
                    </span>
                    {!venue && venues.has(market.dma) && (
                      // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; the list handles arrow keys
                      // biome-ignore lint/a11y/useKeyWithClickEvents: the same
                      <span
                        data-expand=""
                        className="grid size-5 place-items-center rounded-sm text-muted hover:text-ink"
                        onClick={(event) => {
                          event.stopPropagation()
                          expand(market.dma, !open.has(market.dma))
                        }}
                      >
                        <ChevronRight size={12} aria-hidden="true" className={open.has(market.dma) ? 'rotate-90' : ''} />
                      </span>
                    )}
                  </span>
                </td>
                <td className="px-2 text-right text-muted @max-lg:hidden">{venue ? '' : count(market.venues)}</td>
                <td className="whitespace-nowrap px-2 text-right">
                  {count(shown.total)}
                  {!venue && <FigureDifference topic={`market ${market.dma}`} value={market.total} of={of} />}
                </td>
                <td className="whitespace-nowrap px-2 text-right text-muted @max-sm:hidden">
                  {shares.get(venue ? `v${venue.venue_id}` : `m${market.dma}`)}
                </td>
                <td className={cx('whitespace-nowrap px-2 text-right text-muted', before && '@max-xs:hidden')}>
                  {venue ? '' : `${market.unique_exact ? '' : '≈ '}${count(market.unique)}`}
                </td>
                {before && (
                  <td className="whitespace-nowrap px-2 text-right">
                    <Change value={shown.total} before={shown.before} />
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Change({ value, before }: { value: number; before: number | null }) {
  const shown = showChange(value, before)
  return (
    <span className={shown.startsWith('+') ? 'text-green-ink' : shown.startsWith('−') ? 'text-red-ink' : 'text-faint'}>
      <span aria-hidden="true">{shown}</span>
      <span className="sr-only">{sayChange(value, before, 'the period before')}</span>
    </span>
  )
}
