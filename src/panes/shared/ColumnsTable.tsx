import { stripBidi } from '../../../contract/bidi.ts'
import { cx } from '../../ui/cx.ts'
import { Select } from '../../ui/Select.tsx'
import { FieldContext } from '../../ui/useField.ts'

/** A file's first rows, and for each column what it holds. */
export function ColumnsTable({
  caption,
  fields,
  file: { headings, columns, sample },
  onChange,
}: {
  caption: string
  /** The fields that a column can hold, with their labels. */
  fields: Readonly<Record<string, string>>
  file: {
    headings: readonly string[]
    columns: readonly string[]
    sample: readonly { line: number; cells: readonly string[] }[]
  }
  /** Called with the field of each column after a choice; a field is in one column. */
  onChange(columns: string[]): void
}) {
  const options = [{ value: '', label: 'Ignore' }, ...Object.entries(fields).map(([value, label]) => ({ value, label }))]
  const take = (at: number, field: string) =>
    onChange(columns.map((was, place) => (place === at ? field : was === field ? '' : was)))
  return (
    // Its controls have names of their own, also within a form's field.
    <FieldContext value={null}>
      <div className="overflow-x-auto rounded-md border border-line">
        <table className="w-full border-collapse text-left">
          <caption className="sr-only">{caption}</caption>
          <thead className="bg-sunken">
            <tr className="align-bottom">
              <th scope="col" className="w-12 px-2 py-1.5 text-meta font-medium text-muted">
                Line
              </th>
              {columns.map((field, at) => (
                <th key={at} scope="col" className="min-w-32 px-2 py-1.5 font-normal">
                  <span className="block truncate pb-1 text-meta font-medium text-muted" title={headings[at]}>
                    {headings[at]}
                  </span>
                  <Select
                    aria-label={`“${stripBidi(headings[at] ?? '')}” holds`}
                    value={field}
                    options={options}
                    onChange={(value) => take(at, value)}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.map(({ line, cells }) => (
              <tr key={line} className="border-t border-line">
                <td className="px-2 py-1 text-meta text-muted tabular-nums">{line}</td>
                {columns.map((field, at) => (
                  <td key={at} title={cells[at]} className={cx('max-w-64 truncate px-2 py-1', !field && 'text-faint')}>
                    <bdi>{cells[at]}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </FieldContext>
  )
}
