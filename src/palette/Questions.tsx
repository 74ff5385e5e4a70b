import { Command } from 'cmdk'
import { ArrowRight, Check, Upload } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { asked, begin, judge, kindsOfAsk, kindWord, optionsOf } from '../commands/can.ts'
import type { Ask, Subject } from '../commands/command.ts'
import { commandOf } from '../commands/table.ts'
import { takeKeys } from '../workspace/keys/early.ts'
import { isMac, shownAs } from '../workspace/keys/token.ts'
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
import {
  answer,
  back,
  beginSteps,
  goTo,
  isReady,
  readChosen,
  readDraft,
  type Steps,
  shownAnswer,
  takesSeveral,
  tick,
} from './steps.ts'
import { useSelection } from './useSelection.ts'

const SUBJECT = '$subject'

/** A command's questions, one after the other; nothing runs before the last is answered, and Escape never applies anything. */
export function Questions({ asking, onLeave, onClose }: { asking: Asking; onLeave: () => void; onClose: () => void }) {
  const command = commandOf(asking.id)
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const { selected, select, shell, hear } = useSelection()
  const [steps, setSteps] = useState<Steps>(() => {
    const early = takeKeys()
    if (command.on !== 'nothing' && !asking.subjects.length)
      return { asking, passed: [], at: SUBJECT, draft: early.text, chosen: [], error: null }
    const first = beginSteps(command, asking)
    return { ...first, draft: first.draft + early.text }
  })
  const { at, draft, chosen, error } = steps
  const ask = at === null || at === SUBJECT ? null : command.asks![at]!
  const {
    choices,
    waiting,
    error: unread,
  } = useChoices(ask, at === SUBJECT ? kindsOfCommand(command) : null, draft.trim(), steps.asking.subjects)

  const move = (next: Steps) => {
    select('')
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
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ask && takesSeveral(ask)) {
      event.preventDefault()
      give(readChosen(ask, chosen))
    } else if (ticks(event, ask, draft, choices)) {
      event.preventDefault()
      const choice = rows.find(({ key }) => key === current)?.choice
      if (choice && ask) setSteps(tick(ask, steps, choice.value))
    }
  }

  const rows = withTicked(ask, chosen, draft, choices, names).map((choice) => ({ choice, key: `choice:${choice.value}` }))
  const keys = at === null ? ['go', 'look', 'back'] : [...(rows.length ? rows.map(({ key }) => key) : ['next']), 'done']
  const current = keys.includes(selected) ? selected : keys[0]!
  const pick = (choice: Choice) => {
    if (at === SUBJECT) void pickSubject(choice)
    else if (ask?.type === 'entity') give(Number(choice.value), choice.label)
    else if (ask && takesSeveral(ask)) {
      if (ask.type === 'entities') setNames((old) => ({ ...old, [choice.value]: choice.label }))
      const next = tick(ask, steps, choice.value)
      // What was looked for is found: Enter goes on, and typing looks for another.
      if (draft && !next.error) select('done')
      setSteps(next.error ? next : { ...next, draft: '' })
    } else give(choice.value, choice.label)
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
        onChange={(text) => {
          if (at === null) return
          select('')
          setSteps({ ...steps, draft: text, error: null })
        }}
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
                    labels[key] ?? nameOf(one, steps.asking.answers[key], names),
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
            <Group
              title={
                at === SUBJECT || ask?.type === 'entity' || ask?.type === 'entities'
                  ? draft
                    ? 'Found'
                    : 'Choose, or type a name'
                  : label
              }
            >
              {rows.map(({ choice, key }) => (
                <Item
                  key={key}
                  ticked={takesSeveral(ask) ? chosen.includes(choice.value) : undefined}
                  row={{
                    key,
                    title: choice.label,
                    detail: choice.detail,
                    ranges: choice.ranges,
                    icon: choice.kind ?? undefined,
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
          {ask && takesSeveral(ask) && (
            <div className="border-t border-line px-1.5 pt-1">
              <Line
                value="done"
                icon={<Check size={14} aria-hidden="true" />}
                keys={shownAs('Mod+Enter', isMac)}
                onSelect={() => give(readChosen(ask, chosen))}
              >
                {goOnWith(ask, chosen, steps.asking.subjects)}
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
function nameOf(ask: Ask, value: unknown, known: Readonly<Record<string, string>>): string | string[] | undefined {
  const kinds = kindsOfAsk(ask)
  const index = entitiesOf(desk.me.id)
  const name = (id: unknown) =>
    kinds.flatMap((kind) => index.get(`${kind}:${String(id)}`)?.name ?? [])[0] ??
    known[String(id)] ??
    `${kindWord(kinds[0]!)} ${String(id)}`
  return ask.type === 'entity'
    ? name(value)
    : ask.type === 'entities'
      ? ((value as number[] | undefined) ?? []).map(name)
      : undefined
}

/** The choices; of records, those that are ticked stand first while nothing is typed, so that they can be unticked. */
function withTicked(
  ask: Ask | null,
  chosen: readonly string[],
  draft: string,
  choices: readonly Choice[],
  names: Readonly<Record<string, string>>,
): readonly Choice[] {
  if (ask?.type !== 'entities' || draft || !chosen.length) return choices
  const labels = nameOf(ask, chosen, names) as readonly string[]
  const ticked = chosen.map(
    (value, at): Choice =>
      choices.find((choice) => choice.value === value) ?? { value, kind: null, label: labels[at]!, detail: '', ranges: [] },
  )
  return [...ticked, ...choices.filter((choice) => !chosen.includes(choice.value))]
}

/** What going on means: "Go on with 2 of at most 3". */
function goOnWith(ask: Extract<Ask, { type: 'several' | 'entities' }>, chosen: readonly string[], subjects: readonly Subject[]) {
  if (!chosen.length) return ask.optional ? 'Go on with none' : 'Choose, then go on'
  if (ask.type === 'several') return `Go on with ${chosen.length === optionsOf(ask, subjects).length ? 'all' : chosen.length}`
  return `Go on with ${chosen.length}${ask.max ? ` of at most ${ask.max}` : ''}`
}

/** Space ticks, and x as in every list, where no choice could begin with it: while nothing is typed. */
const ticks = (event: KeyboardEvent, ask: Ask | null, draft: string, choices: readonly Choice[]): boolean =>
  takesSeveral(ask) &&
  draft === '' &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  (event.key === ' ' || (event.key === 'x' && ask.type === 'several' && !choices.some(({ label }) => /\bx/i.test(label))))

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
