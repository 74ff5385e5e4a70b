import { useMemo, useState } from 'react'
import { evaluate } from '../commands/availability.ts'
import { initialAnswers } from '../commands/questions.ts'
import type { Subject } from '../commands/subject.ts'
import { commandOf } from '../commands/table.ts'
import { named } from '../commands/words.ts'
import { afterDryRun, nobodyLeft } from '../runner/reviewText.ts'
import { run } from '../runner/run.ts'
import type { Asking } from '../runner/runnerState.ts'
import { subjectOf } from '../runner/subjectOf.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import type { Choice } from './choices.ts'
import { answer, back, beginSteps, goTo, isReady, type Steps, sideways, takesSeveral, tick } from './steps.ts'

/** The step that asks what a command acts on, where nothing says so. */
export const SUBJECT = '$subject'

/** A command's steps from its first question to its end: what answers do, and the ways back. `onStep` hears of another step. */
export function useSteps(asking: Asking, { onLeave, onClose, onStep }: { onLeave(): void; onClose(): void; onStep(): void }) {
  const command = commandOf(asking.id)
  /** What was chosen, by question and by record: what its pills say. */
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const [steps, setSteps] = useState<Steps>(() =>
    command.on !== 'nothing' && !asking.subjects.length
      ? { asking, passed: [], given: [], at: SUBJECT, draft: '', chosen: [], error: null }
      : beginSteps(command, asking),
  )
  const { at } = steps
  const ask = at === null || at === SUBJECT ? null : command.asks![at]!

  // What the answers rule out is found out when they are all there: the review is of those that can.
  const sure = useMemo(() => (at === null ? afterDryRun(command, steps.asking) : steps.asking), [command, at, steps.asking])

  const move = (next: Steps) => {
    onStep()
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
  const [looking, setLooking] = useState(false)
  const pickSubject = async (choice: Choice) => {
    // Until the next screen is known, keys belong to nothing on this one.
    setLooking(true)
    await pickedSubject(choice).finally(() => setLooking(false))
  }
  const pickedSubject = async (choice: Choice) => {
    const plainSubject = { kind: choice.kind as Subject['kind'], id: Number(choice.value), name: choice.label }
    const subject = await subjectOf(plainSubject.kind, plainSubject.id, plainSubject.name).catch(() => plainSubject)
    const { reason, able } = evaluate(asking.id, command, [subject], workspace)
    if (reason) return setSteps((old) => ({ ...old, error: `${named(subject)}: ${reason}` }))
    move(
      beginSteps(command, {
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
    /** What was chosen to act on is being read. */
    looking,
    ask,
    sure,
    labels,
    names,
    give,
    /** A choice is the answer, or one of several; true when it was ticked, so that going on comes next. */
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
    edit: (key: string) => move(goTo(command, steps, key)),
    stepBack() {
      const before = at === SUBJECT ? null : back(command, steps)
      if (before) move(before)
      else onLeave()
    },
    /** To the question beside this one; false where there is none. */
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
