import { Command } from 'cmdk'
import { ArrowRight, Check, Upload } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import { asked, begin, judge, kindWord } from '../commands/can.ts'
import type { Subject } from '../commands/command.ts'
import { commandOf } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { isMac, shownAs } from '../workspace/keys/token.ts'
import { afterDryRun, nobodyLeft } from '../workspace/runner/effect.ts'
import { run } from '../workspace/runner/run.ts'
import type { Asking } from '../workspace/runner/state.ts'
import { desk } from '../workspace/theDesk.ts'
import { Clashes } from './Clashes.tsx'
import { type Choice, useChoices } from './choices.ts'
import { subjectOf } from './entities.ts'
import { pageNames } from './Names.tsx'
import { PaletteInput } from './PaletteInput.tsx'
import { Foot, Group, Item, Line } from './parts.tsx'
import { HINTS, LINES_HINTS, REVIEW_HINTS, SEVERAL_HINTS, stepsAside } from './questionKeys.ts'
import { Review, reviewLines } from './Review.tsx'
import { kindsOfCommand } from './rows.ts'
import { Pill } from './StepPill.tsx'
import { SubjectChip } from './SubjectChip.tsx'
import {
  answer,
  back,
  beginSteps,
  chosenBefore,
  goTo,
  isReady,
  readChosen,
  readDraft,
  type Steps,
  shownAnswer,
  sideways,
  takesSeveral,
  tick,
  understood,
} from './steps.ts'
import { goOnWith, nameOf, ticks, withTicked } from './ticking.ts'
import { useSelection } from './useSelection.ts'
import { useToday } from './useToday.ts'

const SUBJECT = '$subject'

