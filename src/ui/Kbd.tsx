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
 * A shortcut as it is pressed: `Ctrl+K` at once, `g p` one after the other. `plain` leaves the box out, for places dense with keys;
 * `onFill` takes the colour of the filled button around it.
 */
export function Kbd({ keys, plain, onFill, className }: { keys: string; plain?: boolean; onFill?: boolean; className?: string }) {
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
        !plain && 'min-w-[18px] rounded-sm border px-1',
        onFill ? 'border-current/50' : plain ? 'text-muted' : 'border-edge text-muted',
        className,
      )}
    >
      {text}
    </kbd>
  )
}
