import { DateInput } from '../../ui/DateInput.tsx'

const DAY = /^\d{4}-\d\d-\d\d$/
const dayOf = (text: string | undefined): string => (text && DAY.test(text) ? text : '')

/** Converts the filters `from` and `to` to the call's input; invalid days are omitted. */
export function daysOf({ from, to }: { from?: string; to?: string }): { from?: string; to?: string } {
  return { ...(dayOf(from) ? { from: dayOf(from) } : {}), ...(dayOf(to) ? { to: dayOf(to) } : {}) }
}

interface Filtered {
  filters: Readonly<Record<string, string>>
  setFilter(name: string, value: string): void
}

/** A list's date range, as its filters `from` and `to`, which update once a date is complete. */
export function DayRange({ view }: { view: Filtered }) {
  const day = (name: 'from' | 'to', label: string) => (
    <DateInput
      label={label}
      value={view.filters[name] ?? ''}
      whole
      onChange={(day) => (dayOf(day) || !day.trim()) && view.setFilter(name, dayOf(day))}
      className="w-34 pointer-coarse:w-40"
    />
  )
  return (
    <span data-view="" className="flex items-center gap-1.5">
      {day('from', 'From')}
      <span className="text-muted">to</span>
      {day('to', 'To')}
    </span>
  )
}
