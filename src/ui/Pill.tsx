import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** The tones of a status; each has its own shape, so colour never carries meaning alone. */
export type Tone = 'grey' | 'red' | 'amber' | 'green' | 'blue'

const washes: Record<Tone, string> = {
  grey: 'bg-grey-wash text-grey-ink',
  red: 'bg-red-wash text-red-ink',
  amber: 'bg-amber-wash text-amber-ink',
  green: 'bg-green-wash text-green-ink',
  blue: 'bg-blue-wash text-blue-ink',
}

/** Status shapes: dot live, ring waiting, diamond agreed, bars paused, tick done, cross refused. */
const shapes = {
  dot: <circle cx="4" cy="4" r="2.5" fill="currentColor" />,
  ring: <circle cx="4" cy="4" r="2.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  diamond: <path d="M4 .8 7.2 4 4 7.2.8 4Z" fill="currentColor" />,
  pause: <path d="M1.5 1h1.8v6H1.5zM4.7 1h1.8v6H4.7z" fill="currentColor" />,
  tick: <path d="m1 4.2 2.1 2.1L7 1.8" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  cross: <path d="m1.2 1.2 5.6 5.6m0-5.6L1.2 6.8" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  triangle: <path d="M4 .8 7.6 7.2H.4Z" fill="currentColor" />,
}

/** A shape's name. */
export type Shape = keyof typeof shapes

const usual: Record<Tone, Shape> = { grey: 'ring', red: 'cross', amber: 'triangle', green: 'dot', blue: 'diamond' }

/** The 8 px shape of a status, in the colour of the surrounding text. */
export function Mark({ shape, className }: { shape: Shape; className?: string }) {
  return (
    <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true" className={cx('shrink-0', className)}>
      {shapes[shape]}
    </svg>
  )
}

/** A status: shape and word on the wash of its tone. */
export function Pill({
  tone,
  shape,
  children,
  className,
}: {
  tone: Tone
  shape?: Shape
  children: ReactNode
  className?: string
}) {
  return (
    <span
      className={cx(
        'inline-flex h-5 max-w-full items-center gap-1.5 whitespace-nowrap rounded-full px-2 text-meta font-medium',
        washes[tone],
        className,
      )}
    >
      <Mark shape={shape ?? usual[tone]} />
      <span className="truncate">{children}</span>
    </span>
  )
}

/** A small count or word beside something: "12", "new". */
export function Badge({ tone = 'grey', children, className }: { tone?: Tone; children: ReactNode; className?: string }) {
  return (
    <span
      className={cx(
        'inline-flex h-4 min-w-4 items-center justify-center rounded-sm px-1 text-meta font-medium tabular-nums',
        washes[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
