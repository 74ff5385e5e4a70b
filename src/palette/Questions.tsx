import { Command } from 'cmdk'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { count } from '../../contract/format.ts'
import { wordOf } from '../../contract/nounOf.ts'
import { withStop } from '../../contract/textEnds.ts'
import { subjectsWord } from '../commands/availability.ts'
import { isAnswered } from '../commands/commandQuestions.ts'
import { plain } from '../commands/words.ts'
import { reasonsFor } from '../runner/reasons.ts'
import { effectOf } from '../runner/reviewText.ts'
import type { Asking } from '../runner/runnerState.ts'
import { useStrayKeys } from '../ui/strayKeys.ts'
import { About, Announcement } from './Announcement.tsx'
import { Answers } from './Answers.tsx'
import { Conflicts } from './Conflicts.tsx'
import { type Choice, useChoices } from './choices.ts'
import { numberTyped, severalKey, withTicked } from './multiSelect.ts'
import { pageNames } from './NameList.tsx'
import { kindsOfCommand } from './paletteRows.ts'
import { givenAnswers, QuestionField } from './QuestionField.tsx'
import {
  CONFIRM_HINTS,
  EDIT_PAST,
  HINTS,
  LAST_ANSWER,
  LINES_HINTS,
  REVIEW_HINTS,
  SEVERAL_HINTS,
  stepsAside,
} from './questionKeys.ts'
import { Effect, Review, reviewLines } from './Review.tsx'
import { Foot } from './rowParts.tsx'
import { back, chosenBefore, confirmsHere, pastTexts, readChosen, runsHere, takesSeveral } from './steps.ts'
import { useActiveRow } from './useActiveRow.ts'
import { useForeseen } from './useForeseen.ts'
import { SUBJECT, useSteps } from './useSteps.ts'
import { useToday } from './useToday.ts'

