import { useId, useRef, useState } from 'react'
import { optionsOf } from '../commands/can.ts'
import type { Ask, Subject } from '../commands/command.ts'
import { CheckGroup } from '../ui/Checkbox.tsx'
import { DateInput } from '../ui/DateInput.tsx'
import { Field } from '../ui/Field.tsx'
import { FileDrop } from '../ui/FileDrop.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { Select } from '../ui/Select.tsx'
import { NumberInput, TextArea, TextInput } from '../ui/TextInput.tsx'
import { useChoices, useOptions } from './choices.ts'

interface Props {
  ask: Ask
  subjects: readonly Subject[]
  value: unknown
  /** What is typed, for texts, numbers and dates. */
  draft: string
  error: string | null
  onValue: (value: unknown) => void
  onDraft: (draft: string) => void
}

/** A command's question as a field of its dialog. */
export function AskField({ ask, error, ...rest }: Props) {
  const group = ask.type === 'option' || ask.type === 'several'
  return (
    <Field
      label={ask.label}
      required={!ask.optional}
      error={error}
      group={group}
      hint={ask.optional ? 'May be left empty' : undefined}
    >
      <Control ask={ask} {...rest} />
    </Field>
  )
}

function Control({ ask, subjects, value, draft, onValue, onDraft }: Omit<Props, 'error'>) {
  switch (ask.type) {
    case 'text':
      return ask.lines ? (
        <TextArea rows={ask.lines} value={draft} onChange={onDraft} placeholder={ask.placeholder} />
      ) : (
        <TextInput type={ask.kind ?? 'text'} value={draft} onChange={onDraft} placeholder={ask.placeholder} />
      )
    case 'number':
      return (
        <NumberInput
          value={draft}
          onChange={onDraft}
          prefix={ask.money ? '$' : undefined}
          unit={ask.money ? undefined : ask.unit}
          decimals={ask.money ? 2 : 0}
          className="w-48"
        />
      )
    case 'date':
      return <DateInput value={draft} onChange={onDraft} className="w-48" />
    case 'option': {
      const options = optionsOf(ask, subjects).map((option) => ({
        value: option.value,
        label: option.label,
        hint: option.detail,
      }))
      return options.length > 5 ? (
        <Select value={String(value ?? '')} onChange={onValue} options={options} placeholder="Choose" />
      ) : (
        <RadioGroup value={String(value ?? '')} onChange={onValue} options={options} stacked />
      )
    }
    case 'several':
      return <CheckGroup options={optionsOf(ask, subjects)} value={(value as string[] | undefined) ?? []} onChange={onValue} />
    case 'file': {
      const files = (value as File[] | undefined) ?? []
      return (
        <FileDrop
          files={files.map((file, at) => ({ id: String(at), name: file.name, bytes: file.size }))}
          onAdd={(more) => onValue(ask.many ? [...files, ...more] : more)}
          onRemove={(id) => onValue(files.filter((_, at) => String(at) !== id))}
          accept={ask.types.join()}
          multiple={Boolean(ask.many)}
        />
      )
    }
    case 'entity':
      return <EntityField ask={ask} subjects={subjects} value={value} onValue={onValue} />
  }
}

function EntityField({
  ask,
  subjects,
  value,
  onValue,
}: {
  ask: Extract<Ask, { type: 'entity' }>
  subjects: readonly Subject[]
  value: unknown
  onValue: (value: unknown) => void
}) {
  const { options, error } = useOptions(ask, subjects)
  const few = options !== null && options.length > 0
  if (error) return <p className="text-red-ink">{error}</p>
  if (few || options === null)
    return (
      <Select
        value={value === undefined ? '' : String(value)}
        onChange={(id) => onValue(id === '' ? undefined : Number(id))}
        options={options ?? []}
        placeholder={options === null ? 'Reading the choices' : 'Choose'}
      />
    )
  return <EntitySearch ask={ask} subjects={subjects} value={value} onValue={onValue} />
}

/** A name is typed, and chosen among what is found: for kinds of which there are many. */
function EntitySearch({
  ask,
  subjects,
  value,
  onValue,
}: {
  ask: Extract<Ask, { type: 'entity' }>
  subjects: readonly Subject[]
  value: unknown
  onValue: (value: unknown) => void
}) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const name = useRef<string | null>(null)
  const list = useId()
  const { choices } = useChoices(ask, null, typed, subjects)
  const shown = choices.slice(0, 8)
  const pick = (index: number) => {
    const choice = shown[index]
    if (!choice) return
    name.current = choice.label
    setTyped(choice.label)
    setOpen(false)
    onValue(Number(choice.value))
  }
  return (
    <div className="relative">
      <TextInput
        role="combobox"
        aria-expanded={open && shown.length > 0}
        aria-controls={list}
        aria-activedescendant={open && shown[at] ? `${list}${at}` : undefined}
        autoComplete="off"
        placeholder="Type a name"
        value={typed}
        onChange={(text) => {
          setTyped(text)
          setAt(0)
          setOpen(true)
          if (value !== undefined && text !== name.current) onValue(undefined)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (by) setAt((old) => Math.max(0, Math.min(shown.length - 1, old + by)))
          else if (event.key === 'Enter' && open && shown.length) pick(at)
          else return
          event.preventDefault()
        }}
      />
      {open && shown.length > 0 && (
        <div
          role="listbox"
          id={list}
          aria-label={ask.label}
          className="absolute inset-x-0 top-8 z-10 max-h-56 overflow-y-auto rounded-lg border border-edge bg-raised p-1 shadow-float"
        >
          {shown.map((choice, index) => (
            <div
              key={choice.value}
              id={`${list}${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onPointerDown={(event) => {
                event.preventDefault()
                pick(index)
              }}
              className={`flex gap-2 truncate rounded-md px-2 py-1 ${index === at ? 'bg-accent-wash' : ''}`}
            >
              {choice.label} <span className="truncate text-muted">{choice.detail}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
