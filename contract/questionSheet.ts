import type { FieldCode } from './errorCodes.ts'
import { faultCode } from './fieldCodes.ts'
import { questionColumns } from './importFields.ts'
import { type QuestionDraft, type QuestionFaults, questionFaults, questionFields } from './questionFields.ts'
import { type AnswerType, answerTypeOf, isChosen, type QuestionType, questionTypeOf, splitOptions } from './questionRules.ts'

/* Questions from a pasted sheet or a data map. Server and browser parse them with the same code. */

/** What a column of a sheet holds. */
export type SheetField = keyof typeof questionColumns
const SHEET_FIELDS = Object.keys(questionColumns) as SheetField[]
/** The field of each column; null for an ignored one. */
export type SheetColumns = readonly (SheetField | null)[]

/** Accepted headings, in lower case. */
const HEADINGS: Readonly<Record<SheetField, readonly string[]>> = {
  name: ['question', 'question text', 'text', 'title', 'label', 'name', 'description', 'question name'],
  answer_type: ['answer type', 'type', 'kind', 'format', 'question format', 'variable type'],
  options: ['answers', 'options', 'values', 'choices', 'responses', 'labels', 'value labels', 'answer options', 'codes'],
  vendor_key: ['vendor key', 'key', 'variable', 'id', 'question id', 'code', 'qid', 'column', 'variable name'],
  question_type: ['question type', 'section', 'group'],
}
const fieldOf = (heading: string): SheetField | null =>
  SHEET_FIELDS.find((field) =>
    HEADINGS[field].includes(
      heading
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, ' '),
    ),
  ) ?? null

/** Splits text into cells by tabs, or else commas or semicolons; quoted cells may contain line breaks. */
export function gridOf(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, '')
  const first = clean.split(/\r?\n/, 1)[0] ?? ''
  const count = (sign: string) => first.split(sign).length
  const separator = first.includes('\t') ? '\t' : count(';') > count(',') ? ';' : ','
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const endCell = () => {
    rows.at(-1)!.push(cell)
    cell = ''
  }
  for (let at = 0; at < clean.length; at++) {
    const sign = clean[at]!
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (clean[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) endCell()
    else if (sign === '\n') {
      endCell()
      rows.push([])
    } else if (sign !== '\r') cell += sign
  }
  endCell()
  return rows.filter((row) => row.some((one) => one.trim()))
}

/** Recognizes columns by headings, or else by their cells; `headed` tells whether the first row has headings. */
export function columnsOf(grid: readonly (readonly string[])[]): { columns: SheetColumns; headed: boolean } {
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0)
  const headings = Array.from({ length: width }, (_, at) => grid[0]?.[at] ?? '')
  // Next to an "Answer type", a plain "Type" is the question type, which is how our own exports are read back.
  const typed = headings.some((heading) => /^answer[\s_-]type$/i.test(heading.trim()))
  const named = headings.map((heading) => (typed && /^type$/i.test(heading.trim()) ? 'question_type' : fieldOf(heading)))
  const once = named.map((field, at) => (field !== null && named.indexOf(field) === at ? field : null))
  if (once.includes('name')) return { columns: once, headed: true }
  const share = (at: number, holds: (cell: string) => boolean) => {
    const cells = grid.map((row) => (row[at] ?? '').trim()).filter(Boolean)
    return cells.length ? cells.filter(holds).length / cells.length : 0
  }
  const left = new Set(Array.from({ length: width }, (_, at) => at))
  const columns: (SheetField | null)[] = Array.from({ length: width }, () => null)
  const take = (field: SheetField, score: (at: number) => number, least: number) => {
    const [best] = [...left].sort((a, b) => score(b) - score(a) || a - b)
    if (best === undefined || score(best) < least) return
    columns[best] = field
    left.delete(best)
  }
  const length = (at: number) => grid.reduce((sum, row) => sum + (row[at] ?? '').length, 0)
  take('answer_type', (at) => share(at, (cell) => answerTypeOf(cell) !== undefined), 0.6)
  take('question_type', (at) => share(at, (cell) => questionTypeOf(cell) !== undefined), 0.6)
  take('options', (at) => share(at, (cell) => splitOptions(cell).length > 1), 0.3)
  take('name', length, 1)
  take('vendor_key', (at) => share(at, (cell) => /^[\w.-]{1,40}$/.test(cell)), 0.8)
  return { columns, headed: false }
}

