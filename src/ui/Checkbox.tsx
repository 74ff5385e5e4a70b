import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { cx } from './cx.ts'
import { Digit } from './Digit.tsx'
import { SelectionBox } from './SelectionBox.tsx'
import { useField } from './useField.ts'

/** A box with its label. `checked` may be 'some', for a box that represents several. */
export function Checkbox({
  checked,
  onChange,
  children,
  disabled,
  hint,
  className,
  name,
  stop = true,
}: {
  checked: boolean | 'some'
  onChange: (checked: boolean) => void
  children: ReactNode
  disabled?: boolean
  hint?: ReactNode
  className?: string
  name?: string
  /** False for a checkbox that its group's arrow keys reach instead of Tab. */
  stop?: boolean
}) {
  const hintId = useId()
  return (
    <label className={cx('relative flex min-h-6 items-start gap-2 py-0.5', disabled && 'text-faint', className)}>
      <input
        type="checkbox"
        name={name}
        checked={checked === true}
        ref={(input) => {
          if (input) input.indeterminate = checked === 'some'
        }}
        disabled={disabled}
        tabIndex={stop ? undefined : -1}
        aria-describedby={hint ? hintId : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="peer absolute top-[5px] left-0 size-3.5 opacity-0"
      />
      <span className="mt-[3px] rounded-sm peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent">
        <SelectionBox state={checked} />
      </span>
      <span className="min-w-0">
        {children}
        {hint && (
          <span id={hintId} className="block text-meta text-faint">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

/** A checkbox that sets several values: "18+" for the adult ages. */
export type Preset<V> = { label: string; values: readonly V[] }

const STEPS: Readonly<Record<string, 'next' | 'previous' | 'below' | 'above' | 'first' | 'last'>> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowDown: 'below',
  ArrowUp: 'above',
  Home: 'first',
  End: 'last',
}

/** Returns the checkbox that an arrow key moves to; in a grid, up and down stay in the column. */
function boxAfter(boxes: readonly HTMLInputElement[], at: number, step: (typeof STEPS)[string]): HTMLInputElement | undefined {
  if (step === 'first') return boxes[0]
  if (step === 'last') return boxes.at(-1)
  const by = step === 'next' || step === 'below' ? 1 : -1
  const here = boxes[at]?.getBoundingClientRect()
  if (here && (step === 'below' || step === 'above')) {
    const line = (by > 0 ? boxes.slice(at + 1) : boxes.slice(0, at).toReversed()).find((box) => {
      const { left, top } = box.getBoundingClientRect()
      return Math.abs(left - here.left) < 4 && Math.abs(top - here.top) > 4
    })
    if (line) return line
  }
  return boxes[at + by]
}

/**
 * Checkboxes of one question as one tab stop: arrows move, Space ticks, Mod+A ticks all or none.
 * `all` toggles every option, a preset its own; neither is a value (decisions.md 9).
 */
export function CheckGroup<V extends string | number>({
  options,
  value,
  onChange,
  all,
  presets = [],
  columns,
  disabled,
  label,
}: {
  options: readonly { value: V; label: string }[]
  value: readonly V[]
  onChange: (value: V[]) => void
  all?: string
  presets?: readonly Preset<V>[]
  /** The minimum width of an option in px, in a grid. */
  columns?: number
  disabled?: boolean
  label?: string
}) {
  const { 'aria-invalid': _invalid, 'aria-required': _required, ...links } = useField()
  const [at, setAt] = useState(0)
  const ticked = new Set(value)
  const inOrder = (set: Set<V>) => options.map((option) => option.value).filter((each) => set.has(each))
  const shortcuts = [...(all ? [{ label: all, values: options.map((option) => option.value) }] : []), ...presets]
  const stop = Math.min(at, shortcuts.length + options.length - 1)
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
    const mod = event.ctrlKey || event.metaKey
    const step = mod || event.altKey || event.shiftKey ? undefined : STEPS[event.key]
    if (mod && event.key.toLowerCase() === 'a')
      onChange(options.every((option) => ticked.has(option.value)) ? [] : options.map((option) => option.value))
    else if (step) boxAfter(boxes, boxes.indexOf(event.target as HTMLInputElement), step)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field's label names the group; a fieldset would want a legend of its own
    <div
      role="group"
      aria-label={label}
      {...links}
      onKeyDown={keys}
      onFocus={(event) => {
        const boxes = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=checkbox]')]
        setAt(Math.max(0, boxes.indexOf(event.target as HTMLElement)))
      }}
      className={cx('gap-x-4', columns ? 'grid' : 'flex flex-wrap')}
      style={columns ? { gridTemplateColumns: `repeat(auto-fill, minmax(${columns}px, 1fr))` } : undefined}
    >
      {shortcuts.map((preset, place) => {
        const held = preset.values.filter((each) => ticked.has(each)).length
        const every = held === preset.values.length
        return (
          <Checkbox
            key={preset.label}
            checked={every ? true : held > 0 ? 'some' : false}
            disabled={disabled}
            stop={place === stop}
            className="font-medium"
            onChange={() => {
              const next = new Set(ticked)
              for (const each of preset.values) every ? next.delete(each) : next.add(each)
              onChange(inOrder(next))
            }}
          >
            {preset.label}
            <Digit at={place} />
          </Checkbox>
        )
      })}
      {options.map((option, place) => (
        <Checkbox
          key={option.value}
          checked={ticked.has(option.value)}
          disabled={disabled}
          stop={shortcuts.length + place === stop}
          onChange={(on) => {
            const next = new Set(ticked)
            on ? next.add(option.value) : next.delete(option.value)
            onChange(inOrder(next))
          }}
        >
          {option.label}
          <Digit at={shortcuts.length + place} />
        </Checkbox>
      ))}
    </div>
  )
}
