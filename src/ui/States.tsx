import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { useDelayed } from './useDelayed.ts'

/** An empty state: an icon, one sentence, and a command that adds something. */
export function EmptyState({
  icon,
  children,
  action,
  className,
}: {
  icon?: ReactNode
  children: ReactNode
  action?: ReactNode
  className?: string
}) {
  return (
    <div className={cx('flex flex-col items-center justify-center gap-3 px-6 py-12 text-center text-muted', className)}>
      {icon && <span className="text-faint">{icon}</span>}
      <p className="max-w-80 text-balance">{children}</p>
      {action}
    </div>
  )
}

/** An error in place: what happened, what to do, and a button for it. */
export function ErrorState({
  title,
  children,
  action,
  detail,
  className,
}: {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** A request id to quote to support. */
  detail?: string
  className?: string
}) {
  return (
    <div role="alert" className={cx('flex items-start gap-3 p-4', className)}>
      <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-red-ink" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {children && <div className="mt-0.5 text-muted">{children}</div>}
        {detail && <p className="mt-1 break-all font-mono text-meta text-faint">Request {detail}</p>}
        {action && (
          <div data-view="" className="mt-3 flex gap-2">
            {action}
          </div>
        )}
      </div>
    </div>
  )
}

const widths = ['62%', '44%', '71%', '53%', '38%', '66%']

/** Bars in place of loading rows, at their real height. */
export const SkeletonRows = ({ rows }: { rows: number }) =>
  Array.from({ length: rows }, (_, at) => (
    <div key={at} className="flex h-row items-center gap-4 border-b border-line px-4">
      <span className="size-3.5 shrink-0 rounded-sm bg-track opacity-60" />
      <span className="flex-1">
        <span className="block h-2 rounded-full bg-track opacity-60" style={{ width: widths[at % widths.length] }} />
      </span>
      <span className="h-2 w-14 rounded-full bg-track opacity-60" />
    </div>
  ))

/** Placeholder rows. They take their space at once and appear after 150 ms, so that nothing jumps or flashes. */
export function Skeleton({ rows = 6, label = 'Loading', className }: { rows?: number; label?: string; className?: string }) {
  const late = useDelayed(true)
  return (
    <div role="status" data-loading="" aria-label={late ? label : undefined} className={cx(!late && 'invisible', className)}>
      <SkeletonRows rows={rows} />
    </div>
  )
}
