import { type ReactNode, useEffect } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import { pageFacts } from '../../data/pageFacts.ts'
import { cx } from '../../ui/cx.ts'
import { Mark, type Shape } from '../../ui/Pill.tsx'
import { useDelayed } from '../../ui/useDelayed.ts'

/** The frame of a partner's page: the product's name, the request's code, one column on a phone. */
export function Page({
  title,
  code,
  banner,
  narrow,
  children,
}: {
  /** The browser tab's title. */
  title: string
  code?: string | undefined
  banner?: ReactNode
  narrow?: boolean
  children: ReactNode
}) {
  const { product } = pageFacts()
  useEffect(() => {
    document.title = stripBidi(`${title} – ${product}`)
  }, [title, product])
  const width = cx('mx-auto w-full px-4 sm:px-6', narrow ? 'max-w-xl' : 'max-w-5xl')
  return (
    <div className="flex min-h-dvh flex-col bg-ground text-read max-sm:bg-surface">
      {banner && (
        <div className="border-b border-line bg-accent-wash print:hidden">
          <div className={cx(width, 'py-2')}>{banner}</div>
        </div>
      )}
      <header className={cx(width, 'flex items-center gap-2 py-4 text-meta text-muted')}>
        <span aria-hidden="true" className="size-3.5 rounded-sm bg-linear-135 from-accent to-blue" />
        <span className="font-semibold text-ink">{product}</span>
        {code && <code className="ml-auto">{code}</code>}
      </header>
      <main className={cx(width, 'grow pb-10')}>{children}</main>
    </div>
  )
}

/** Grey lines while a page loads; nothing for the first 150 ms. */
export function PageSkeleton() {
  const late = useDelayed(true)
  return (
    <Page title="Feasibility">
      <div role="status" data-loading="" aria-label={late ? 'Loading' : undefined} className="min-h-[60vh]">
        {late &&
          ['70%', '40%', '100%', '100%', '85%', '92%', '60%'].map((width, at) => (
            <span
              key={at}
              className={cx('mb-5 block rounded-md bg-track opacity-60', at === 0 ? 'h-7' : 'h-4')}
              style={{ width }}
            />
          ))}
      </div>
    </Page>
  )
}

const tones = {
  plain: 'bg-grey-wash text-ink',
  good: 'bg-green-wash text-green-ink',
  warn: 'bg-amber-wash text-amber-ink',
  bad: 'bg-red-wash text-red-ink',
}
const marks: Record<keyof typeof tones, Shape> = { plain: 'ring', good: 'tick', warn: 'triangle', bad: 'cross' }

/** A status message with an optional action; a bad one is announced assertively. */
export function Notice({ tone, children, action }: { tone: keyof typeof tones; children: ReactNode; action?: ReactNode }) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cx('flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md px-3 py-2.5', tones[tone])}
    >
      <p className="flex min-w-0 flex-1 basis-60 items-baseline gap-2">
        <Mark shape={marks[tone]} />
        <span className="min-w-0">{children}</span>
      </p>
      {action}
    </div>
  )
}
