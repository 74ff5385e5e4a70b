import { useMemo } from 'react'
import { Difference, type Unit } from '../ui/charts/Difference.tsx'
import { cx } from '../ui/cx.ts'
import { useShared } from './shared.ts'

interface ResultMessage<T> {
  value: T
  of: string
}

/** Publishes this pane's value to the compared ones; returns the first column's if both use the same filters. */
function useBase<T>(topic: string, value: T | undefined, of: string): { base: T; name: string } | null {
  const own = useMemo<ResultMessage<T> | undefined>(() => (value === undefined ? undefined : { value, of }), [value, of])
  const { base, baseName } = useShared<ResultMessage<T>>(topic, own)
  return own && base && base.of === of ? { base: base.value, name: baseName } : null
}

interface Props {
  /** The measure's name, which compared panes share. */
  topic: string
  /** Undefined while loading, null if the record has none. */
  value: number | null | undefined
  unit?: Unit
  /** The figure's filters; figures under other filters can't be compared. */
  of?: string
  /** True where more is better. */
  judged?: boolean
  className?: string
}

/** A compared figure's difference from the first column's; renders nothing in the first or outside a comparison. */
export function FigureDifference({ topic, value, unit = 'count', of = '', judged, className }: Props) {
  const found = useBase(`figure ${topic}`, value, of)
  if (!found || value === null || value === undefined) return null
  const { base, name } = found
  return (
    <span data-difference={topic} className={cx('whitespace-nowrap', className)}>
      {' '}
      <Difference value={base === null ? null : value - base} unit={unit} to={name} judged={judged} />
    </span>
  )
}

/** Marks text that differs from the first column's, and shows that text. */
export function WordDifference({ topic, text }: { topic: string; text: string | undefined }) {
  const found = useBase(`words ${topic}`, text, '')
  if (!found || found.base === text) return null
  const words = found.base ? `in ${found.name}: ${found.base}` : `${found.name} has none`
  return (
    <span data-difference={topic} title={words} className="ml-1.5 font-medium text-amber-ink">
      <span aria-hidden="true">≠</span>
      <span className="sr-only">; {words}</span>
    </span>
  )
}
