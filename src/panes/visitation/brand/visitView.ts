import { PRESETS } from '../../../../contract/dmaPresets.ts'
import { count, showDay } from '../../../../contract/format.ts'
import { addDays, daysBetween } from '../../../../contract/pacing.ts'
import type { VisitFilter } from '../../../../contract/visitFilter.ts'
import { type DayRange, daysOf, PERIOD_WORDS, VISIT_PERIODS, type VisitPeriod } from '../../../../contract/visitPeriod.ts'
import type { VisitView } from '../../../commands/brandInfoController.ts'
import type { QueryPatch } from '../../../routing/ref.ts'
import { type Dma, labelOfSet, presetCodes } from '../../shared/dma.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const dayOf = (text: string | undefined): string => (text && DAY.test(text) ? text : '')
const OWN = ['date', 'start', 'end', 'dmas', 'service'] as const

/** Converts a saved filter to a view. */
export const viewOfFilter = ({ filter_date_type, filter_body }: VisitFilter): VisitView => ({
  date: filter_date_type,
  start: filter_body.start ?? '',
  end: filter_body.end ?? '',
  dmas: inOrder(filter_body.dmas),
  service: filter_body.service,
})

/** Sorts codes and drops duplicates, as links store them. */
export const inOrder = (codes: readonly number[]): number[] => [...new Set(codes)].sort((a, b) => a - b)

/** True if the link sets nothing, so a saved filter's view shows. */
export const saysNothing = (query: Readonly<Record<string, string>>): boolean => OWN.every((name) => !query[name])

/** Reads a view from a link; invalid periods and dates count as missing. */
export function viewOfQuery(query: Readonly<Record<string, string>>): VisitView {
  const date = (query.date ?? '').toLowerCase()
  return {
    date: (VISIT_PERIODS as readonly string[]).includes(date) ? (date as VisitPeriod) : query.start ? 'custom' : '30days',
    start: dayOf(query.start),
    end: dayOf(query.end),
    dmas: inOrder((query.dmas ?? '').split(',').map(Number).filter(Boolean)),
    service: Number(query.service) || null,
  }
}

/** Converts a view to a link's query. With a saved filter the period is explicit, or the filter's would apply. */
export const queryOfView = ({ date, start, end, dmas, service }: VisitView, named: boolean): QueryPatch => ({
  date: date === '30days' && !named ? null : date,
  start: date === 'custom' ? start || null : null,
  end: date === 'custom' ? end || null : null,
  dmas: dmas.length ? dmas.join() : null,
  service,
})

/** Converts a view to the calls' input. */
export const inputOfView = (brand: number, { date, start, end, dmas, service }: VisitView) => ({
  ...(brand ? { bid: brand } : {}),
  date,
  ...(date === 'custom' && start ? { start } : {}),
  ...(date === 'custom' && end ? { end } : {}),
  ...(dmas.length ? { dmas: dmas.join() } : {}),
  ...(service ? { service } : {}),
})

/** Serializes a view; views that show the same are equal as text. */
export const textOfView = (view: VisitView): string => JSON.stringify(inputOfView(0, view))

/** Returns a view's first and last day. */
export const rangeOf = ({ date, start, end }: VisitView, today: string): DayRange =>
  daysOf(date, today, { ...(start ? { start } : {}), ...(end ? { end } : {}) })

/** Returns the equally long period just before a range. */
export function rangeBefore({ start, end }: DayRange): DayRange {
  const days = daysBetween(start, end) + 1
  return { start: addDays(start, -days), end: addDays(start, -1) }
}

/** Formats "Oct 25 to Nov 23, 2026", or "Nov 23, 2026". */
export function showRange({ start, end }: DayRange): string {
  if (start === end) return showDay(start, 'day and year')
  const style = start.slice(0, 4) === end.slice(0, 4) ? 'day' : 'day and year'
  return `${showDay(start, style)} to ${showDay(end, 'day and year')}`
}

/** Formats a view's period: "Last 30 days", "Custom, 5 days". */
export function showPeriod(view: VisitView, today: string): string {
  if (view.date !== 'custom') return PERIOD_WORDS[view.date]
  const { start, end } = rangeOf(view, today)
  const days = daysBetween(start, end) + 1
  return `Custom, ${count(days)} ${days === 1 ? 'day' : 'days'}`
}

/** Formats market areas: "All DMAs", "Top 25", "Chicago", "3 market areas". */
export function showMarkets(dmas: readonly Dma[], chosen: readonly number[]): string {
  if (!chosen.length) return 'All DMAs'
  const preset = labelOfSet(dmas, chosen.map(String))
  if (preset) return preset
  if (chosen.length > 1) return `${count(chosen.length)} market areas`
  return dmas.find(({ dma_code }) => dma_code === chosen[0])?.dma_name ?? `DMA ${chosen[0]}`
}

/** Returns a preset's codes by its label; empty for all areas. */
export const codesOfPreset = (dmas: readonly Dma[], label: string): number[] => {
  const preset = PRESETS.find((one) => one.label === label)
  return preset?.size ? inOrder(presetCodes(dmas, preset).map(Number)) : []
}

const WIDER: Readonly<Partial<Record<VisitPeriod, VisitPeriod>>> = {
  today: 'week',
  yesterday: 'week',
  week: '30days',
  this_month: '30days',
}

/** Returns the next longer period: named ones up to 30 days, then twice as many days more; null past two years. */
export function widerThan(view: VisitView, today: string): Partial<VisitView> | null {
  const named = WIDER[view.date]
  if (named) return { date: named, start: '', end: '' }
  const { start, end } = rangeOf(view, today)
  const days = daysBetween(start, end) + 1
  return days > 730 ? null : { date: 'custom', start: addDays(start, -2 * days), end }
}
