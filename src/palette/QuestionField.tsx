import type { RefObject } from 'react'
import type { Ask, Command } from '../commands/command.ts'
import { isAnswered, promptFor } from '../commands/questions.ts'
import { plain } from '../commands/words.ts'
import { nameOf } from './multiSelect.ts'
import { PaletteInput } from './PaletteInput.tsx'
import { Pill } from './StepPill.tsx'
import { SubjectChip } from './SubjectChip.tsx'
import { type Steps, shownAnswer } from './steps.ts'

/** A question's field, after pills for the subjects and for each answer so far. */
export function QuestionField({
  command,
  ask,
  label,
  steps,
  labels,
  names,
  field,
  errorId,
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
  onChange: (text: string) => void
  onEdit: (key: string) => void
}) {
  const { at, draft, error, asking, passed } = steps
  const { answers, subjects } = asking
  const possible = promptFor(command, answers, subjects)
  const here = possible.findIndex(([key]) => key === at)
  return (
    <PaletteInput
      field={field}
      label={at === null ? `${plain(command)}: Enter runs it, Escape goes back` : label}
      value={draft}
      onChange={(text) => onChange(ask?.type === 'text' && ask.keeps ? ask.keeps(text) : text)}
      quiet={at === null}
      sign={ask?.type === 'number' && ask.money ? '$' : undefined}
      placeholder={at === null ? '' : `${label}${ask?.optional ? ' (optional)' : ''}`}
      lines={ask?.type === 'text' ? ask.lines : undefined}
      kind={ask?.type === 'number' ? 'number' : ask?.type === 'text' ? ask.kind : 'text'}
      invalid={Boolean(error)}
      describedBy={error ? errorId : undefined}
      before={
        <>
          <SubjectChip subjects={subjects} meant={subjects.length + asking.left.length} />
          <Pill>{plain(command)}</Pill>
          {possible.map(([key, one], place) =>
            passed.includes(key) && (!one.usual || here < 0 || place < here) ? (
              <Pill key={key} name={one.label} onEdit={() => onEdit(key)}>
                {one.usual && !isAnswered(answers[key])
                  ? `+ ${one.label}`
                  : (one.usual && one.type === 'date' ? `${one.label} ` : '') +
                    shownAnswer(one, answers[key], asking, labels[key] ?? nameOf(one, answers[key], names, subjects))}
              </Pill>
            ) : null,
          )}
        </>
      }
    />
  )
}
