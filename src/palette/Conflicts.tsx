import { dollars } from '../../contract/format.ts'
import { commandOf } from '../commands/table.ts'
import type { Asking } from '../runner/runnerState.ts'
import { shownAnswer } from './steps.ts'

/** Shows what another user has changed, next to the values that would overwrite it. */
export function Conflicts({ asking }: { asking: Asking }) {
  const { theirs, id, subjects } = asking
  if (!theirs?.length) return null
  const asks = commandOf(id).asks ?? {}
  return (
    <dl aria-label="Their version" className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md bg-amber-wash px-3 py-2">
      {theirs.map(({ field, question, value, was }) => {
        const ask = question === null ? undefined : asks[question]
        return (
          <div key={field} className="contents">
            <dt className="text-muted first-letter:uppercase">
              {ask?.label ?? field.replace('_cents', '').replaceAll('_', ' ')} now
            </dt>
            <dd className="min-w-0 whitespace-pre-wrap break-words">
              {value === null || value === '' ? 'empty' : ask ? shownAnswer(ask, value, { subjects }) : plainly(field, value)}
              {!ask && was !== null && was !== value && <span className="ml-2 text-muted">before {plainly(field, was)}</span>}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Formats a value without a question; money is in dollars. */
const plainly = (field: string, value: unknown): string =>
  field.endsWith('_cents') && typeof value === 'number' ? dollars(value) : String(value)
