import { useMemo } from 'react'
import { Difference, type Unit } from '../ui/charts/Difference.tsx'
import { cx } from '../ui/cx.ts'
import { useShared } from './shared.ts'

interface ResultMessage<T> {
  value: T
  of: string
}

/**
 * Publishes a value of this pane to the compared ones; returns the first column's, once both belong to the same
 * filters.
 */
function useBase<T>(topic: string, value: T | undefined, of: string): { base: T; name: string } | null {
  const own = useMemo<ResultMessage<T> | undefined>(() => (value === undefined ? undefined : { value, of }), [value, of])
  const { base, baseName } = useShared<ResultMessage<T>>(topic, own)
  return own && base && base.of === of ? { base: base.value, name: baseName } : null
}

interface Props {
  /** What is measured: compared panes share it under this name. */
  topic: string
  /** Undefined while it is not known, null where the record has none. */
  value: number | null | undefined
  unit?: Unit
  /** The filters that it is a figure of: figures of other filters are no measure. */
  of?: string
  /** More is better. */
  judged?: boolean
  className?: string
}

/** How a figure of a compared pane differs from the first column's; nothing outside of a comparison, and nothing in the first. */
export function FigureDifference({ topic, value, unit = 'count', of = '', judged, className }: Props) {
  const found = useBase(`figure ${topic}`, value, of)
  if (!found || value === null || value === undefined) return null
  const { base, name } = found
  return (
    <span data-difference={topic} className={cx('whitespace-nowrap', className)}>
      {' '}
      <Difference value={base === null ? null : value - base} unit={unit} to={name} {...(judged ? { judged } : {})} />
    </span>
  )
}

/** A mark where words of a compared pane are not those of the first column; it says what those are. */
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