/** A command's questions, one after the other; nothing runs before the last is answered, and Escape never applies anything. */
export function Questions({ asking, onLeave, onClose }: { asking: Asking; onLeave: () => void; onClose: () => void }) {
  const command = commandOf(asking.id)
  const today = useToday()
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const { selected, select, shell, hear } = useSelection()
  const [steps, setSteps] = useState<Steps>(() => {
    if (command.on !== 'nothing' && !asking.subjects.length)
      return { asking, passed: [], given: [], at: SUBJECT, draft: '', chosen: [], error: null }
    return beginSteps(command, asking)
  })
  const { at, draft, chosen, error } = steps
  const ask = at === null || at === SUBJECT ? null : command.asks![at]!
  const {
    choices,
    waiting,
    error: unread,
  } = useChoices(ask, at === SUBJECT ? kindsOfCommand(command) : null, draft.trim(), steps.asking.subjects)

  // What the answers rule out is found out when they are all there: the review is of those that can.
  const sure = useMemo(() => (at === null ? afterDryRun(command, steps.asking) : steps.asking), [command, at, steps.asking])

  const move = (next: Steps) => {
    select('')
    const dry = afterDryRun(command, next.asking)
    const nobody = next.given.length > steps.given.length || next.at === null ? nobodyLeft(dry) : null
    if (nobody && at !== null && at !== SUBJECT) setSteps({ ...steps, error: nobody })
    else if (next.at === null && isReady(command, next)) {
      onClose()
      run(dry)
    } else setSteps(next)
  }
  const give = (value: unknown, label?: string) => {
    if (label && at) setLabels((old) => ({ ...old, [at]: label }))
    if (label && ask?.type === 'entity') setNames((old) => ({ ...old, [String(value)]: label }))
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
    run(sure)
  }

  // Another question may have another field. An answer that stands in it is taken by Enter, and replaced by what is typed.
  useEffect(() => {
    void at
    field.current?.focus()
    field.current?.select()
  }, [at])

  const onKeyDown = (event: KeyboardEvent) => {
    hear(event)
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' || (event.key === 'Backspace' && draft === '')) {
      event.preventDefault()
      event.stopPropagation()
      stepBack()
    } else if (stepsAside(event, at)) {
      const aside = at === SUBJECT ? null : sideways(command, steps, event.key === 'ArrowLeft' ? -1 : 1)
      if (!aside) return
      event.preventDefault()
      select('')
      setSteps(aside)
    } else if (event.key === 'Enter' && event.repeat) event.preventDefault()
    else if (event.key === 'Tab') {
      event.preventDefault()
      const lines: string[] = reviewLines(sure).filter((line) => line === 'left' || line === 'look')
      if (at === null && lines.length) select(lines[(lines.indexOf(current) + 1) % lines.length]!)
    } else if (at === null && /^Page(Up|Down)$/.test(event.key)) {
      event.preventDefault()
      pageNames(event.currentTarget, event.key === 'PageDown' ? 1 : -1)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ask && takesSeveral(ask)) {
      event.preventDefault()
      give(readChosen(ask, chosen))
    } else if (ticks(event, ask, draft, choices)) {
      event.preventDefault()
      const choice = rows.find(({ key }) => key === current)?.choice
      if (choice && ask) setSteps(tick(ask, steps, choice.value))
    }
  }

  const standing = at === null ? null : chosenBefore(ask, steps.asking.answers[at])
  const rows = withTicked(ask, standing ? [standing] : chosen, draft, choices, names).map((choice) => ({
    choice,
    key: `choice:${choice.value}`,
  }))
  const keys = at === null ? reviewLines(sure) : [...(rows.length ? rows.map(({ key }) => key) : ['next']), 'done']
  // An answer that was given already is what Enter takes, until something else is typed or gone to.
  const given = standing && !draft ? `choice:${standing}` : ''
  const current = keys.includes(selected) ? selected : keys.includes(given) ? given : keys[0]!
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
  const meant = ask ? understood(ask, draft, today) : null
  const goOn = steps.asking.theirs ? 'Go on with mine' : meant ? `Go on with ${meant}` : 'Go on'
  const typed = ask && ['text', 'number', 'date'].includes(ask.type)

  return (
    <Command
      shouldFilter={false}
      vimBindings={false}
      {...shell(current)}
      label={label}
      onKeyDown={onKeyDown}
      // Keys that were pressed before it was there wait for the choices, and confirm nothing that nobody saw (keys/early.ts).
      data-review={at === null ? '' : undefined}
      data-reading={waiting ? '' : undefined}
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
        quiet={at === null}
        sign={ask?.type === 'number' && ask.money ? '$' : undefined}
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
          </>
        }
        after={
          <span className="ml-auto text-meta text-faint max-sm:hidden">
            {steps.passed.length ? 'Backspace edits the last answer' : ''}
          </span>
        }
      />
      {at !== null && steps.asking.theirs && (
        <div className="px-4 pb-3">
          <Clashes asking={steps.asking} />
        </div>
      )}
      {(error || unread) && (
        <p role="alert" id={errorId} className="px-4 pb-2 text-red-ink">
          {error ?? unread}
        </p>
      )}
      {at === null ? (
        <Review command={command} asking={sure} selected={current} onGo={go} onSelect={select} onBack={stepBack} />
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
                onSelect={() => give(readDraft(ask, draft, today))}
              >
                {draft.trim() ? goOn : ask.optional ? 'Leave it empty' : `Type the ${label.toLowerCase()}, then Enter`}
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
              <p className="px-2.5 py-1 text-meta text-muted">
                {ask.types.join(', ')}, below {UPLOAD_LIMIT / 1024 / 1024} MB{ask.many ? ' each' : ''}
              </p>
              <input
                ref={files}
                type="file"
                hidden
                multiple={ask.many}
                accept={ask.types.map((type) => `.${type}`).join()}
                onChange={(event) => give([...(event.target.files ?? [])])}
              />
            </div>
          ) : (
            <p className="px-4 py-5 text-muted">
              {waiting ? 'Reading the choices' : draft.trim() ? `Nothing is called “${draft.trim()}”.` : 'Type a name.'}
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
      <Foot
        hints={
          at === null ? REVIEW_HINTS : ask?.type === 'text' && ask.lines ? LINES_HINTS : takesSeveral(ask) ? SEVERAL_HINTS : HINTS
        }
      />
    </Command>
  )
}
