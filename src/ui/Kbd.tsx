import { cx } from './cx.ts'

const names: Record<string, string> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** A shortcut: `Ctrl+K` together, `g p` in sequence. `plain` drops the box; `onFill` adapts to a filled button. */
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