/** A row of a sheet before its words are interpreted. */
export interface SheetRow {
  name?: string | undefined
  question_type?: string | undefined
  answer_type?: string | undefined
  options?: string | readonly string[] | undefined
  vendor_key?: string | undefined
}

/** Returns the rows of a grid by field, without the headings. */
export const rowsOf = (grid: readonly (readonly string[])[], columns: SheetColumns, headed: boolean): SheetRow[] =>
  grid
    .slice(headed ? 1 : 0)
    .map((cells) => Object.fromEntries(columns.flatMap((field, at) => (field ? [[field, (cells[at] ?? '').trim()]] : []))))

/** Turns a row into a question, with what is wrong by field. */
function draftOf(row: SheetRow, usual: QuestionType = 'survey') {
  const faults: QuestionFaults & Partial<Record<'answer_type' | 'question_type', string>> = {}
  const listed = row.options
  const options = typeof listed === 'string' ? splitOptions(listed) : (listed ?? []).map((option) => option.trim())
  const typed = row.answer_type?.trim() ?? ''
  const known = typed ? answerTypeOf(typed) : undefined
  const answer_type: AnswerType = known ?? (options.length ? 'single' : 'open')
  if (typed && !known) faults.answer_type = `“${typed.slice(0, 40)}” isn’t an answer type: Single, Multiple, Number or Open.`
  const kind = row.question_type?.trim() ?? ''
  const question_type = kind ? questionTypeOf(kind) : usual
  if (!question_type) faults.question_type = `“${kind.slice(0, 40)}” isn’t a question type: Survey, Profile or Reward.`
  const draft: QuestionDraft & { vendor_key: string } = {
    name: (row.name ?? '').trim(),
    question_type: question_type ?? usual,
    answer_type,
    // Sheets often list codes for number and open questions; those aren't answers to choose from.
    options: isChosen(answer_type) ? options : [],
    vendor_key: (row.vendor_key ?? '').trim(),
  }
  return { draft, faults: { ...questionFaults(draft), ...faults } }
}

/** What is wrong with a row of a sheet; rows count from 1. */
export interface SheetFault {
  row: number
  field: string
  code: FieldCode
  message: string
}

/** The code of a fault: types have one kind of it, and a key that is right by itself is another row's. */
function codeOf(field: string, draft: QuestionDraft): FieldCode {
  if (field === 'answer_type' || field === 'question_type') return 'choice'
  if (field !== 'name' && field !== 'vendor_key') return 'invalid'
  const code = faultCode(questionFields[field], draft[field])
  return field === 'vendor_key' && (code === 'invalid' || code === 'required') ? 'taken' : code
}

/** Parses a sheet's rows into questions; repeated keys are errors too. */
export function draftsOf(rows: readonly SheetRow[], usual: QuestionType = 'survey') {
  const errors: SheetFault[] = []
  const keys = new Map<string, number>()
  const drafts = rows.map((row, at) => {
    const { draft, faults } = draftOf(row, usual)
    const first = draft.vendor_key ? keys.get(draft.vendor_key) : undefined
    if (first !== undefined) faults.vendor_key = `Row ${first} also has the key “${draft.vendor_key}”.`
    else if (draft.vendor_key) keys.set(draft.vendor_key, at + 1)
    for (const [field, message] of Object.entries(faults))
      errors.push({ row: at + 1, field, code: codeOf(field, draft), message })
    return draft
  })
  return { drafts, errors }
}
