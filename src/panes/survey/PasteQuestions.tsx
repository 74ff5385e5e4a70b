import { useEffect, useMemo, useRef, useState } from 'react'
import { shortLabelsOf } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { questionColumns } from '../../../contract/importFields.ts'
import { QUESTION_LIMITS } from '../../../contract/questionRules.ts'
import { columnsOf, draftsOf, gridOf, rowsOf, type SheetColumns, type SheetField } from '../../../contract/questionSheet.ts'
import { ApiError, newAttempt } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { toast } from '../../runner/toast.tsx'
import { post } from '../../runner/undo.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextArea } from '../../ui/TextInput.tsx'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import type { Survey } from './surveySubject.ts'

const HOLDS: readonly { value: SheetField | ''; label: string }[] = [
  { value: '', label: 'Ignore' },
  ...(Object.entries(shortLabelsOf(questionColumns)) as [SheetField, string][]).map(([value, label]) => ({ value, label })),
]
const questions = (many: number) => `${count(many)} ${many === 1 ? 'question' : 'questions'}`

/** Parses a pasted sheet: columns, detected or corrected, and errors by row. */
function readSheet(text: string, corrected: SheetColumns | null) {
  const grid = gridOf(text)
  const { columns: known, headed } = columnsOf(grid)
  const columns = corrected && corrected.length === known.length ? corrected : known
  const rows = rowsOf(grid, columns, headed)
  return { columns, headings: headed ? grid[0]! : null, rows, ...draftsOf(rows) }
}

/** Adds questions from a pasted sheet, checked row by row, in one write that undo reverts. */
export function PasteQuestions({ survey, onDone }: { survey: Survey; onDone(): void }) {
  const { setDirty } = usePane()
  const keys = useKeys()
  const [text, setText] = useState('')
  const [corrected, setCorrected] = useState<SheetColumns | null>(null)
  const [busy, setBusy] = useState(false)
  const [serverError, setServerError] = useState<{ message: string; errors: { row: number; message: string }[] } | null>(null)
  const attempt = useRef(newAttempt())
  const sheet = useMemo(() => readSheet(text, corrected), [text, corrected])
  const tooMany = sheet.rows.length > QUESTION_LIMITS.rows
  const errors = [...sheet.errors, ...(serverError?.errors ?? [])]
  const wrong = new Map(errors.map(({ row, message }) => [row, message]))
  useEffect(() => setDirty(text.trim() !== ''), [text, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])

  const send = async () => {
    if (busy || !sheet.rows.length || sheet.errors.length || tooMany) return
    setBusy(true)
    setServerError(null)
    const steps: number[] = []
    try {
      const { message } = await api.write(
        'question.bulk',
        { id: survey.id, rows: sheet.drafts.map((draft) => ({ ...draft, options: [...draft.options] })) },
        { attempt: attempt.current, undoable: (id) => void steps.push(id) },
      )
      attempt.current = newAttempt()
      const undo = post({ title: 'Paste questions', subjects: [{ kind: 'survey', id: survey.id, name: survey.name }] }, { steps })
      void toast(message, { tone: 'good', id: undo.toast, action: { label: 'Undo', run: undo.undo } })
      setDirty(false)
      onDone()
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'broken', 'The questions couldn’t be added.')
      const rowErrors = failure.more.rows as { row: number; message: string }[] | undefined
      setServerError({ message: failure.message, errors: rowErrors ?? [] })
      if (failure.status !== 0) attempt.current = newAttempt()
    } finally {
      setBusy(false)
    }
  }
  const discard = () => {
    setText('')
    setCorrected(null)
    setServerError(null)
  }
  usePaneForm({ send: () => void send(), discard })

  return (
    <form
      aria-label="Paste questions"
      data-fill-in=""
      noValidate
      onSubmit={(event) => event.preventDefault()}
      className="max-w-5xl px-4 pt-3 pb-10"
    >
      <Field
        label="Questions from a sheet"
        hint="One question per row: text, answer type, and answers split by | or line. A header row helps."
      >
        <TextArea
          value={text}
          onChange={(next) => {
            setText(next)
            setServerError(null)
          }}
          rows={6}
          placeholder={'Question\tAnswer type\tAnswers\nWhich snack do you like?\tSingle\tChips|Nuts|Both'}
        />
      </Field>
      {serverError && (
        <p role="alert" className="mt-2 text-red-ink">
          {serverError.message}
        </p>
      )}
      {tooMany && (
        <p role="alert" className="mt-2 text-red-ink">
          You can add at most {QUESTION_LIMITS.rows} questions at once.
        </p>
      )}
      {sheet.rows.length > 0 && (
        <div className="mt-4 overflow-x-auto">
          <table className="w-full min-w-[640px] border-collapse text-left">
            <caption className="pb-2 text-left text-meta text-muted">
              {questions(sheet.rows.length)}
              {errors.length ? `, ${count(wrong.size)} with errors` : ', no errors'}
            </caption>
            <thead>
              <tr className="border-b border-line align-bottom">
                <th className="w-10 py-1 text-meta font-medium text-muted">Row</th>
                {sheet.columns.map((field, at) => (
                  <th key={at} className="px-1 py-1 font-normal">
                    <Select
                      aria-label={`Column ${at + 1}${sheet.headings?.[at] ? `, “${sheet.headings[at]}”` : ''}`}
                      value={field ?? ''}
                      options={HOLDS}
                      onChange={(value) =>
                        setCorrected(
                          sheet.columns.map((was, place) => (place === at ? value || null : was === value ? null : was)),
                        )
                      }
                    />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sheet.drafts.slice(0, 200).map((draft, at) => (
                <tr key={at} className="border-b border-line align-top">
                  <td className="py-1 text-muted tabular-nums">{at + 1}</td>
                  <td colSpan={Math.max(1, sheet.columns.length)} className="px-1 py-1">
                    <bdi className="font-medium">{draft.name || '(no text)'}</bdi>{' '}
                    <span className="text-meta text-muted">
                      {draft.answer_type}
                      {draft.options.length > 0 && ` · ${draft.options.join(' | ')}`}
                      {draft.vendor_key && ` · ${draft.vendor_key}`}
                    </span>
                    {wrong.has(at + 1) && (
                      <span className="flex items-baseline gap-1.5 text-meta text-red-ink">
                        <Mark shape="cross" />
                        {wrong.get(at + 1)}
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-1.5">
        <Button
          variant="primary"
          busy={busy}
          reason={!sheet.rows.length ? 'Paste some rows first' : sheet.errors.length || tooMany ? 'Fix the errors first' : null}
          data-command="form.send"
          kbd={keys('form.send') ?? undefined}
          onClick={() => void send()}
        >
          {sheet.rows.length ? `Add ${questions(sheet.rows.length)}` : 'Add questions'}
        </Button>
        <Button data-view="" onClick={onDone}>
          Back to questions
        </Button>
      </div>
    </form>
  )
}
