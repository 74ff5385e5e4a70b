import { ChevronDown } from 'lucide-react'
import { type ChangeEvent, type KeyboardEvent, type Ref, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { foldedWords, foldText, hasWords } from '../../contract/foldText.ts'
import { ChoiceList, optionId } from './ChoiceList.tsx'
import { cx } from './cx.ts'
import { isTouch } from './isTouch.ts'
import { box, useField, useFieldWords } from './useField.ts'

/** An option of a select, radio or checkbox: stored value and label; a list shows `detail` beside it. */
export type Option<V extends string = string> = { value: V; label: string; disabled?: boolean; detail?: string | undefined }

interface Props<V extends string> {
  value: V | ''
  onChange: (value: V) => void
  options: readonly Option<V>[]
  /** The empty choice. */
  placeholder?: string | undefined
  className?: string
  disabled?: boolean | undefined
  autoFocus?: boolean
  /** Opens with the field, as a cell's editor does; then Enter and Escape go on to what is around it. */
  opens?: true
  ref?: Ref<HTMLInputElement & HTMLSelectElement>
  onBlur?: (() => void) | undefined
  'aria-label'?: string
  'aria-invalid'?: boolean | undefined
  'aria-describedby'?: string | undefined
  'data-field'?: string
}

/** One choice of several: a combobox of ours, or the system's select where a finger chooses. */
export function Select<V extends string = string>(props: Props<V>) {
  const [touch] = useState(isTouch)
  return touch ? <NativeSelect {...props} /> : <Combobox {...props} />
}

const ARROW = <ChevronDown size={14} aria-hidden="true" className="pointer-events-none absolute right-2 text-muted" />

function NativeSelect<V extends string>({ value, onChange, options, placeholder, className, opens: _, ...rest }: Props<V>) {
  return (
    <span className={cx('relative flex w-full min-w-0 items-center', className)}>
      <select
        {...useField()}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value as V)}
        className={cx(box, 'h-7 appearance-none truncate pr-7', value === '' && 'text-faint')}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} className="bg-raised text-ink">
            {option.label}
          </option>
        ))}
      </select>
      {ARROW}
    </span>
  )
}

/** How many choices Page Up and Page Down move. */
const PAGE = 8

/**
 * A field whose list opens by Space, an arrow or a click.
 * Typed letters filter the open list; nothing changes before Enter, Tab or a click chooses.
 * While it is closed, letters belong to shortcuts (runner/keys/dispatcher.ts).
 */
function Combobox<V extends string>({ value, onChange, options, placeholder, className, opens, onBlur, ...rest }: Props<V>) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState<number | null>(null)
  const field = useRef<HTMLSpanElement>(null)
  const list = useId()
  // Its list is placed by the field, which has to be drawn.
  useLayoutEffect(() => setOpen(opens === true), [opens])
  const links = useField()
  const words = useFieldWords()

  const all: readonly Option<V | ''>[] = placeholder === undefined ? options : [{ value: '', label: placeholder }, ...options]
  const label = options.find((option) => option.value === value)?.label ?? ''
  const search = foldedWords(typed)
  const choices = open && search.length ? all.filter((option) => hasWords(`${option.label} ${option.detail ?? ''}`, search)) : all
  const first = search.length ? firstMatch(choices, search[0]!) : choices.findIndex((option) => option.value === value)
  const active = Math.min(at ?? Math.max(first, 0), choices.length - 1)

  const show = (text = '') => {
    setTyped(text)
    setOpen(true)
  }
  const hide = () => {
    setOpen(false)
    setTyped('')
    setAt(null)
  }
  const pick = (index: number) => {
    const choice = choices[index]
    if (!choice || choice.disabled) return
    // What is around it may save at the same key.
    flushSync(() => {
      hide()
      if (choice.value !== value) onChange(choice.value as V)
    })
  }
  const move = (to: number, by: 1 | -1) => {
    let next = Math.max(0, Math.min(choices.length - 1, to))
    while (choices[next]?.disabled) next += by
    if (choices[next]) setAt(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey } = event
    if (event.nativeEvent.isComposing) return
    const done = () => {
      event.preventDefault()
      if (!opens) event.stopPropagation()
    }
    if (!open) {
      if (ctrlKey || metaKey || !(key === ' ' || key === 'ArrowDown' || key === 'ArrowUp') || (altKey && key === ' ')) return
      event.preventDefault()
      event.stopPropagation()
      show()
      // An arrow from the empty choice goes to the first real one.
      if (key === 'ArrowDown' && choices[active]?.value === '') move(active + 1, 1)
      return
    }
    if (key === 'Enter' && choices.length) {
      pick(active)
      // Ctrl+Enter chooses and sends.
      return ctrlKey || metaKey ? undefined : done()
    }
    if (key === 'Tab') return pick(active)
    if (key === 'Escape') {
      hide()
      return done()
    }
    if (key === 'ArrowUp' && altKey) pick(active)
    else if (altKey || ctrlKey || metaKey) return
    else if (key === 'ArrowDown') move(active + 1, 1)
    else if (key === 'ArrowUp') move(active - 1, -1)
    else if (key === 'PageDown') move(active + PAGE, 1)
    else if (key === 'PageUp') move(active - PAGE, -1)
    else if (key === 'Home' && !typed) move(0, 1)
    else if (key === 'End' && !typed) move(choices.length - 1, -1)
    else if (key === ' ' && !typed) pick(active)
    else if (key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
  }
  const onType = (event: ChangeEvent<HTMLInputElement>) => {
    if (open) {
      setTyped(event.target.value)
      setAt(null)
      return
    }
    // Pasted, dictated, or typed where letters aren't shortcuts: it filters, and chooses nothing by itself.
    const { data } = event.nativeEvent as InputEvent
    if (data) show(data)
  }
  return (
    <span ref={field} className={cx('relative flex w-full min-w-0 items-center', className)}>
      <input
        type="text"
        role="combobox"
        aria-haspopup="listbox"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-activedescendant={open && choices[active] ? optionId(list, active) : undefined}
        autoComplete="off"
        spellCheck={false}
        {...links}
        {...rest}
        // While it is closed, it takes no text, so letters are shortcuts.
        data-closed={open ? undefined : ''}
        value={open ? typed : label}
        placeholder={open && label ? label : placeholder}
        onChange={onType}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0 || rest.disabled) return
          if (open && !typed) hide()
          else if (!open) show()
        }}
        onBlur={() => {
          hide()
          onBlur?.()
        }}
        className={cx(box, 'h-7 truncate pr-7', !open && 'cursor-default caret-transparent')}
      />
      {ARROW}
      {open && (
        <ChoiceList
          id={list}
          field={field}
          label={rest['aria-label'] ?? words}
          choices={choices}
          active={active}
          chosen={value}
          empty="No match. Backspace shows all choices."
          onPick={pick}
        />
      )}
    </span>
  )
}

/** The place of the first choice that begins with a word, or else of the first that can be chosen. */
function firstMatch(choices: readonly Option[], word: string): number {
  const begins = choices.findIndex((option) => !option.disabled && foldText(option.label).startsWith(word))
  return begins < 0 ? choices.findIndex((option) => !option.disabled) : begins
}
