import { cx } from './cx.ts'

const names: Record<string, string> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/**
 * A shortcut as it is pressed: `Ctrl+K` at once, `g p` one after the other. `plain` leaves the box out, for places dense with keys.
 */
export function Kbd({ keys, plain, className }: { keys: string; plain?: boolean; className?: string }) {
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
      className={cx(
        'inline-block whitespace-nowrap text-center font-mono text-meta',
        plain ? 'opacity-80' : 'min-w-[18px] rounded-sm border border-edge px-1 text-muted',
        className,
      )}
    >
      {text}
    </kbd>
  )
}
