import { Command } from 'cmdk'
import { ArrowRight, Check, Upload } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { asked, begin, judge, kindWord, optionsOf } from '../commands/can.ts'
import type { Ask, Subject } from '../commands/command.ts'
import { commandOf } from '../commands/table.ts'
import { takeKeys } from '../workspace/keys/early.ts'
import { plain, run } from '../workspace/runner/run.ts'
import type { Asking } from '../workspace/runner/state.ts'
import { desk } from '../workspace/theDesk.ts'
import { type Choice, useChoices } from './choices.ts'
import { entitiesOf, subjectOf } from './entities.ts'
import { PaletteInput } from './PaletteInput.tsx'
import { Foot, Group, Item, Line } from './parts.tsx'
import { Review } from './Review.tsx'
import { kindsOfCommand } from './rows.ts'
import { Pill } from './StepPill.tsx'
import { SubjectChip } from './SubjectChip.tsx'
import { answer, back, beginSteps, goTo, isReady, readDraft, type Steps, shownAnswer } from './steps.ts'
import { useSelection } from './useSelection.ts'

const SUBJECT = '$subject'

/** A command's questions, one after the other; nothing runs before the last is answered, and Escape never applies anything. */
export function Questions({ asking, onLeave, onClose }: { asking: Asking; onLeave: () => void; onClose: () => void }) {
  const command = commandOf(asking.id)
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { selected, select, shell, hear } = useSelection()
  const [steps, setSteps] = useState<Steps>(() => {
    const early = takeKeys()
    if (command.on !== 'nothing' && !asking.subjects.length)
      return { asking, passed: [], at: SUBJECT, draft: early.text, error: null }
    const first = beginSteps(command, asking)
    return { ...first, draft: first.draft + early.text }
  })
  const { at, draft, error } = steps
  const ask = at === null || at === SUBJECT ? null : command.asks![at]!
  const {
    choices,
    waiting,
    error: unread,
  } = useChoices(ask, at === SUBJECT ? kindsOfCommand(command) : null, draft.trim(), steps.asking.subjects)

  const move = (next: Steps) => {
    select('')
    setChosen([])
    if (next.at === null && isReady(command, next)) {
      onClose()
      run(next.asking)
    } else setSteps(next)
  }
  const give = (value: unknown, label?: string) => {
    if (label && at) setLabels((old) => ({ ...old, [at]: label }))
    move(answer(command, steps, value))
  }
  const pickSubject = async (choice: Choice) => {
    const plainSubject = { kind: choice.kind as Subject['kind'], id: Number(choice.value), name: choice.label }
    const subject = await subjectOf(plainSubject.kind, plainSubject.id, plainSubject.name).catch(() => plainSubject)
    const { reason, able } = judge(asking.id, command, [subject], desk)
    if (reason) return setSteps((old) => ({ ...old, error: `${subject.name}: ${reason}` }))
    move(beginSteps(command, { ...steps.asking, subjects: able, answers: begin(command, steps.asking.answers, able) }))
  }
  const stepBack = () => {
    const before = at === SUBJECT ? null : back(command, steps)
    if (before) move(before)
    else onLeave()
  }
  const go = () => {
    onClose()
    run(steps.asking)
  }

  // Another question may have another field.
  useEffect(() => {
    void at
    field.current?.focus()
  }, [at])

  const onKeyDown = (event: KeyboardEvent) => {
    hear(event)
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' || (event.key === 'Backspace' && draft === '')) {
      event.preventDefault()
      event.stopPropagation()
      stepBack()
    } else if (event.key === 'Enter' && event.repeat) event.preventDefault()
    else if (event.key === 'Tab') {
      event.preventDefault()
      if (at === null) select('look')
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ask?.type === 'several') {
      event.preventDefault()
      give(chosen)
    }
  }

  const rows = choices.map((choice) => ({ choice, key: `choice:${choice.kind ?? ''}:${choice.value}` }))
  const keys = at === null ? ['go', 'look', 'back'] : rows.length ? rows.map(({ key }) => key) : ['next']
  const current = keys.includes(selected) ? selected : keys[0]!
  const pick = (choice: Choice) => {
    if (at === SUBJECT) void pickSubject(choice)
    else if (ask?.type === 'entity') give(Number(choice.value), choice.label)
    else if (ask?.type === 'several')
      setChosen((old) => (old.includes(choice.value) ? old.filter((value) => value !== choice.value) : [...old, choice.value]))
    else give(choice.value, choice.label)
  }
  const label =
    at === SUBJECT
      ? kindWord(kindsOfCommand(command)[0]!).replace(/^./, (letter) => letter.toUpperCase())
      : (ask?.label ?? plain(command))
  const typed = ask && ['text', 'number', 'date'].includes(ask.type)

  return (
    <Command
      shouldFilter={false}
      vimBindings={false}
      {...shell(current)}
      label={label}
      onKeyDown={onKeyDown}
      className="flex min-h-0 flex-col"
    >
      <PaletteInput
        field={field}
        label={at === null ? `${plain(command)}: Enter does it, Escape goes back` : label}
        value={draft}
        onChange={(text) => at !== null && setSteps({ ...steps, draft: text, error: null })}
        placeholder={at === null ? '' : `${label}${ask?.optional ? ' (may be left empty)' : ''}`}
        lines={ask?.type === 'text' ? ask.lines : undefined}
        kind={ask?.type === 'number' ? 'number' : ask?.type === 'text' ? ask.kind : 'text'}
        invalid={Boolean(error)}
        describedBy={error ? errorId : undefined}
        before={
          <>
            <SubjectChip subjects={steps.asking.subjects} />
            <Pill>{plain(command)}</Pill>
            {asked(command, steps.asking.answers, steps.asking.subjects).map(([key, one]) =>
              steps.passed.includes(key) ? (
                <Pill key={key} name={one.label} onEdit={() => move(goTo(command, steps, key))}>
                  {shownAnswer(
                    one,
                    steps.asking.answers[key],
                    steps.asking,
                    labels[key] ?? nameOf(one, steps.asking.answers[key]),
                  )}
                </Pill>
              ) : null,
            )}
            {ask?.type === 'number' && ask.money && <span className="text-muted">$</span>}
          </>
        }
        after={
          <span className="text-meta text-faint max-sm:hidden">
            {steps.passed.length ? 'Backspace edits the last answer' : ''}
          </span>
        }
      />
      {(error || unread) && (
        <p role="alert" id={errorId} className="px-4 pb-2 text-red-ink">
          {error ?? unread}
        </p>
      )}
      {at === null ? (
        <Review
          command={command}
          asking={steps.asking}
          looking={selected === 'look'}
          onGo={go}
          onLook={() => select('look')}
          onBack={stepBack}
        />
      ) : (
        <Command.List className="min-h-0 overflow-y-auto border-t border-line pt-1 pb-1">
          {rows.length > 0 ? (
            <Group title={at === SUBJECT || ask?.type === 'entity' ? (draft ? 'Found' : 'Choose, or type a name') : label}>
              {rows.map(({ choice, key }) => (
                <Item
                  key={key}
                  row={{
                    key,
                    title: choice.label,
                    detail: choice.detail,
                    ranges: choice.ranges,
                    icon: chosen.includes(choice.value) ? 'check' : (choice.kind ?? undefined),
                    keys: null,
                    reason: null,
                    act: { type: 'path', path: '' },
                  }}
                  onSelect={() => pick(choice)}
                />
              ))}
            </Group>
          ) : typed ? (
            <div className="px-1.5">
              <Line
                value="next"
                icon={<ArrowRight size={14} aria-hidden="true" />}
                keys="Enter"
                onSelect={() => give(readDraft(ask, draft))}
              >
                {draft.trim() ? 'Go on' : ask.optional ? 'Leave it empty' : `Type the ${label.toLowerCase()}, then Enter`}
              </Line>
            </div>
          ) : ask?.type === 'file' ? (
            <div className="px-1.5">
              <Line
                value="next"
                icon={<Upload size={14} aria-hidden="true" />}
                keys="Enter"
                onSelect={() => files.current?.click()}
              >
                Choose {ask.many ? 'files' : 'a file'}
              </Line>
              <input
                ref={files}
                type="file"
                hidden
                multiple={ask.many}
                accept={ask.types.join()}
                onChange={(event) => give([...(event.target.files ?? [])])}
              />
            </div>
          ) : (
            <p className="px-4 py-5 text-muted">
              {waiting ? 'Reading the choices' : draft ? `Nothing is called “${draft}”.` : 'Type a name.'}
            </p>
          )}
          {ask?.type === 'several' && (
            <div className="border-t border-line px-1.5 pt-1">
              <Line value="done" icon={<Check size={14} aria-hidden="true" />} keys="Ctrl+Enter" onSelect={() => give(chosen)}>
                Go on with {chosen.length === optionsOf(ask, steps.asking.subjects).length ? 'all' : chosen.length}
              </Line>
            </div>
          )}
        </Command.List>
      )}
      <Foot hints={at === null ? REVIEW_HINTS : ask?.type === 'text' && ask.lines ? LINES_HINTS : HINTS} />
    </Command>
  )
}

/** The name of a record that was not chosen here but given, by a link or a repeat. */
const nameOf = (ask: Ask, value: unknown): string | undefined =>
  ask.type === 'entity'
    ? (entitiesOf(desk.me.id).get(`${ask.kind}:${String(value)}`)?.name ?? `${kindWord(ask.kind)} ${String(value)}`)
    : undefined

const LINES_HINTS = [
  ['Enter', 'go on'],
  ['Shift+Enter', 'new line'],
  ['Esc', 'back'],
] as const
const HINTS = [
  ['Enter', 'go on'],
  ['Backspace', 'edit the last answer'],
  ['Esc', 'back'],
] as const
const REVIEW_HINTS = [
  ['Enter', 'do it'],
  ['Esc', 'back'],
] as const
