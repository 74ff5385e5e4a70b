import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { ErrorState } from '../ui/States.tsx'
import type { ApiError } from './api.ts'

interface ErrorProps {
  /** What could not be loaded: "The notes"; `title` says it otherwise. */
  what?: string
  title?: string
  error: ApiError
  /** Left out where the form's own button tries again. */
  retry?: () => void
  /** One line above or among what is there, instead of a block in the place of all. */
  slim?: boolean
  className?: string
  /** Instead of the server's sentence. */
  children?: ReactNode
}

/** A call that failed: what it was for, the server's sentence, the request's id for support, and "Try again". */
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
    <ErrorState title={title} action={again} className={className} {...(error.requestId ? { detail: error.requestId } : {})}>
      {children}
    </ErrorState>
  )
}
