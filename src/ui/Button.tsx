import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { useId } from 'react'
import { cx } from './cx.ts'
import { ariaKeys, Kbd } from './Kbd.tsx'

const variants = {
  default: 'border-edge bg-surface text-ink hover:bg-hover aria-expanded:bg-hover',
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
  danger: 'border-red bg-surface text-red-ink hover:bg-red-wash',
  ghost: 'border-transparent text-muted hover:bg-hover hover:text-ink aria-expanded:bg-hover',
}

/** The button styles. At most one primary per pane. */
export type ButtonVariant = keyof typeof variants

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & { ref?: Ref<HTMLButtonElement> }
type Common = {
  variant?: ButtonVariant
  /** Why it can't be pressed now: the button greys out, stays focusable and shows the reason. */
  reason?: string | null
  /** The action is running: further presses do nothing. */
  busy?: boolean
}

/** A button with a label and, if it has one, its shortcut. */
export function Button({
  variant = 'default',
  kbd,
  reason,
  busy,
  icon,
  children,
  className,
  onClick,
  ...rest
}: Native & Common & { kbd?: string; icon?: ReactNode }) {
  const description = useId()
  const off = Boolean(reason) || busy
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      aria-describedby={reason ? description : rest['aria-describedby']}
      aria-keyshortcuts={ariaKeys(kbd)}
      title={reason ?? rest.title}
      onClick={off ? (event) => event.preventDefault() : onClick}
      className={cx(
        'inline-flex h-7 shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border px-2.5 text-meta font-medium',
        off ? 'border-line bg-surface text-faint' : variants[variant],
        className,
      )}
    >
      {icon}
      {children}
      {kbd && <Kbd mute keys={kbd} onFill={variant === 'primary' && !off} className="-mr-1 max-sm:hidden" />}
      {reason && (
        <span id={description} hidden>
          {reason}
        </span>
      )}
    </button>
  )
}

/** An icon-only button; `label` is its accessible name and tooltip. */
export function IconButton({
  label,
  reason,
  busy,
  variant = 'ghost',
  children,
  className,
  onClick,
  title,
  kbd,
  ...rest
}: Native & Common & { label: string; kbd?: string | null; children: ReactNode }) {
  const off = Boolean(reason) || busy
  const words = reason ? `${label}: ${reason}` : label
  return (
    <button
      type="button"
      {...rest}
      aria-label={words}
      aria-disabled={off || undefined}
      aria-keyshortcuts={ariaKeys(kbd)}
      onClick={off ? (event) => event.preventDefault() : onClick}
      className={cx(
        'relative inline-flex size-7 shrink-0 items-center justify-center rounded-md border',
        off ? 'border-transparent text-faint' : variants[variant],
        className,
      )}
    >
      {children}
      {/* As the button's own tooltip it would be its description too, and be read twice by screen readers. */}
      <span aria-hidden="true" title={title ?? (kbd ? `${words} (${kbd})` : words)} className="absolute inset-0" />
    </button>
  )
}
