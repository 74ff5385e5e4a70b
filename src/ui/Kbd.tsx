import { cx } from './cx.ts'

const names: Record<string, string> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

const NAMES: Record<string, string> = {
  ...{ Ctrl: 'Control', '⌘': 'Meta', '⌃': 'Control', '⌥': 'Alt', '⇧': 'Shift', '←': 'ArrowLeft', '→': 'ArrowRight' },
  ...{ '↑': 'ArrowUp', '↓': 'ArrowDown', Esc: 'Escape', Del: 'Delete', '+': 'Plus' },
}

/**
 * Converts shown keys for `aria-keyshortcuts`: `Ctrl+K` becomes Control+K, ⌘K Meta+K.
 * The keys of a sequence follow each other, as they are pressed and read out.
 */
export const ariaKeys = (shown: string | null | undefined): string | undefined =>
  shown
    ? shown
        .replace(/[⌘⌃⌥⇧](?!$)/gu, '$&+')
        .split(' ')
        .map((chord) =>
          chord
            .split(/\+(?=.)/)
            .map((key) => NAMES[key] ?? key)
            .join('+'),
        )
        .join(' ')
    : undefined

/**
 * A shortcut: `Ctrl+K` pressed together, `g p` in sequence. `plain` omits the box; `onFill` adapts to a filled button.
 * `mute` hides it from screen readers, where the control itself has `ariaKeys`.
 */
export function Kbd({
  keys,
  plain,
  onFill,
  mute,
  className,
}: {
  keys: string
  plain?: boolean
  onFill?: boolean
  mute?: boolean
  className?: string
}) {
  const strokes = keys === ' ' ? ['Space'] : keys.split(' ').filter(Boolean)
  const text = strokes
    .map((stroke) =>
      stroke
        .split(/\+(?=.)/)
        .map((key) => names[key] ?? key)
        .join(' '),
    )
    .join(' ')
  return (
    <kbd
      aria-hidden={mute}
      className={cx(
        'inline-block whitespace-nowrap text-center font-mono text-meta',
        !plain && 'min-w-[18px] rounded-sm border px-1',
        onFill ? 'border-current/50' : plain ? 'text-muted' : 'border-edge text-muted',
        className,
      )}
    >
      {text}
    </kbd>
  )
}
