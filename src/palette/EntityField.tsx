import { useId, useRef, useState } from 'react'
import type { Ask, RawAnswers } from '../commands/command.ts'
import { kindsOfAsk } from '../commands/commandQuestions.ts'
import type { Subject } from '../commands/subject.ts'
import { currentMe } from '../data/session.ts'
import { entitiesOf } from '../search/entities.ts'
import { ChoiceList, optionId } from '../ui/ChoiceList.tsx'
import { Select } from '../ui/Select.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { useChoices, useOptions } from './choices.ts'
import { nameOf } from './multiSelect.ts'
import { Pill } from './StepPill.tsx'

/** Picks a record from a short list or by searching names; people can be found by email, too. */
export function EntityField({
  ask,
  subjects,
  answers,
  value,
  onValue,
}: {
  ask: Extract<Ask, { type: 'entity' }>
  subjects: readonly Subject[]
  answers: RawAnswers
  value: unknown
  onValue: (value: unknown) => void
}) {
  const { options, error } = useOptions(ask, subjects, answers)
  const few = options !== null && options.length > 0
  if (error) return <p className="text-red-ink">{error}</p>
  if (ask.kind === 'user') return <EntitySearch ask={ask} subjects={subjects} answers={answers} value={value} onValue={onValue} />
  if (few || options === null)
    return (
      <Select
        value={value === undefined ? '' : String(value)}
        onChange={(id) => onValue(id === '' ? undefined : Number(id))}
        options={options ?? []}
        placeholder={options === null ? 'Loading choices' : 'Choose'}
      />
    )
  return <EntitySearch ask={ask} subjects={subjects} answers={answers} value={value} onValue={onValue} />
}

/** Searches by typing, for kinds with many records. */
function EntitySearch({
  ask,
  subjects,
  answers,
  value,
  known,
  empties,
  onValue,
}: {
  ask: Extract<Ask, { type: 'entity' | 'entities' }>
  subjects: readonly Subject[]
  answers: RawAnswers
  value?: unknown
  /** Records already chosen, not offered again. */
  known?: readonly number[]
  /** Clears the field after each choice, for the next one. */
  empties?: true
  onValue: (value: number | undefined, name: string) => void
}) {
  // An earlier answer (repeated, or kept after a failure) shows its name.
  const [initial] = useState(() => (value === undefined ? null : String(nameOf(ask, value, {}, subjects))))
  const [typed, setTyped] = useState(initial ?? '')
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const name = useRef<string | null>(initial)
  const list = useId()
  const field = useRef<HTMLDivElement>(null)
  const { choices } = useChoices(ask, null, typed, subjects, answers)
  const shown = choices.filter((choice) => !known?.includes(Number(choice.value))).slice(0, 8)
  const pick = (index: number) => {
    const choice = shown[index]
    if (!choice) return
    name.current = choice.label
    setTyped(empties ? '' : choice.label)
    setOpen(false)
    onValue(Number(choice.value), choice.label)
  }
  return (
    <div ref={field}>
      <TextInput
        role="combobox"
        aria-expanded={open && shown.length > 0}
        aria-controls={list}
        aria-activedescendant={open && shown[at] ? optionId(list, at) : undefined}
        autoComplete="off"
        placeholder={ask.type === 'entity' && ask.kind === 'user' ? 'Type a name or email' : 'Type a name'}
        value={typed}
        onChange={(text) => {
          setTyped(text)
          setAt(0)
          setOpen(true)
          if (value !== undefined && text !== name.current) onValue(undefined, '')
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
        <ChoiceList id={list} field={field} label={ask.label} choices={shown} active={at} onPick={pick} />
      )}
    </div>
  )
}

/** Picks several records one by one; pressing a chosen one removes it. */
export function EntitiesField({
  ask,
  subjects,
  answers,
  value,
  onValue,
}: {
  ask: Extract<Ask, { type: 'entities' }>
  subjects: readonly Subject[]
  answers: RawAnswers
  value: readonly number[]
  onValue: (value: unknown) => void
}) {
  const [names, setNames] = useState<Readonly<Record<number, string>>>({})
  const index = entitiesOf(currentMe().id)
  const nameFor = (id: number) =>
    names[id] ?? kindsOfAsk(ask).flatMap((kind) => index.get(`${kind}:${id}`)?.name ?? [])[0] ?? String(id)
  return (
    <div className="flex flex-col gap-2">
      {value.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {value.map((id) => (
            <Pill key={id} name={nameFor(id)} takesOff onEdit={() => onValue(value.filter((one) => one !== id))}>
              {nameFor(id)}
            </Pill>
          ))}
        </div>
      )}
      {(ask.max === undefined || value.length < ask.max) && (
        <EntitySearch
          ask={ask}
          subjects={subjects}
          answers={answers}
          known={value}
          empties
          onValue={(id, name) => {
            if (id === undefined) return
            setNames((old) => ({ ...old, [id]: name }))
            onValue([...value, id])
          }}
        />
      )}
    </div>
  )
}
