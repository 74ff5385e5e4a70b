import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

/** A section that folds; open at first. */
export function Fold({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <details open className="group border-b border-line last:border-b-0">
      <summary className="flex h-9 cursor-default list-none items-center gap-2 text-meta font-medium text-muted outline-offset-[-2px] hover:text-ink">
        <ChevronRight size={14} aria-hidden="true" className="group-open:rotate-90 motion-safe:transition-transform" />
        <h2>{title}</h2>
        {aside && <span className="ml-auto font-normal text-faint">{aside}</span>}
      </summary>
      <div className="pb-4 @sm:pl-5.5">{children}</div>
    </details>
  )
}

/** Names and values beneath each other, two columns where there is room (a `wide` one takes both); what has no value says so quietly. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode, wide?: 'wide'])[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-8 gap-y-1.5 @xl:grid-cols-2">
      {rows.map(([name, value, wide]) => (
        <div key={name} className={cx('grid grid-cols-1 gap-x-3 @sm:grid-cols-[128px_minmax(0,1fr)]', wide && '@xl:col-span-2')}>
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">
            {value === '' || value === null || value === undefined ? <span className="text-faint">–</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
