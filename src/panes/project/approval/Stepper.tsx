import { Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { count } from '../../../../contract/format.ts'
import { NumberInput } from '../../../ui/TextInput.tsx'

interface Props {
  label: string
  value: number
  most: number
  /** How much a button press adds; an arrow adds 1, Shift with an arrow adds this. */
  step: number
  onChange(value: number): void
}

/** A whole number between 0 and `most`, typed or stepped; Escape reverts what is being typed. */
export function Stepper({ label, value, most, step, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const within = (next: number) => Math.max(0, Math.min(most, next))
  const to = (next: number) => {
    setTyped(null)
    if (within(next) !== value) onChange(within(next))
  }
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowUp: event.shiftKey ? step : 1, ArrowDown: event.shiftKey ? -step : -1, PageUp: step, PageDown: -step }[
      event.key
    ]
    if (event.key === 'Enter' && typed !== null) {
      event.preventDefault()
      return to(Number(typed))
    }
    if (event.key === 'Escape' && typed !== null) {
      event.preventDefault()
      event.stopPropagation()
      return setTyped(null)
    }
    if (by === undefined) return
    event.preventDefault()
    to((typed === null ? value : Number(typed)) + by)
  }
  const button =
    'grid h-7 w-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink disabled:text-faint'
  return (
    <span data-view="" className="inline-flex items-center gap-0.5" title={`At most ${count(most)}`}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`${label}: ${count(step)} less`}
        disabled={value <= 0}
        onClick={() => to(value - step)}
        className={button}
      >
        <Minus size={12} aria-hidden="true" />
      </button>
      <NumberInput
        aria-label={label}
        role="spinbutton"
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={most}
        className="w-18"
        value={typed ?? count(value)}
        onChange={setTyped}
        onKeyDown={keys}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => typed !== null && to(Number(typed))}
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`${label}: ${count(step)} more`}
        disabled={value >= most}
        onClick={() => to(value + step)}
        className={button}
      >
        <Plus size={12} aria-hidden="true" />
      </button>
    </span>
  )
}
