import { useState } from 'react'
import { count, counted } from '../../../contract/format.ts'
import { Button } from '../../ui/Button.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { readVenues, VENUE_LABELS, type Venue } from './venueFile.ts'

const PREVIEW = 5
/** The number of errors listed. */
const MOST_ERRORS = 20
const FIELDS = Object.keys(VENUE_LABELS) as (keyof Venue)[]

/** Venues from a CSV or XLSX file: its columns, its first rows, and the skipped lines. */
export function Venues({
  value,
  onChange,
  areas,
}: {
  value: readonly Venue[]
  onChange(venues: Venue[]): void
  /** Known market area codes; undefined while they load. */
  areas: ReadonlySet<number> | undefined
}) {
  const [read, setRead] = useState<{
    name: string
    bytes: number
    error?: string
    ignored: readonly string[]
    errors: readonly { line: number; message: string }[]
  } | null>(null)
  const add = async ([file]: File[]) => {
    if (!file) return
    const { name, size: bytes } = file
    try {
      const { venues, columns, errors } = await readVenues(file, areas)
      setRead({ name, bytes, errors, ignored: columns.flatMap(({ heading, as }) => (as || !heading ? [] : [heading])) })
      onChange(venues)
    } catch (error) {
      setRead({ name, bytes, error: (error as Error).message, errors: [], ignored: [] })
      onChange([])
    }
  }
  const clear = () => {
    setRead(null)
    onChange([])
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <FileDrop
        files={
          read
            ? [
                {
                  id: 'venues',
                  name: read.name,
                  bytes: read.bytes,
                  ...(read.error ? { error: read.error, lasts: true as const } : {}),
                },
              ]
            : []
        }
        onAdd={(files) => void add(files)}
        onRemove={clear}
        accept=".csv,.xlsx,.txt"
        multiple={false}
        label="Choose a CSV or XLSX file, or drop it here"
        hint="The first line names the columns: Code, Name, Address, Latitude, Longitude, DMA."
      />
      {value.length > 0 && (
        <>
          <p role="status" className="flex flex-wrap items-center gap-x-3 text-meta text-muted">
            <span>
              {counted(value.length, 'venue')}
              {value.length > PREVIEW && `, the first ${PREVIEW} below`}
              {read?.ignored.length ? `. Ignored: ${read.ignored.join(', ')}` : ''}
            </span>
            {!read && (
              <Button variant="ghost" data-view="" onClick={clear}>
                Remove all
              </Button>
            )}
          </p>
          <div className="overflow-x-auto rounded-md border border-line">
            <table className="w-full text-left text-meta">
              <caption className="sr-only">First venues of the file</caption>
              <thead className="text-muted">
                <tr>
                  {FIELDS.map((field) => (
                    <th key={field} scope="col" className="px-2 py-1 font-medium">
                      {VENUE_LABELS[field]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {value.slice(0, PREVIEW).map((venue) => (
                  <tr key={venue.code} className="border-t border-line">
                    {FIELDS.map((field) => (
                      <td key={field} className="max-w-56 truncate px-2 py-1 tabular-nums">
                        {venue[field] ?? <span className="text-faint">–</span>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {read && read.errors.length > 0 && (
        <div role="status" className="rounded-md bg-amber-wash px-3 py-2 text-amber-ink">
          <p className="font-medium">{`${counted(read.errors.length, 'line')} with errors ${read.errors.length === 1 ? 'is' : 'are'} skipped`}</p>
          <ul className="mt-1">
            {read.errors.slice(0, MOST_ERRORS).map(({ line, message }) => (
              <li key={line}>
                Line {count(line)}: {message}
              </li>
            ))}
            {read.errors.length > MOST_ERRORS && <li>and {count(read.errors.length - MOST_ERRORS)} more</li>}
          </ul>
        </div>
      )}
    </div>
  )
}
