import { stripBidi } from '../../../contract/bidi.ts'
import { commaNote, type Delimiter, type Encoding, encodingNote, ignoredNote } from '../../../contract/importWords.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'

const DELIMITERS = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe' },
] as const
const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252' },
  { value: 'utf-16le', label: 'UTF-16' },
  { value: 'utf-16be', label: 'UTF-16, big-endian' },
] as const

interface Taken {
  sheet: string
  delimiter: string
  encoding: string
  heading_line: number
}
/** A change of how a file is read. */
export type ReadingChange = Partial<{ sheet: string; delimiter: Delimiter; encoding: Encoding; heading_line: number }>

/** What was taken for a file's sheet, delimiter, encoding and headings, each to be changed. */
export function FileReading({
  taken: { sheet, delimiter, encoding, heading_line },
  sheets = [],
  head,
  onChange,
}: {
  taken: Taken
  sheets?: readonly string[]
  head: readonly { line: number; text: string }[]
  onChange: (change: ReadingChange) => void
}) {
  const lines =
    head.some(({ line }) => line === heading_line) || !heading_line ? head : [...head, { line: heading_line, text: '' }]
  return (
    <>
      {sheets.length > 1 && (
        <Field label="Sheet" className="w-48 max-w-full">
          <Select
            value={sheet}
            onChange={(one) => onChange({ sheet: one })}
            options={sheets.map((one) => ({ value: one, label: stripBidi(one) }))}
          />
        </Field>
      )}
      <Field label="Headings" className="w-64 max-w-full">
        <Select
          value={String(heading_line)}
          onChange={(line) => onChange({ heading_line: Number(line) })}
          options={[
            { value: '0', label: 'None' },
            ...lines.map(({ line, text }) => ({ value: String(line), label: stripBidi(`Line ${line}: ${text}`) })),
          ]}
        />
      </Field>
      {delimiter !== '' && (
        <Field label="Delimiter" className="w-36 max-w-full">
          <Select value={delimiter as Delimiter} onChange={(one) => onChange({ delimiter: one })} options={DELIMITERS} />
        </Field>
      )}
      {encoding !== '' && (
        <Field label="Encoding" className="w-44 max-w-full">
          <Select value={encoding as Encoding} onChange={(one) => onChange({ encoding: one })} options={ENCODINGS} />
        </Field>
      )}
    </>
  )
}

/** What a check says about how its file was read, beside the figures. */
export function ReadingNotes({
  check: { decimal_commas, other_encoding, ignored_columns },
}: {
  check: { decimal_commas: string[]; other_encoding: { lines: number; first: number[] }; ignored_columns: string[] }
}) {
  const notes = [commaNote(decimal_commas), encodingNote(other_encoding), ignoredNote(ignored_columns)].filter(Boolean)
  if (!notes.length) return null
  return (
    <ul className="mt-2 max-w-3xl text-muted">
      {notes.map((note) => (
        <li key={note}>{stripBidi(note.trim())}</li>
      ))}
    </ul>
  )
}
