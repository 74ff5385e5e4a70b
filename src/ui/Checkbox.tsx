import { type ReactNode, useId } from 'react'
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
}: {
  checked: boolean | 'some'
  onChange: (checked: boolean) => void
  children: ReactNode
  disabled?: boolean
  hint?: ReactNode
  className?: string
  name?: string
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

/** One box that sets several: "18+" for the adult ages. */
export type Preset<V> = { label: string; values: readonly V[] }

/** Checkboxes of one question. `all` toggles every option, a preset its own; neither is a value (decisions.md 9). */
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
  const ticked = new Set(value)
  const inOrder = (set: Set<V>) => options.map((option) => option.value).filter((each) => set.has(each))
  const shortcuts = [...(all ? [{ label: all, values: options.map((option) => option.value) }] : []), ...presets]
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field's label names the group; a fieldset would want a legend of its own
    <div
      role="group"
      aria-label={label}
      {...links}
      className={cx('gap-x-4', columns ? 'grid' : 'flex flex-wrap')}
      style={columns ? { gridTemplateColumns: `repeat(auto-fill, minmax(${columns}px, 1fr))` } : undefined}
    >
      {shortcuts.map((preset, at) => {
        const held = preset.values.filter((each) => ticked.has(each)).length
        const every = held === preset.values.length
        return (
          <Checkbox
            key={preset.label}
            checked={every ? true : held > 0 ? 'some' : false}
            disabled={disabled}
            className="font-medium"
            onChange={() => {
              const next = new Set(ticked)
              for (const each of preset.values) every ? next.delete(each) : next.add(each)
              onChange(inOrder(next))
            }}
          >
            {preset.label}
            <Digit at={at} />
          </Checkbox>
        )
      })}
      {options.map((option, at) => (
        <Checkbox
          key={option.value}
          checked={ticked.has(option.value)}
          disabled={disabled}
          onChange={(on) => {
            const next = new Set(ticked)
            on ? next.add(option.value) : next.delete(option.value)
            onChange(inOrder(next))
          }}
        >
          {option.label}
          <Digit at={shortcuts.length + at} />
        </Checkbox>
      ))}
    </div>
  )
}
