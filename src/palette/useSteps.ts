import { useMemo, useState } from 'react'
import { evaluate } from '../commands/availability.ts'
import { initialAnswers } from '../commands/commandQuestions.ts'
import type { Subject } from '../commands/subject.ts'
import { commandOf } from '../commands/table.ts'
import { named } from '../commands/words.ts'
import { prepared } from '../runner/prepare.ts'
import { afterDryRun, nobodyLeft } from '../runner/reviewText.ts'
import { run } from '../runner/runCommand.ts'
import type { Asking } from '../runner/runnerState.ts'
import { subjectOf } from '../runner/subjectOf.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import type { Choice } from './choices.ts'
import { answer, back, goTo, isReady, type Steps, sideways, startSteps, takesSeveral, tick, tickAll } from './steps.ts'

/** The step that asks for a command's subject, if nothing provides it. */
export const SUBJECT = '$subject'

/** A command's steps from first question to end, with answers and ways back. `onStep` is called on every change. */
export function useSteps(asking: Asking, { onLeave, onClose, onStep }: { onLeave(): void; onClose(): void; onStep(): void }) {
  const command = commandOf(asking.id)
  /** The labels of choices by question and record, for the pills. */
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const [steps, setSteps] = useState<Steps>(() =>
    command.on !== 'nothing' && !asking.subjects.length
      ? { asking, passed: [], answered: [], at: SUBJECT, draft: '', chosen: [], error: null }
      : startSteps(command, asking),
  )
  const { at } = steps
  const ask = at === null || at === SUBJECT ? null : command.asks![at]!

  // Exclusions are evaluated once all answers are given, so that the review lists only subjects that can run.
  const sure = useMemo(() => (at === null ? afterDryRun(command, steps.asking) : steps.asking), [command, at, steps.asking])

  const move = (next: Steps) => {
    onStep()
    const dry = afterDryRun(command, next.asking)
    const noneLeft = next.answered.length > steps.answered.length || next.at === null ? nobodyLeft(dry) : null
    if (noneLeft && at !== null && at !== SUBJECT) setSteps({ ...steps, error: noneLeft })
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
  const [looking, setLooking] = useState(false)
  const pickSubject = async (choice: Choice) => {
    // Until the next screen is known, keys belong to nothing here.
    setLooking(true)
    await pickedSubject(choice).finally(() => setLooking(false))
  }
  const pickedSubject = async (choice: Choice) => {
    const plainSubject = { kind: choice.kind as Subject['kind'], id: Number(choice.value), name: choice.label }
    const subject = await subjectOf(plainSubject.kind, plainSubject.id, plainSubject.name).catch(() => plainSubject)
    const availability = evaluate(asking.id, command, [subject], workspace)
    const { able, left } = availability.reason
      ? { able: [], left: [availability] }
      : await prepared(command, availability.able).catch((error: Error) => ({ able: [], left: [{ reason: error.message }] }))
    const reason = able.length ? null : left[0]?.reason
    if (reason) return setSteps((old) => ({ ...old, error: `${named(subject)}: ${reason}` }))
    move(
      startSteps(command, {
        ...steps.asking,
        subjects: able,
        answers: initialAnswers(command, steps.asking.answers, able, workspace),
      }),
    )
  }
  return {
    command,
    steps,
    setSteps,
    /** True while the chosen subject is loading. */
    looking,
    ask,
    sure,
    labels,
    names,
    give,
    /** Answers with a choice, or toggles one of several; returns true if it was added, so that Enter continues. */
    pick(choice: Choice): boolean {
      if (at === SUBJECT) void pickSubject(choice)
      else if (ask?.type === 'entity') give(Number(choice.value), choice.label)
      else if (ask && takesSeveral(ask)) {
        if (ask.type === 'entities') setNames((old) => ({ ...old, [choice.value]: choice.label }))
        const next = tick(ask, steps, choice.value)
        setSteps(next.error ? next : { ...next, draft: '' })
        return !next.error
      } else give(choice.value, choice.label)
      return false
    },
    /** Selects several choices at once, or deselects them if all are selected. */
    pickAll(choices: readonly Choice[]): void {
      if (!ask) return
      if (ask.type === 'entities')
        setNames((old) => ({ ...old, ...Object.fromEntries(choices.map(({ value, label }) => [value, label])) }))
      setSteps(
        tickAll(
          ask,
          steps,
          choices.map(({ value }) => value),
        ),
      )
    },
    edit: (key: string) => move(goTo(command, steps, key)),
    /** Goes to the last answer, with `asked` past those that weren't asked for; leaves if there is none. */
    stepBack(onlyAsked = false) {
      const before = at === SUBJECT ? null : back(command, steps, onlyAsked)
      if (before) move(before)
      else onLeave()
    },
    /** Goes to the adjacent question; returns false if there is none. */
    stepAside(by: -1 | 1): boolean {
      const aside = at === SUBJECT ? null : sideways(command, steps, by)
      if (!aside) return false
      onStep()
      setSteps(aside)
      return true
    },
    go() {
      onClose()
      run(sure)
    },
  }
}
