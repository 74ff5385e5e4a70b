import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { ErrorState } from '../ui/States.tsx'
import type { ApiError } from './api.ts'

interface ErrorProps {
  /** What couldn't be loaded: "The notes"; `title` replaces the whole sentence. */
  what?: string
  title?: string
  error: ApiError
  /** Omit it if the form has its own button to retry. */
  retry?: () => void
  /** Renders a single line above or among the content, instead of a block in its place. */
  slim?: boolean
  className?: string
  /** Replaces the server's message. */
  children?: ReactNode
}

/** A failed call: what it was for, the server's sentence, the request id for support, and "Try again". */
export function AnswerError({
  what,
  title = `${what} couldn’t be loaded`,
  error,
  retry,
  slim,
  className,
  children = error.message,
}: ErrorProps) {
  const again = retry && <Button onClick={retry}>Try again</Button>
  if (slim)
    return (
      <p role="alert" className={cx('flex gap-3 text-red-ink', className)}>
        {title}: {error.message}
        {again}
      </p>
    )
  return (
    <ErrorState title={title} action={again} className={className} detail={error.requestId ?? undefined}>
      {children}
    </ErrorState>
  )
}
