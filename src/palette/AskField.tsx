import type { Ask, RawAnswers } from '../commands/command.ts'
import { optionsOf } from '../commands/commandQuestions.ts'
import type { Subject } from '../commands/subject.ts'
import { CheckGroup } from '../ui/Checkbox.tsx'
import { DateInput } from '../ui/DateInput.tsx'
import { Field } from '../ui/Field.tsx'
import { FileDrop } from '../ui/FileDrop.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { Select } from '../ui/Select.tsx'
import { NumberInput, TextArea, TextInput } from '../ui/TextInput.tsx'
import { workspace } from '../workspace/currentWorkspace.ts'
import { EntitiesField, EntityField } from './EntityField.tsx'

interface Props {
  ask: Ask
  subjects: readonly Subject[]
  /** The answers so far, for choices that depend on them. */
  answers: RawAnswers
  value: unknown
  /** The typed text, for texts, numbers and dates. */
  draft: string
  error: string | null
  onValue: (value: unknown) => void
  onDraft: (draft: string) => void
}

/** A command's question as a field in its dialog. */
export function AskField({ ask, error, ...rest }: Props) {
  const group = ask.type === 'option' || ask.type === 'several' || ask.type === 'entities'
  return (
    <Field label={ask.label} required={!ask.optional} error={error} group={group} hint={ask.optional ? 'Optional' : undefined}>
      <Control ask={ask} {...rest} />
    </Field>
  )
}

function Control({ ask, subjects, answers, value, draft, onValue, onDraft }: Omit<Props, 'error'>) {
  switch (ask.type) {
    case 'text':
      return ask.lines ? (
        <TextArea rows={ask.lines} value={draft} onChange={onDraft} placeholder={ask.placeholder} />
      ) : (
        <TextInput
          type={ask.kind ?? 'text'}
          value={draft}
          onChange={(text) => onDraft(ask.keeps ? ask.keeps(text) : text)}
          placeholder={ask.placeholder}
        />
      )
    case 'number':
      return (
        <NumberInput
          value={draft}
          onChange={onDraft}
          prefix={ask.money ? '$' : undefined}
          unit={ask.money ? undefined : ask.unit}
          decimals={ask.money ? 2 : 0}
          className="w-48"
        />
      )
    case 'date':
      return <DateInput value={draft} onChange={onDraft} className="w-48" />
    case 'option': {
      const options = optionsOf(ask, subjects, workspace).map((option) => ({
        value: option.value,
        label: option.label,
        hint: option.detail,
        detail: option.detail,
      }))
      return options.length > 5 ? (
        <Select value={String(value ?? '')} onChange={onValue} options={options} placeholder="Choose" />
      ) : (
        <RadioGroup value={String(value ?? '')} onChange={onValue} options={options} stacked />
      )
    }
    case 'several':
      return (
        <CheckGroup
          options={optionsOf(ask, subjects, workspace)}
          value={(value as string[] | undefined) ?? []}
          onChange={onValue}
        />
      )
    case 'file': {
      const files = (value as File[] | undefined) ?? []
      return (
        <FileDrop
          files={files.map((file, at) => ({ id: String(at), name: file.name, bytes: file.size }))}
          onAdd={(more) => onValue(ask.many ? [...files, ...more] : more)}
          onRemove={(id) => onValue(files.filter((_, at) => String(at) !== id))}
          accept={ask.types.map((type) => `.${type}`).join()}
          multiple={Boolean(ask.many)}
        />
      )
    }
    case 'entity':
      return <EntityField ask={ask} subjects={subjects} answers={answers} value={value} onValue={onValue} />
    case 'entities':
      return (
        <EntitiesField
          ask={ask}
          subjects={subjects}
          answers={answers}
          value={(value as number[] | undefined) ?? []}
          onValue={onValue}
        />
      )
  }
}
