import { commandOf } from '../commands/table.ts'
import type { Asking } from '../runner/runnerState.ts'
import { shownAnswer } from './steps.ts'

/** Shows what somebody else has changed, beside the values about to overwrite it. */
export function Clashes({ asking }: { asking: Asking }) {
  const { theirs, id, subjects } = asking
  if (!theirs?.length) return null
  const asks = commandOf(id).asks ?? {}
  return (
    <dl aria-label="Their version" className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md bg-amber-wash px-3 py-2">
      {theirs.map(({ field, question, value }) => {
        const ask = question === null ? undefined : asks[question]
        return (
          <div key={field} className="contents">
            <dt className="text-muted">{ask?.label ?? field.replaceAll('_', ' ')} now</dt>
            <dd className="min-w-0 whitespace-pre-wrap break-words">
              {value === null || value === '' ? 'empty' : ask ? shownAnswer(ask, value, { subjects }) : String(value)}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
