import type { RefObject } from 'react'
import type { Ask, Command } from '../commands/command.ts'
import { isAnswered, promptFor } from '../commands/commandQuestions.ts'
import { plain } from '../commands/words.ts'
import { nameOf } from './multiSelect.ts'
import { PaletteInput } from './PaletteInput.tsx'
import { Pill } from './StepPill.tsx'
import { SubjectChip } from './SubjectChip.tsx'
import { type Steps, shownAnswer } from './steps.ts'

/** Returns the answers so far in the order of their questions, for the pills. */
export function givenAnswers(
  command: Command,
  { at, asking, passed }: Steps,
  labels: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): { key: string; label: string; shown: string }[] {
  const { answers, subjects } = asking
  const possible = promptFor(command, answers, subjects)
  const here = possible.findIndex(([key]) => key === at)
  return possible.flatMap(([key, one], place) => {
    if (!passed.includes(key) || (one.usual && here >= 0 && place >= here)) return []
    const empty = one.usual && !isAnswered(answers[key])
    const answer = shownAnswer(one, answers[key], asking, labels[key] ?? nameOf(one, answers[key], names, subjects))
    const shown = empty ? `+ ${one.label}` : (one.usual && one.type === 'date' ? `${one.label} ` : '') + answer
    return [{ key, label: one.label, shown }]
  })
}

/** A question's field, after pills for the subjects and each answer so far. */
export function QuestionField({
  command,
  ask,
  label,
  steps,
  labels,
  names,
  field,
  errorId,
  describedBy,
  past,
  onChange,
  onEdit,
}: {
  command: Command
  ask: Ask | null
  label: string
  steps: Steps
  labels: Readonly<Record<string, string>>
  names: Readonly<Record<string, string>>
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  errorId: string
  /** The id of the text with subjects and effect. */
  describedBy: string
  /** Whether texts used before are listed below, or one of them is selected. */
  past?: 'below' | 'in' | undefined
  onChange: (text: string) => void
  onEdit: (key: string) => void
}) {
  const { at, draft, error, asking } = steps
  const { subjects } = asking
  return (
    <PaletteInput
      field={field}
      label={at === null ? `${plain(command)}: Enter runs it, Escape goes back` : label}
      value={draft}
      onChange={(text) => onChange(ask?.type === 'text' && ask.keeps ? ask.keeps(text) : text)}
      quiet={at === null}
      sign={ask?.type === 'number' && ask.money ? '$' : undefined}
      placeholder={at === null ? '' : `${label}${ask?.optional ? ' (optional)' : ''}`}
      past={past}
      lines={ask?.type === 'text' ? ask.lines : undefined}
      kind={ask?.type === 'number' ? 'number' : ask?.type === 'text' ? ask.kind : 'text'}
      invalid={Boolean(error)}
      describedBy={error ? `${errorId} ${describedBy}` : describedBy}
      before={
        <>
          <SubjectChip subjects={subjects} total={subjects.length + asking.left.length} />
          <Pill>{plain(command)}</Pill>
          {givenAnswers(command, steps, labels, names).map(({ key, label: name, shown }) => (
            <Pill key={key} name={name} onEdit={() => onEdit(key)}>
              {shown}
            </Pill>
          ))}
        </>
      }
    />
  )
}
