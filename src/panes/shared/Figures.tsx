import { count } from '../../../contract/format.ts'
import { cx } from '../../ui/cx.ts'
import { Mark } from '../../ui/Pill.tsx'

/** A labelled figure; numbers are formatted with separators. */
export type Figure = readonly [name: string, value: number | string, look?: 'bad' | 'near' | undefined]

/** A row of labelled figures; `bad` and `near` have a shape beside their colour. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl aria-label={label} className="flex flex-wrap gap-x-7 gap-y-2">
      {figures.map(([name, value, look]) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-meta text-muted">{name}</dt>
          <dd
            className={cx(
              'flex items-center gap-1.5 text-title tabular-nums',
              look === 'bad' ? 'text-red-ink' : look === 'near' ? 'text-amber-ink' : value === 0 && 'text-faint',
            )}
          >
            {look && <Mark shape={look === 'bad' ? 'cross' : 'ring'} />}
            {typeof value === 'number' ? count(value) : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
