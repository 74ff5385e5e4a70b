import { Fragment } from 'react'
import { stripBidi } from '../../contract/bidi.ts'
import type { effectOf } from '../runner/reviewText.ts'
import { cx } from '../ui/cx.ts'

type Effect = Pick<ReturnType<typeof effectOf>, 'body' | 'bad' | 'lines'>

/** What a command is about to do: a sentence, red if it warns, and a line for each record. */
export function EffectText({ effect: { body, bad, lines } }: { effect: Effect }) {
  return (
    <>
      {body && <span className={cx('block', bad && 'text-red-ink')}>{body}</span>}
      {lines.length > 0 && (
        <span
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
          tabIndex={0}
          className="mt-2 grid max-h-48 grid-cols-[minmax(40%,1fr)_minmax(0,auto)] gap-x-4 gap-y-1 overflow-y-auto text-ink"
        >
          {lines.map(({ label, id = label, value, bad: low }) => (
            <Fragment key={id}>
              <span className="truncate">{stripBidi(label)}</span>
              <span className={cx('text-right tabular-nums', low && 'text-red-ink')}>{stripBidi(value)}</span>
            </Fragment>
          ))}
        </span>
      )}
    </>
  )
}
