import type { ReactNode } from 'react'
import { count } from '../../../contract/format.ts'
import { cx } from '../cx.ts'
import { useDelayed } from '../useDelayed.ts'

/** Every chart's props: its name, whether it is loading, and whether to show its table. */
export type ChartProps = {
  /** The accessible name: "Age of respondents". */
  label: string
  loading?: boolean
  asTable?: boolean
  /** Shown when there is nothing to draw. */
  empty?: ReactNode
  className?: string
}

/** A difference with its sign: +3, −31, 0. */
export const showDifference = (value: number): string => (value === 0 ? '0' : `${value > 0 ? '+' : '−'}${count(Math.abs(value))}`)

/** The table behind a chart: the same figures in rows, the first column a name, the others right-aligned. */
export function ChartTable({
  label,
  head,
  rows,
}: {
  label: string
  head: readonly string[]
  rows: readonly (readonly ReactNode[])[]
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" aria-label={label} tabIndex={0} className="max-h-80 overflow-auto">
      <table aria-label={label} className="w-full border-collapse text-meta tabular-nums">
        <thead>
          <tr>
            {head.map((name, at) => (
              <th
                key={name}
                scope="col"
                className={cx(
                  'sticky top-0 h-7 border-b border-line bg-surface px-2 font-medium text-muted first:pl-0 last:pr-0',
                  at ? 'text-right' : 'text-left',
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line} className="border-b border-line last:border-0">
              {row.map((cell, at) =>
                at === 0 ? (
                  <th key={at} scope="row" className="h-6 px-2 text-left font-normal first:pl-0">
                    {cell}
                  </th>
                ) : (
                  <td key={at} className="h-6 px-2 text-right last:pr-0">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A chart without data: shows `words` if empty, `ghost` after 150 ms of loading. */
export function ChartBlank({
  loading,
  label,
  height,
  ghost,
  children,
}: {
  loading?: boolean
  label: string
  height: number
  ghost: ReactNode
  children: ReactNode
}) {
  const late = useDelayed(Boolean(loading))
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name
    <div
      role={loading ? 'status' : 'group'}
      data-loading={loading ? '' : undefined}
      aria-label={loading ? (late ? `${label}: loading` : undefined) : label}
      className="relative"
      style={{ minHeight: height }}
    >
      {(late || !loading) && (
        <div aria-hidden="true" className={loading ? 'opacity-70' : 'opacity-50'}>
          {ghost}
        </div>
      )}
      {!loading && (
        <p className="absolute inset-0 grid place-items-center text-center text-meta text-muted">
          <span className="rounded-md bg-surface px-2 py-0.5">{children}</span>
        </p>
      )}
    </div>
  )
}
