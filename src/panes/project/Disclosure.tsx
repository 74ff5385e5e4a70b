import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../../ui/cx.ts'
import { isInField } from '../../workspace/focusLater.ts'
import { usePane } from '../../workspace/pane.tsx'

interface FoldProps {
  title: string
  /** The anchor for synchronized scrolling and for links with `?section=`. */
  anchor: string
  aside?: ReactNode
  /** Initially closed. */
  folded?: boolean
  children: ReactNode
}

/** A collapsible section, open unless `folded`; focused if the address names it. */
export function Disclosure({ title, anchor, aside, folded, children }: FoldProps) {
  const named = usePane().query.section === anchor
  const head = useRef<HTMLElement>(null)
  useEffect(() => {
    if (named && !isInField()) head.current?.focus()
  }, [named])
  return (
    <details open={!folded || named} data-anchor={anchor} className="group border-b border-line last:border-b-0">
      <summary
        ref={head}
        className="-mx-1.5 flex h-9 cursor-default list-none items-center gap-2 px-1.5 text-meta font-medium text-muted outline-offset-[-2px] hover:text-ink"
      >
        <ChevronRight size={14} aria-hidden="true" className="group-open:rotate-90 motion-safe:transition-transform" />
        <h2>{title}</h2>
        {aside && <span className="ml-auto font-normal text-faint">{aside}</span>}
      </summary>
      <div className="pb-4 @sm:pl-5.5">{children}</div>
    </details>
  )
}

/** A label, its value and, in a comparison, the difference from the first column. */
export type Fact = readonly [name: string, value: ReactNode, more?: { wide?: true; differs?: ReactNode }]

/** Labels and values, in two columns where they fit; `wide` spans both. Missing values are muted. */
export function Facts({ rows }: { rows: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-8 gap-y-1.5 @3xl:grid-cols-2">
      {rows.map(([name, value, { wide, differs } = {}], at) => (
        <div
          key={`${name}${at}`}
          className={cx(
            'grid grid-cols-1 gap-x-3 @xs:grid-cols-[120px_minmax(0,1fr)] @sm:grid-cols-[128px_minmax(0,1fr)]',
            wide && '@3xl:col-span-2',
          )}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">
            {value === '' || value === null || value === undefined ? <span className="text-faint">–</span> : value}
            {differs}
          </dd>
        </div>
      ))}
    </dl>
  )
}