/** A command's questions in sequence. Nothing runs before the last answer, and Escape never applies anything. */
export function Questions({ asking, onLeave, onClose }: { asking: Asking; onLeave: () => void; onClose: () => void }) {
  const today = useToday()
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const errorId = useId()
  const aboutId = useId()
  const textId = useId()
  const { selected, select, shell, onKey } = useActiveRow()
  const { command, steps, setSteps, looking, ask, sure, labels, names, give, pick, pickAll, edit, stepBack, stepAside, go } =
    useSteps(asking, {
      onLeave,
      onClose,
      onStep: () => select(''),
    })
  const { at, draft, chosen, error } = steps
  const {
    choices,
    all,
    waiting,
    error: unread,
  } = useChoices(ask, at === SUBJECT ? kindsOfCommand(command) : null, draft.trim(), steps.asking.subjects, steps.asking.answers)
  const firstMany = waiting ? null : numberTyped(ask, draft, choices.length, all.length)

  /** How often Enter had nothing to take. */
  const [pressed, setPressed] = useState(0)
  const foreseen = useForeseen(command, at === null ? sure : null)

  // The next question may have another field. Enter accepts an existing answer; typing replaces it.
  useEffect(() => {
    void at
    field.current?.focus()
    field.current?.select()
    // In a low window the answers share a line with the field, which may be out of view at first.
    field.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [at])

  const standing = at === null ? null : chosenBefore(ask, steps.asking.answers[at])
  const rows = withTicked(ask, standing ? [standing] : chosen, draft, choices, names).map((choice) => ({
    choice,
    key: `choice:${choice.value}`,
  }))
  const past = ask?.type === 'text' && ask.recalls && at ? pastTexts(reasonsFor(asking.id, at), draft) : []
  const offered = [...(rows.length ? rows.map(({ key }) => key) : ['next']), ...past.map(({ key }) => key), 'done']
  const keys = at === null ? reviewLines(sure) : offered
  // Enter takes the existing answer until something else is typed or highlighted.
  const prefilled = at !== null && draft === '' && ask?.type === 'several' && isAnswered(steps.asking.answers[at])
  const existing = prefilled ? 'done' : standing && !draft ? `choice:${standing}` : ''
  const current = [selected, existing].find((key) => keys.includes(key)) ?? keys[0]!

  /** How many choices match the typed text; null without choices or text. */
  const typed = at === null || (ask && ['text', 'number', 'date', 'file'].includes(ask.type))
  const found = typed || !(draft.trim() || pressed) ? null : rows.length
  const confirms = confirmsHere(command, steps)
  const tells = confirms || (runsHere(command, steps) && effectOf(command, sure).body !== '')
  const hasAnswers = at === null ? steps.passed.length > 0 : at !== SUBJECT && back(command, steps) !== null
  const stray = useStrayKeys()
  /** True for an Enter in the field without a row to take; with Ctrl it continues with the selected ones. */
  const takesNothing = ({ key, ctrlKey, metaKey, repeat, target }: KeyboardEvent) =>
    key === 'Enter' &&
    !(ctrlKey || metaKey || repeat || typed || rows.length || firstMany) &&
    current !== 'done' &&
    target === field.current
  const onKeyDown = (event: KeyboardEvent) => {
    onKey(event)
    if (at === null && stray.onKeyDown(event)) return event.preventDefault()
    if (event.key === 'Escape' || (event.key === 'Backspace' && draft === '')) {
      event.preventDefault()
      event.stopPropagation()
      stepBack(event.key === 'Escape')
    } else if (takesNothing(event)) setPressed((times) => times + 1)
    else if (stepsAside(event, at)) {
      if (stepAside(event.key === 'ArrowLeft' ? -1 : 1)) event.preventDefault()
    } else if (event.key === 'Enter' && event.repeat) event.preventDefault()
    else if (event.key === 'Tab') {
      event.preventDefault()
      const text = past.find(({ key }) => key === current)?.text
      // Puts the text into the field for editing.
      if (text !== undefined) {
        select('')
        setSteps({ ...steps, draft: text, error: null })
      }
      const lines: string[] = reviewLines(sure).filter((line) => line === 'left' || line === 'look')
      if (at === null && lines.length) select(lines[(lines.indexOf(current) + 1) % lines.length]!)
    } else if (at === null && /^Page(Up|Down)$/.test(event.key)) {
      event.preventDefault()
      pageNames(event.currentTarget, event.key === 'PageDown' ? 1 : -1)
    } else if (takesSeveral(ask)) {
      const state = {
        draft,
        moved: selected !== '',
        atDone: current === 'done',
        chosen: chosen.length,
        optional: ask.optional === true,
      }
      const act = severalKey(event, state)
      if (!act) return
      event.preventDefault()
      if (act === 'continue') give(readChosen(ask, chosen))
      else if (act === 'all') pickAll(all)
      else selectHere()
    }
  }
  /** Selects the row, or the first one, and goes to the next; a row that was selected stays. */
  const selectHere = () => {
    const here = Math.max(
      0,
      rows.findIndex(({ key }) => key === current),
    )
    const choice = rows[here]?.choice
    if (!choice) return
    const adds = !chosen.includes(choice.value)
    pick(choice)
    select((adds && rows[here + 1]?.key) || `choice:${choice.value}`)
  }
  const choose = (choice: Choice) => {
    // After a search, Enter continues and typing searches again. Without one, the row stays selected to deselect it.
    if (pick(choice)) select(draft ? 'done' : `choice:${choice.value}`)
  }
  const label =
    at === SUBJECT
      ? wordOf(kindsOfCommand(command)[0]!).replace(/^./, (letter) => letter.toUpperCase())
      : (ask?.label ?? plain(command))
  const shown = useRef<HTMLDivElement>(null)
  const about = [
    [plain(command), steps.asking.subjects.length ? subjectsWord(steps.asking.subjects) : ''].filter(Boolean).join(': '),
    ...givenAnswers(command, steps, labels, names).map((one) => `${one.label}: ${one.shown}`),
  ]
    .map(withStop)
    .join(' ')
  // The first question is read with its field. Later ones change the same field, which not every reader announces.
  const first = useRef(at)
  const effect = at === null || tells ? effectOf(command, sure, foreseen.effect) : null
  const review = effect && !foreseen.loading ? [effect.title, effect.body, ...effect.lines.map(lineText), effect.left] : []
  const listed =
    at !== null
      ? []
      : current === 'look'
        ? namesOf('Affected', sure.subjects)
        : current === 'left'
          ? namesOf(
              'Skipped',
              sure.left.map(({ subject }) => subject),
            )
          : []
  const now = [at === first.current || at === null ? null : `${label}.`, ...review, ...listed].filter(Boolean).join(' ')
  const recalled = past.length && !draft ? `${count(past.length)} used before, with the arrow keys.` : ''
  const rested = recalled
    ? recalled
    : found === null
      ? ''
      : waiting
        ? 'Loading choices'
        : found
          ? `${found} ${found === 1 ? 'choice' : 'choices'}`
          : NOTHING(draft)
  const hints =
    at === null
      ? REVIEW_HINTS
      : ask?.type === 'text' && ask.lines
        ? tells
          ? CONFIRM_HINTS
          : LINES_HINTS
        : takesSeveral(ask)
          ? SEVERAL_HINTS
          : HINTS

  return (
    <Command
      ref={shown}
      shouldFilter={false}
      vimBindings={false}
      {...shell(current)}
      label={label}
      onKeyDown={onKeyDown}
      // Keys typed early wait for the choices, and can't confirm what the user hasn't seen (keys/typeahead.ts).
      data-review={at === null || confirms ? '' : undefined}
      data-reading={looking ? 'all' : waiting || foreseen.loading ? '' : undefined}
      className="flex min-h-0 flex-col"
    >
      <QuestionField
        command={command}
        ask={ask}
        label={label}
        steps={steps}
        labels={labels}
        names={names}
        field={field}
        errorId={errorId}
        describedBy={at === null || tells ? `${aboutId} ${textId}` : aboutId}
        past={past.length ? (current.startsWith('past:') ? 'in' : 'below') : undefined}
        onChange={(text) => {
          if (at === null) return
          select('')
          setSteps({ ...steps, draft: text, error: null })
        }}
        onEdit={edit}
      />
      <About id={aboutId}>{about}</About>
      {tells && <Effect command={command} asking={sure} textId={textId} />}
      {at !== null && steps.asking.theirs && (
        <div className="px-4 pb-3">
          <Conflicts asking={steps.asking} />
        </div>
      )}
      {at === null && stray.words && (
        <p role="alert" className="px-4 pb-2 text-amber-ink">
          {stray.words}
        </p>
      )}
      {(error || unread) && (
        <p role="alert" id={errorId} className="px-4 pb-2 text-red-ink">
          {error ?? unread}
        </p>
      )}
      {at === null ? (
        <Review
          command={command}
          asking={sure}
          foreseen={foreseen}
          selected={current}
          onGo={go}
          onSelect={select}
          onBack={() => stepBack(true)}
          onEnter={() => shown.current?.querySelector<HTMLElement>('[data-names]')?.focus()}
          onLeave={() => field.current?.focus()}
          textId={textId}
        />
      ) : (
        <Answers
          ask={ask}
          label={label}
          steps={steps}
          rows={rows}
          past={past}
          waiting={waiting}
          today={today}
          onPick={choose}
          runs={tells ? effectOf(command, sure).action : null}
          firstMany={firstMany}
          onFirstMany={() => pickAll(all.slice(0, firstMany!).filter(({ value }) => !chosen.includes(value)))}
          onGive={give}
        />
      )}
      <Announcement now={now} rested={rested} again={pressed} />
      <Foot hints={[...hints, ...(past.length ? [EDIT_PAST] : []), ...(hasAnswers ? [LAST_ANSWER] : [])]} />
    </Command>
  )
}

/** The announcement of a search without results. */
const NOTHING = (draft: string): string => (draft.trim() ? `No results for “${draft.trim()}”.` : 'Type a name.')

const lineText = ({ label, value }: { label: string; value: string }): string => `${label}: ${value}.`

/** How many names are announced in full, rather than left to their list. */
const MOST = 5
const namesOf = (label: string, rows: readonly { name: string }[]): string[] => {
  const more = rows.length > MOST ? ` and ${count(rows.length - MOST)} more` : ''
  return [
    `${label}: ${rows
      .slice(0, MOST)
      .map(({ name }) => name)
      .join(', ')}${more}. Enter goes into the list.`,
  ]
}
