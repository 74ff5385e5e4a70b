import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Addressed } from '../../commands/emailAddresses.ts'
import { cx } from '../../ui/cx.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/**
 * Shows parsed addresses as chips, invalid ones marked; a click, Delete or Backspace removes one, arrows move.
 * Focus stays in the list until it is empty.
 */
export function Addresses({ people, onRemove }: { people: readonly Addressed[]; onRemove: (email: string) => void }) {
  const list = useRef<HTMLUListElement>(null)
  /** The index of the address just removed. */
  const removed = useRef<number | null>(null)
  const chips = () => [...(list.current?.querySelectorAll('button') ?? [])]
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the list changes
  useEffect(() => {
    if (removed.current === null) return
    chips()[Math.min(removed.current, people.length - 1)]?.focus()
    removed.current = null
  }, [people])
  const remove = (at: number) => {
    removed.current = at
    onRemove(people[at]!.email)
  }
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const step = STEPS[event.key]
    if (step) chips()[at + step]?.focus()
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(at)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <ul ref={list} aria-label="Addresses" className="-mt-2 flex flex-wrap gap-1.5">
      {people.map(({ email, bad }, at) => {
        const shown = bad ? `${email}: ${MESSAGES.inviteEmail}` : email
        return (
          <li key={email} className="min-w-0">
            <button
              type="button"
              data-view=""
              title={`Remove ${email}`}
              aria-label={`${shown}, remove`}
              onClick={() => remove(at)}
              onKeyDown={(event) => onKeyDown(event, at)}
              className={cx(
                'flex h-6 max-w-full items-center gap-1 rounded-md border px-2 text-meta hover:border-control',
                bad ? 'border-red text-red-ink' : 'border-edge text-ink',
              )}
            >
              <bdi className="truncate">{shown}</bdi>
              <X size={12} aria-hidden="true" className="shrink-0 text-muted" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
