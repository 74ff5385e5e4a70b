import { useCallback, useState } from 'react'
import { count, percent } from '../../../contract/format.ts'
import { serviceFields } from '../../../contract/visitationFields.ts'
import { subjectAs } from '../../commands/subject.ts'
import { browserStore } from '../../data/browserStore.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import type { RowOf } from '../../list/nounColumns.tsx'
import { PaceBar } from '../../ui/charts/PaceBar.tsx'
import { Mark, type Shape, type Tone } from '../../ui/Pill.tsx'
import { paceTone } from '../shared/projectSubject.ts'

export type Service = RowOf<'service'>
export type Brand = RowOf<'brand'>
export const serviceSubject = subjectAs<Service>('service')
export const brandSubject = subjectAs<Brand>('brand')

/** Page size, and the most rows a list shows (people-and-catalogue-area 9). */
export const PAGE_SIZE = 100
export const MOST = 500

/** Active is the default (people-and-catalogue-area 2, Behaviours). */
export const STATUSES = [
  { value: '1', label: 'Active' },
  { value: '0', label: 'Inactive' },
  { value: '2', label: 'All' },
] as const
export const statusIn = (value: string): '0' | '1' | '2' => (value === '0' || value === '2' ? value : '1')

/** Parses a filter value as an ID. */
export const idIn = (value: string | undefined): number | undefined =>
  /^[1-9]\d{0,9}$/.test(value ?? '') ? Number(value) : undefined

export const STATUS_LOOKS = { active: ['green'], inactive: ['grey'] } as const

const DOTS: Readonly<Record<Tone, readonly [shape: Shape, ink: string, word: string]>> = {
  grey: ['ring', 'text-grey-ink', 'nothing ordered or expected yet'],
  red: ['cross', 'text-red-ink', 'below 30%'],
  amber: ['triangle', 'text-amber-ink', 'below 70%'],
  green: ['dot', 'text-green-ink', 'from 70%'],
  blue: ['diamond', 'text-blue-ink', ''],
}

/** Progress as a dot; each colour has its own shape (screens-visitation.md, All brands). */
export function ProgressDot({ color }: { color: string }) {
  const [shape, ink, word] = DOTS[paceTone(color)]
  return (
    <span className={`inline-flex shrink-0 ${ink}`} title={`Progress: ${word}`}>
      <Mark shape={shape} />
      <span className="sr-only">{`Progress ${word}: `}</span>
    </span>
  )
}

/** Completed visits as a share of those expected by today; a dash if nothing is ordered. */
export function Progress({ row }: { row: { ordered: number; percentage: number; color: string } }) {
  if (!row.ordered) return <span className="text-faint">–</span>
  return (
    <span className="inline-flex items-center gap-2">
      <ProgressDot color={row.color} />
      <PaceBar
        value={row.percentage}
        tone={paceTone(row.color)}
        // At 320 px there is only room for the figure.
        className="max-[360px]:grid-cols-[6ch] max-[360px]:*:first:hidden"
        title={`${percent(row.percentage)} of what is expected by today`}
      />
    </span>
  )
}

/** A signed change in percent; a dash without a value to compare with. */
export function Change({ value }: { value: number | null }) {
  if (value === null) return <span className="text-faint">–</span>
  return <span className="text-muted">{`${value > 0 ? '+' : value < 0 ? '−' : ''}${percent(Math.abs(value))}`}</span>
}

/** Edits a cell of a service. */
export const editService = editsOf('service', serviceFields)

/** A figure that is never cut off, faint if zero; with its noun where rows take two lines. */
export function Figure({ value, noun }: { value: number; noun?: string }) {
  return (
    <span data-whole="" className={value ? '' : 'text-faint'}>
      {count(value)}
      {noun && <span className="hidden @max-[560px]:inline">{` ${noun}${value === 1 ? '' : 's'}`}</span>}
    </span>
  )
}

/** Whether a list shows columns of names; this browser remembers the choice. */
export function useCompact(name: string): { on: boolean; toggle(): void } {
  const key = `fieldwork.${name}.columns`
  const [on, setOn] = useState(() => browserStore.get(key) === true)
  const toggle = useCallback(
    () =>
      setOn((before) => {
        browserStore.set(key, !before)
        return !before
      }),
    [key],
  )
  return { on, toggle }
}

/** Shown above the rows when more match than the list shows. */
export function MoreThanShown({ count: matching }: { count: number }) {
  if (matching <= MOST) return null
  return (
    <p role="status" className="shrink-0 border-b border-line px-4 py-1.5 text-meta text-muted">
      Showing {count(MOST)} of {count(matching)}. Search to narrow.
    </p>
  )
}
