import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { needsReview } from '../commands/availability.ts'
import { promptFor, withFollowing, wrongWith } from '../commands/commandQuestions.ts'
import { commandOf } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { isMac, shownAs } from '../runner/keys/keyReading.ts'
import { afterDryRun, effectOf, nobodyLeft } from '../runner/reviewText.ts'
import { run } from '../runner/runCommand.ts'
import type { Asking } from '../runner/runnerState.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { focusChanged } from '../workspace/focusLater.ts'
import { AskField } from './AskField.tsx'
import { Conflicts } from './Conflicts.tsx'
import { EffectText } from './EffectText.tsx'
import { NameList } from './NameList.tsx'
import { draftOf, readDraft } from './steps.ts'
import { REST_MS, useForeseen } from './useForeseen.ts'
import { useToday } from './useToday.ts'

/** A command's questions as a dialog, opened by a button; with the same questions, checks and review as the palette. */
export function CommandDialog({ asking, onClose }: { asking: Asking; onClose: () => void }) {
  const command = commandOf(asking.id)
  const today = useToday()
  const [answers, setAnswers] = useState<Readonly<Record<string, unknown>>>(asking.answers)
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(command.asks ?? {}).map(([key, ask]) => [key, draftOf(ask, asking.answers[key])])),
  )
  const [errors, setErrors] = useState(asking.errors)
  const questions = promptFor(command, answers, asking.subjects)
  const now = afterDryRun(command, { ...asking, answers })
  const foreseen = useForeseen(command, now, REST_MS)
  const effect = effectOf(command, now, foreseen.effect)
  const confirms = needsReview(command, asking.subjects.length + asking.left.length, asking.subjects, answers)
  const set = (key: string, value: unknown) => {
    const next = withFollowing(command, answers, { ...answers, [key]: value }, key, asking.subjects)
    setAnswers(next.answers)
    const shown = Object.entries(command.asks ?? {}).filter(([name]) => name !== key && next.answers[name] !== answers[name])
    setDrafts((old) => ({ ...old, ...Object.fromEntries(shown.map(([name, ask]) => [name, draftOf(ask, next.answers[name])])) }))
    setErrors(({ [key]: _, ...rest }) => rest)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = Object.fromEntries(
      questions.flatMap(([key, ask]) => {
        const error = wrongWith(ask, answers[key], answers, asking.subjects)
        return error ? [[key, error]] : []
      }),
    )
    if (Object.keys(wrong).length)
      return focusChanged(
        () => setErrors(wrong),
        () => document.querySelector<HTMLElement>('[data-command-form] [aria-invalid=true]'),
      )
    setErrors(wrong)
    const noneLeft = nobodyLeft(now)
    if (noneLeft) return setErrors({ '': noneLeft })
    const asks = new Set(questions.map(([key]) => key))
    onClose()
    run({
      ...now,
      answers: Object.fromEntries(Object.entries(answers).filter(([key, value]) => asks.has(key) && value !== undefined)),
    })
  }
  const form = 'command-form'
  // In a text of several lines, Enter breaks the line; Ctrl or ⌘ Enter submits, as in every form.
  const long = questions.some(([, ask]) => ask.type === 'text' && (ask.lines ?? 1) > 1)
  const sendByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  const safeFirst = command.danger && questions.length === 0
  return (
    <Dialog
      open
      onClose={onClose}
      size={questions.length ? 'md' : 'sm'}
      title={confirms ? effect.title : plain(command)}
      description={
        confirms || command.review ? (
          <>
            <EffectText effect={effect} />
            {effect.left && <span className="mt-1 block text-amber-ink">{effect.left}</span>}
          </>
        ) : (
          (effect.left ?? undefined)
        )
      }
      initialFocus={
        questions.length
          ? '[data-command-form] :is(input:not([hidden]), textarea, select)'
          : safeFirst
            ? '[data-answer=cancel]'
            : '[data-answer=confirm]'
      }
      footer={
        <>
          <Button data-answer="cancel" onClick={onClose}>
            Cancel
          </Button>
          <Button
            data-answer="confirm"
            type="submit"
            form={form}
            variant={command.danger ? 'danger' : 'primary'}
            kbd={long ? shownAs('Mod+Enter', isMac) : undefined}
          >
            {effect.action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        data-command-form={asking.id}
        noValidate
        onSubmit={submit}
        onKeyDown={sendByKey}
        className="flex flex-col gap-3"
      >
        {errors[''] && (
          <p role="alert" className="text-red-ink">
            {errors['']}
          </p>
        )}
        <Conflicts asking={asking} />
        {now.left.length > 0 && (
          <details>
            <summary className="cursor-default text-muted hover:text-ink">Show skipped</summary>
            <NameList
              label="Skipped"
              rows={now.left.map(({ subject, reason }) => ({ id: subject.id, name: subject.name, reason }))}
            />
          </details>
        )}
        {questions.map(([key, ask]) => (
          <AskField
            key={key}
            ask={ask}
            subjects={asking.subjects}
            answers={answers}
            value={answers[key]}
            draft={drafts[key] ?? ''}
            error={errors[key] ?? null}
            onValue={(value) => set(key, value)}
            onDraft={(draft) => {
              setDrafts((old) => ({ ...old, [key]: draft }))
              set(key, readDraft(ask, draft, today))
            }}
          />
        ))}
      </form>
    </Dialog>
  )
}
