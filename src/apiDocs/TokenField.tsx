import { KeyRound } from 'lucide-react'
import { useId } from 'react'
import { cx } from '../ui/cx.ts'
import { box } from '../ui/useField.ts'
import { useCallerToken } from './callerToken.ts'

/** The token for trying calls, with what the server says about it. */
export function TokenField({ className }: { className?: string }) {
  const { value, owner, error, change } = useCallerToken()
  const id = useId()
  const words = error ?? (owner ? `“${owner.name}” of ${owner.email}: ${owner.scopes.join(', ')}` : '')
  return (
    <div className={cx('flex min-w-0 items-center gap-x-2 gap-y-1 narrow:flex-col narrow:items-stretch', className)}>
      <span className="relative flex min-w-0 items-center">
        <KeyRound size={14} aria-hidden="true" className="pointer-events-none absolute left-2 text-muted" />
        <input
          type="password"
          autoComplete="off"
          spellCheck={false}
          aria-label="Token for trying calls"
          aria-describedby={id}
          aria-invalid={error !== null || undefined}
          placeholder="Token to try calls: fwt_…"
          title="It stays in this page only, and is gone when you reload it."
          value={value}
          onChange={(event) => change(event.target.value.trim())}
          className={cx(box, 'h-7 w-56 pl-7 narrow:h-11 narrow:w-full')}
        />
      </span>
      <p
        id={id}
        role="status"
        title={words}
        className={cx(
          'max-w-72 truncate text-meta narrow:max-w-full',
          error ? 'text-red-ink' : 'text-muted',
          !words && 'sr-only',
        )}
      >
        {words}
      </p>
    </div>
  )
}
