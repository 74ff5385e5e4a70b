import { useEffect, useRef, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { shortLabelsOf } from '../../../contract/fieldKinds.ts'
import { count, counted } from '../../../contract/format.ts'
import { type VenueField, venueColumns } from '../../../contract/importFields.ts'
import type { VenueCheck } from '../../../contract/service.ts'
import { api } from '../../data/apiClient.ts'
import { Button } from '../../ui/Button.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { ColumnsTable } from '../shared/ColumnsTable.tsx'
import { FileReading, type ReadingChange, ReadingNotes } from '../shared/FileReading.tsx'
import { FileLines } from '../shared/FileResult.tsx'

export type Venue = Output<'service.readVenues'>['data']['venues'][number]

const PREVIEW = 5
const LABELS = shortLabelsOf(venueColumns)
const FIELDS = Object.keys(venueColumns) as VenueField[]

/** What was changed of how a file is read; `mapping` is JSON of the field of each column. */
type Reading = ReadingChange & { mapping?: string }

interface Chosen {
  file: File
  reading: Reading
  /** The share that is sent while it is being read. */
  sent?: number
  check?: VenueCheck
  error?: string
}

/** Venues from a CSV or XLSX file, which the server reads: how it was read, its first venues, and lines with errors. */
export function Venues({
  value,
  onChange,
  onReading,
}: {
  value: readonly Venue[]
  onChange(venues: Venue[]): void
  /** Called with true when the server starts to read a file, and with false when that ends. */
  onReading(isReading: boolean): void
}) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const read = async (file: File, reading: Reading, check?: VenueCheck) => {
    stop.current?.abort()
    const mine = new AbortController()
    stop.current = mine
    onReading(true)
    const now: Chosen = { file, reading, ...(check && { check }) }
    setChosen({ ...now, sent: 0 })
    const form = new FormData()
    for (const [name, one] of Object.entries(reading)) form.append(name, String(one))
    form.append('file', file, file.name)
    try {
      const { data } = await api.upload('service.readVenues', form, {
        signal: mine.signal,
        onProgress: (sent) => stop.current === mine && setChosen({ ...now, sent }),
      })
      if (stop.current !== mine) return
      onReading(false)
      setChosen({ file, reading, check: data.check })
      onChange(data.venues)
    } catch (error) {
      if (stop.current !== mine || mine.signal.aborted) return
      onReading(false)
      setChosen({ ...now, error: (error as Error).message })
      onChange([])
    }
  }
  const clear = () => {
    stop.current?.abort()
    stop.current = null
    onReading(false)
    setChosen(null)
    onChange([])
  }
  const reread = (change: ReadingChange) => {
    if (!chosen) return
    const { heading_line: _, mapping: __, ...others } = chosen.reading
    // Another sheet, delimiter or encoding gives other lines, whose headings and columns are recognized again.
    void read(chosen.file, { ...others, ...change }, chosen.check)
  }
  const take = (columns: readonly string[]) => {
    if (!chosen?.check) return
    const { heading_line } = chosen.check.taken
    void read(chosen.file, { ...chosen.reading, heading_line, mapping: JSON.stringify(columns) }, chosen.check)
  }
  const check = chosen?.check
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <FileDrop
        files={
          chosen
            ? [
                {
                  id: 'venues',
                  name: chosen.file.name,
                  bytes: chosen.file.size,
                  ...(chosen.error ? { error: chosen.error } : {}),
                  ...(chosen.sent === undefined ? {} : { progress: chosen.sent }),
                },
              ]
            : []
        }
        onAdd={([file]) => {
          onChange([])
          if (file) void read(file, {})
        }}
        onRemove={clear}
        onRetry={() => chosen && void read(chosen.file, chosen.reading, chosen.check)}
        accept=".csv,.xlsx"
        multiple={false}
        label="Choose a CSV or XLSX file, or drop it here"
        hint="Its columns: Code, Name, Address, Latitude, Longitude, DMA."
      />
      {check && (
        <div aria-busy={chosen.sent !== undefined}>
          <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
            <FileReading taken={check.taken} sheets={check.sheets} head={check.head} onChange={reread} />
          </div>
          <ReadingNotes check={check} />
          {check.blocked && (
            <p role="alert" className="mt-2 text-red-ink">
              {check.blocked}
            </p>
          )}
          <div className="mt-3 text-meta">
            <ColumnsTable caption={`First lines of ${chosen.file.name}`} fields={LABELS} file={check} onChange={take} />
          </div>
        </div>
      )}
      {value.length > 0 && (
        <>
          <p role="status" className="flex flex-wrap items-center gap-x-3 text-meta text-muted">
            <span>
              {counted(value.length, 'venue')}
              {!check && value.length > PREVIEW && `, the first ${PREVIEW} below`}
            </span>
            {!chosen && (
              <Button variant="ghost" data-view="" onClick={clear}>
                Remove all
              </Button>
            )}
          </p>
          {!check && (
            <div className="overflow-x-auto rounded-md border border-line">
              <table className="w-full text-left text-meta">
                <caption className="sr-only">First venues of the file</caption>
                <thead className="text-muted">
                  <tr>
                    {FIELDS.map((field) => (
                      <th key={field} scope="col" className="px-2 py-1 font-medium">
                        {LABELS[field]}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {value.slice(0, PREVIEW).map((venue) => (
                    <tr key={venue.code} className="border-t border-line">
                      {FIELDS.map((field) => (
                        <td key={field} className="max-w-56 truncate px-2 py-1 tabular-nums">
                          <bdi>{venue[field] ?? <span className="text-faint">–</span>}</bdi>
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
      {check && check.failed > 0 && (
        <div>
          <p role="status" className="rounded-md bg-amber-wash px-3 py-2 font-medium text-amber-ink">
            {`${counted(check.failed, 'line')} with errors ${check.failed === 1 ? 'is' : 'are'} skipped`}
            {check.failed > check.errors.length && `, the first ${count(check.errors.length)} problems below`}
          </p>
          <div className="mt-1 max-h-96 overflow-y-auto">
            <FileLines label="Lines with errors" lines={check.errors.map((error) => ({ ...error, kind: 'error' as const }))} />
          </div>
        </div>
      )}
    </div>
  )
}
