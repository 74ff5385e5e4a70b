import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { count as figure } from '../../contract/format.ts'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'

/** Returns at most `most` page numbers around the current one, always with the first and last; null marks a gap. */
export function pageLinks(page: number, pages: number, most: number): (number | null)[] {
  if (pages <= most) return Array.from({ length: pages }, (_, at) => at + 1)
  const inner = Math.max(1, most - 2)
  const from = Math.max(2, Math.min(page - Math.floor(inner / 2), pages - inner))
  const middle = Array.from({ length: inner }, (_, at) => from + at)
  return [1, ...(from > 2 ? [null] : []), ...middle, ...(from + inner < pages ? [null] : []), pages]
}

/** Links to pages around the current one. */
export function PageLinks({
  page,
  pages,
  most,
  onPage,
  className,
}: {
  page: number
  pages: number
  most: number
  onPage: (page: number) => void
  className?: string
}) {
  return (
    <span className={cx('flex items-center gap-1', className)}>
      {pageLinks(page, pages, most).map((link, at) =>
        link === null ? (
          <span key={`gap${at}`} className="px-0.5 text-faint" aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={link}
            type="button"
            data-view=""
            aria-label={`Page ${link}`}
            aria-current={link === page ? 'page' : undefined}
            onClick={() => onPage(link)}
            className={cx(
              'h-6 min-w-6 rounded-md px-1.5 tabular-nums',
              link === page ? 'bg-accent-wash font-medium text-accent-ink' : 'text-muted hover:bg-hover hover:text-ink',
            )}
          >
            {figure(link)}
          </button>
        ),
      )}
    </span>
  )
}

/** Shows the visible range of rows and links to other pages. Pages count from 1. */
export function Pager({
  page,
  size,
  total,
  onPage,
  most = 7,
  noun,
  className,
}: {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
  most?: number
  /** What the rows are ("projects"), if the context doesn't tell. */
  noun?: string
  className?: string
}) {
  const pages = Math.max(1, Math.ceil(total / size))
  // The first page is heard with the list.
  const [first] = useState(page)
  const [moved, setMoved] = useState(false)
  if (page !== first && !moved) setMoved(true)
  const from = total === 0 ? 0 : (page - 1) * size + 1
  return (
    <nav aria-label="Pages" data-view="" className={cx('flex h-9 items-center gap-1 text-meta', className)}>
      <span className="mr-auto whitespace-nowrap text-muted tabular-nums" aria-live={moved ? 'polite' : 'off'} aria-atomic="true">
        {figure(from)}–{figure(Math.min(page * size, total))} of {figure(total)} {noun}
      </span>
      {pages > 1 && (
        <>
          <IconButton label="Previous page" reason={page <= 1 ? 'this is the first' : null} onClick={() => onPage(page - 1)}>
            <ChevronLeft size={14} aria-hidden="true" />
          </IconButton>
          <PageLinks page={page} pages={pages} most={most} onPage={onPage} />
          <IconButton label="Next page" reason={page >= pages ? 'this is the last' : null} onClick={() => onPage(page + 1)}>
            <ChevronRight size={14} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </nav>
  )
}
