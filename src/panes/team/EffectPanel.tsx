import type { ReactNode } from 'react'
import { effectLines, effectSentence } from '../../commands/teamEffect.ts'
import { cx } from '../../ui/cx.ts'
import type { Foreseen } from './useEffectOf.ts'

const SHOWN = 12

/** Previews, beside a form, who will see what once it is sent. */
export function EffectPanel({ foreseen, client, children }: { foreseen: Foreseen; client: string; children: ReactNode }) {
  const { effect, error, joined, coming } = foreseen
  const lines = effect ? effectLines(effect) : []
  return (
    <section aria-label="Who will see what" className="rounded-lg border border-edge bg-ground p-3">
      <h2 className="text-meta font-medium text-muted">Who will see what</h2>
      <div role="status" aria-busy={coming || undefined} className={cx('mt-1', coming && 'text-muted')}>
        {error ? <p className="text-red-ink">{error}</p> : <p>{effect ? effectSentence(effect, 'before', client) : children}</p>}
        {joined.length > 0 && (
          <p className="mt-1 text-amber-ink">
            {joined.length <= 2 ? joined.map(({ name }) => name).join(' and ') : `${joined.length} of them`}{' '}
            {joined.length === 1 ? 'is' : 'are'} not on {client} yet and will be added to it.
          </p>
        )}
      </div>
      {lines.length > 0 && (
        <dl className="mt-2 flex flex-col gap-1.5 border-t border-line pt-2 text-meta">
          {lines.slice(0, SHOWN).map(({ label, value, bad }, at) => (
            <div key={at}>
              <dt className="font-medium">
                <bdi>{label}</bdi>
              </dt>
              <dd className={cx('break-words', bad ? 'text-red-ink' : 'text-muted')}>{value}</dd>
            </div>
          ))}
          {lines.length > SHOWN && <p className="text-muted">and {lines.length - SHOWN} more</p>}
        </dl>
      )}
    </section>
  )
}
