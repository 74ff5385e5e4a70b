import { CircleAlert } from 'lucide-react'
import { MESSAGES } from '../../../../contract/messages.ts'
import type { ApiError } from '../../../data/api.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'

/** The message of a failed load (people-and-catalogue-area 8); a missing record uses the server's. */
export const visitsSentence = ({ status, message }: ApiError): string =>
  status === 504 ? MESSAGES.visitsTimedOut : status >= 500 ? MESSAGES.visitsFailed : message

/** Replaces a widget whose figures failed to load, or that has none (without an error), at the same height. */
export function VisitsError({
  error,
  retry,
  height,
  className,
}: {
  error?: ApiError | undefined
  retry(): void
  height?: number
  className?: string
}) {
  return (
    <div
      role={error ? 'alert' : 'status'}
      style={height === undefined ? undefined : { minHeight: height }}
      className={cx(
        'flex flex-wrap items-center justify-center gap-x-4 gap-y-2 rounded-md border border-line px-4 py-3',
        className,
      )}
    >
      <p className="flex min-w-0 max-w-140 items-start gap-2 text-pretty">
        <CircleAlert size={14} aria-hidden="true" className={cx('mt-[3px] shrink-0', error ? 'text-red-ink' : 'text-muted')} />
        <span className={error ? '' : 'text-muted'}>
          {error ? visitsSentence(error) : MESSAGES.visitsNone}
          {error?.requestId && <span className="ml-2 break-all font-mono text-meta text-faint">{error.requestId}</span>}
        </span>
      </p>
      <span className="flex gap-2">
        <Button data-view="" onClick={retry}>
          Try again
        </Button>
        {!error && <CommandButton id="brand.widen" plain />}
      </span>
    </div>
  )
}
