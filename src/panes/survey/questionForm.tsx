import { type ComponentProps, useRef } from 'react'
import { type Fields, linesIn } from '../../../contract/fieldKinds.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { questionFields } from '../../../contract/questionFields.ts'
import { type AnswerType, isChosen, optionFaults } from '../../../contract/questionRules.ts'
import { TextArea } from '../../ui/TextInput.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'

/** A question's answers, without those of another type. */
export const answersIn = ({ answer_type, options }: { answer_type: string; options: string }): string[] =>
  isChosen(answer_type as AnswerType) ? linesIn(options) : []

/** A question's form, new or edited, with a preview of its chart beside it. */
export function QuestionForm({
  form,
  more = {},
  ...rest
}: { form: { values: Values }; more?: Fields } & Omit<ComponentProps<typeof FieldForm>, 'form' | 'fields' | 'beside' | 'needs'>) {
  return (
    <FieldForm
      {...rest}
      form={form}
      fields={{ ...questionFields, ...more }}
      needs={['options']}
      controls={{ options: (bound) => <AnswerLines {...bound} />, ...rest.controls }}
      hints={{
        options: (
          <>
            One per line.<span className="narrow:hidden"> Alt+↑ and Alt+↓ move a line.</span>
          </>
        ),
        ...rest.hints,
      }}
      beside={<Preview values={form.values} />}
    />
  )
}
interface Values {
  name: string
  answer_type: string
  options: string
}

/** Answers, one per line, with errors below; Alt and an arrow move the current line. */
function AnswerLines({ value, onChange, onBlur }: { value: string; onChange(value: string): void; onBlur(): void }) {
  const box = useRef<HTMLTextAreaElement>(null)
  const lines = linesIn(value)
  const faults = [...optionFaults(lines)]
  const move = (by: 1 | -1) => {
    const area = box.current
    if (!area) return
    const all = value.split('\n')
    const at = value.slice(0, area.selectionStart).split('\n').length - 1
    const to = at + by
    if (to < 0 || to >= all.length) return
    const [line] = all.splice(at, 1)
    all.splice(to, 0, line!)
    onChange(all.join('\n'))
    const place = all.slice(0, to).join('\n').length + (to ? 1 : 0)
    requestAnimationFrame(() => area.setSelectionRange(place, place))
  }
  return (
    <>
      <TextArea
        ref={box}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        rows={5}
        placeholder={'Yes\nNo'}
        onKeyDown={(event) => {
          if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          event.stopPropagation()
          move(event.key === 'ArrowUp' ? -1 : 1)
        }}
      />
      {faults.length > 0 && (
        <ul className="mt-1 text-meta text-red-ink">
          {faults.map(([at, fault]) => (
            <li key={at}>
              Line {at + 1}: {fault}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Previews the question's chart with one bar per answer. */
function Preview({ values }: { values: Values }) {
  const options = answersIn(values)
  const words = { number: 'A number, shown as a distribution.', open: 'Open answers, shown as a searchable list.' }
  return (
    <section aria-label="Preview of the chart" className="rounded-md border border-line px-3 py-2.5">
      <h2 className="text-meta font-medium text-muted">Preview of the chart</h2>
      <p className="mt-1 font-medium">
        <bdi>{values.name.trim() || MESSAGES.surveyQuestionName.replace(/ cannot be blank$/, '')}</bdi>
      </p>
      {!isChosen(values.answer_type as AnswerType) && (
        <p className="text-muted">{words[values.answer_type as 'number' | 'open']}</p>
      )}
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {options.slice(0, 12).map((option, at) => (
          <li key={at}>
            <bdi className="block truncate text-meta">{option}</bdi>
            <span className="block h-2 rounded-sm bg-accent" style={{ width: `${Math.max(8, 100 - at * 14)}%` }} />
          </li>
        ))}
      </ul>
      {options.length > 12 && <p className="mt-1 text-meta text-muted">+ {options.length - 12}</p>}
    </section>
  )
}
