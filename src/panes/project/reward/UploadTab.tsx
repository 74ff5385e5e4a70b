import { useEffect, useRef, useState } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { shortLabelsOf } from '../../../../contract/fieldKinds.ts'
import { count, dollars } from '../../../../contract/format.ts'
import { rewardColumns } from '../../../../contract/importFields.ts'
import { MESSAGES } from '../../../../contract/messages.ts'
import type { UploadColumn } from '../../../../contract/rewardImport.ts'
import type { Subject } from '../../../commands/subject.ts'
import { ApiError, newAttempt } from '../../../data/api.ts'
import { api } from '../../../data/apiClient.ts'
import { toast } from '../../../runner/toast.tsx'
import { post } from '../../../runner/undo.ts'
import { useKeys } from '../../../runner/useCommands.ts'
import { Button } from '../../../ui/Button.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { Select } from '../../../ui/Select.tsx'
import { usePane, usePaneForm } from '../../../workspace/pane.tsx'
import { type Figure, Figures } from '../../shared/Figures.tsx'
import { FileReading, type ReadingChange, ReadingNotes } from '../../shared/FileReading.tsx'
import { FileLines } from '../../shared/FileResult.tsx'
import { EarlierUploads } from './EarlierUploads.tsx'
import { ShownUpload } from './ShownUpload.tsx'

type Check = Output<'reward.upload'>['data']['check']
type Column = Check['columns'][number]['as']

const MB = 1024 * 1024
const MOST_MB = 10
const LABELS = shortLabelsOf(rewardColumns)
const COLUMNS: readonly { value: Column; label: string }[] = [
  { value: '', label: 'Ignore' },
  ...(Object.entries(LABELS) as [UploadColumn, string][]).map(([value, label]) => ({ value, label })),
]
const SAMPLE = `${Object.values(LABELS).join()}\nmaya@example.test,5,$5 Gift card,Gift card,203.0.113.7,Wave 1\n`
const rows = (number: number, one: string, many: string) => `${count(number)} ${number === 1 ? one : many}`

/** Validates a file's type and size before upload. */
function faultOf(file: File): string | null {
  if (!/\.csv$/i.test(file.name)) return MESSAGES.fileType('csv')
  return file.size >= MOST_MB * MB ? MESSAGES.fileTooLarge(MOST_MB) : null
}

/** Says which column still needs to be chosen; null if none. */
function missing(mapping: readonly Column[]): string | null {
  if (!mapping.includes('email')) return 'Choose the column that holds the email.'
  return mapping.includes('amount') || mapping.includes('reward')
    ? null
    : 'Choose the column that holds the amount or the reward.'
}

/** Explains why no entry can be created from the file; null if some can. */
const none = ({ ready }: Check): string | null => (ready ? null : 'No entries can be created from this file.')

/** Summarizes: "480 pending entries, $3,910.00. Nothing is paid. 6 amounts can’t be paid: flagged." */
export function effectOf(check: Check): string {
  const repeats = check.repeated_in_file + check.repeated_in_project
  const flags = [
    check.unpayable && `${rows(check.unpayable, 'amount', 'amounts')} can’t be paid`,
    repeats && `${rows(repeats, 'address repeats', 'addresses repeat')}`,
  ].filter(Boolean)
  const flagged = flags.length ? ` ${flags.join(' and ')}: ${flags.length === 2 ? 'both are flagged' : 'flagged'}.` : ''
  return `${rows(check.ready, 'pending entry', 'pending entries')}, ${dollars(check.amount_cents)}. Nothing is paid.${flagged}`
}

/** Uploads rewards as CSV: check, map columns, create pending entries (screens-people-places-rewards.md). */
export function UploadTab({ projectId, setPart }: { projectId: number; setPart: (subject: Subject | null) => void }) {
  const { query, setQuery } = usePane()
  const shown = /^[1-9]\d{0,9}$/.test(query.upload ?? '') ? Number(query.upload) : null
  return (
    <div className="@container min-h-0 flex-1 overflow-y-auto px-4 pt-4 pb-10">
      <div className="flex max-w-5xl flex-col gap-6">
        {shown ? (
          <ShownUpload
            key={shown}
            id={shown}
            setSubject={setPart}
            onClose={() => setQuery({ upload: null, lines: null, page: null })}
          />
        ) : (
          <NewUpload projectId={projectId} onMade={(id) => setQuery({ upload: id })} />
        )}
        <EarlierUploads projectId={projectId} shown={shown} onShow={(id) => setQuery({ upload: id, lines: null, page: null })} />
      </div>
    </div>
  )
}

interface Checked {
  check: Check
  mapping: readonly Column[]
  /** What was changed of how the file is read. */
  reading: ReadingChange
  /** True if the mapping changed since the last check. */
  old?: true
}

function NewUpload({ projectId, onMade }: { projectId: number; onMade: (id: number) => void }) {
  const { setDirty } = usePane()
  const keys = useKeys()
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [busy, setBusy] = useState<'check' | 'send' | null>(null)
  const [sent, setSent] = useState(0)
  const [serverError, setServerError] = useState<ApiError | null>(null)
  const attempt = useRef(newAttempt())
  const stop = useRef<AbortController | null>(null)
  useEffect(() => setDirty(file !== null), [file, setDirty])
  useEffect(
    () => () => {
      setDirty(false)
      stop.current?.abort()
    },
    [setDirty],
  )

  const formOf = (chosen: File, mapping: readonly Column[] | null, reading: ReadingChange, more: Record<string, string>) => {
    const form = new FormData()
    form.append('project_id', String(projectId))
    for (const [name, value] of Object.entries(reading)) form.append(name, String(value))
    // Sent in column order, because headings may be empty or repeat.
    if (mapping) form.append('mapping', JSON.stringify(mapping))
    for (const [name, value] of Object.entries(more)) form.append(name, value)
    form.append('file', chosen, chosen.name)
    return form
  }
  const failed = (error: unknown) => {
    if (error instanceof DOMException) return
    setServerError(error instanceof ApiError ? error : new ApiError(0, 'broken', 'Something went wrong. Try again.'))
  }
  const look = async (chosen: File, mapping: readonly Column[] | null, reading: ReadingChange = {}) => {
    stop.current?.abort()
    const mine = new AbortController()
    stop.current = mine
    setBusy('check')
    setServerError(null)
    try {
      const { data } = await api.upload('reward.upload', formOf(chosen, mapping, reading, { dry: '1' }), {
        signal: mine.signal,
        onProgress: setSent,
      })
      setChecked({ check: data.check, mapping: data.check.columns.map(({ as }) => as), reading })
    } catch (error) {
      if (!mine.signal.aborted) failed(error)
    } finally {
      if (stop.current === mine) setBusy(null)
    }
  }
  const choose = (chosen: File) => {
    attempt.current = newAttempt()
    setChecked(null)
    setServerError(null)
    const wrong = faultOf(chosen)
    setFault(wrong)
    setFile(chosen)
    if (!wrong) void look(chosen, null)
  }
  const drop = () => {
    stop.current?.abort()
    setFile(null)
    setFault(null)
    setChecked(null)
    setServerError(null)
  }
  const remap = (at: number, as: Column) => {
    if (!checked || !file) return
    // Each field maps to one column, so the column that had it is now ignored.
    const mapping = checked.mapping.map((one, index) => (index === at ? as : as && one === as ? '' : one))
    attempt.current = newAttempt()
    setChecked({ ...checked, mapping, old: true })
    void look(file, mapping, checked.reading)
  }
  const reread = (change: ReadingChange) => {
    if (!checked || !file) return
    attempt.current = newAttempt()
    const { delimiter, encoding, heading_line } = { ...checked.reading, ...change }
    // Another delimiter or encoding gives other lines, whose headings are recognized again.
    const reading = {
      ...(delimiter && { delimiter }),
      ...(encoding && { encoding }),
      ...(change.heading_line !== undefined || (heading_line !== undefined && !change.delimiter && !change.encoding)
        ? { heading_line: heading_line! }
        : {}),
    }
    setChecked({ ...checked, reading, old: true })
    void look(file, null, reading)
  }
  /** Returns why it can't be sent now, or null. After a mapping change the file must be checked first. */
  const blockedReason = (): string | null => {
    if (!file) return 'Choose a CSV file first.'
    if (fault) return fault
    if (busy === 'send') return 'The file is uploading.'
    if (busy === 'check') return 'The file is still being checked.'
    if (!checked) return 'The file couldn’t be checked.'
    return missing(checked.mapping) ?? (checked.old ? 'Check the changed columns first.' : null) ?? none(checked.check)
  }
  const send = async (again = false) => {
    const why = blockedReason()
    if (why) return void toast(why, { tone: 'bad' })
    if (!file || !checked) return
    setBusy('send')
    setServerError(null)
    const steps: number[] = []
    try {
      const { data, message } = await api.upload(
        'reward.upload',
        formOf(file, checked.mapping, checked.reading, again ? { confirm_repeats: '1' } : {}),
        { attempt: attempt.current, undoable: (id) => void steps.push(id), onProgress: setSent },
      )
      if (steps.length) post({ title: `Upload “${file.name}”`, subjects: [] }, { steps })
      setDirty(false)
      setFile(null)
      void toast(message, { tone: 'good' })
      if (data.import_id) onMade(data.import_id)
    } catch (error) {
      // An error from the server ends the attempt; without a response, a retry reuses it.
      if (error instanceof ApiError && error.status !== 0) attempt.current = newAttempt()
      failed(error)
    } finally {
      setBusy(null)
    }
  }
  const why = blockedReason()
  usePaneForm({ send: () => void send(), discard: drop })

  return (
    <section aria-label="New upload" data-fill-in="" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="font-semibold">Upload people to reward</h2>
        <button type="button" data-view="" className="text-accent-ink underline-offset-2 hover:underline" onClick={saveSample}>
          Sample file
        </button>
      </div>
      <FileDrop
        files={
          file
            ? [
                {
                  id: 'file',
                  name: file.name,
                  bytes: file.size,
                  ...(fault ? { error: fault, lasts: true as const } : busy ? { progress: sent } : {}),
                },
              ]
            : []
        }
        onAdd={([first]) => first && choose(first)}
        onRemove={drop}
        accept=".csv"
        multiple={false}
        label="Choose a CSV file, or drop it here"
        hint={`One person per line, under ${MOST_MB} MB, up to 100,000 lines. Nothing is saved until you confirm.`}
      />
      {serverError && (
        <div
          role="alert"
          className="flex flex-wrap items-center gap-3 rounded-md border border-red bg-red-wash px-3 py-2 text-red-ink"
        >
          <span className="min-w-0 flex-1">{serverError.message}</span>
          {serverError.code === 'same_file' && checked ? (
            <Button onClick={() => void send(true)}>Upload again</Button>
          ) : (
            file &&
            !fault && <Button onClick={() => void look(file, checked?.mapping ?? null, checked?.reading)}>Try again</Button>
          )}
        </div>
      )}
      {busy === 'check' && !checked && <p className="text-muted">Checking every line…</p>}
      {checked && file && (
        <>
          <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
            <FileReading taken={checked.check.taken} head={checked.check.head} onChange={reread} />
          </div>
          <Columns checked={checked} onMap={remap} />
          <Summary check={checked.check} isOld={checked.old === true} />
          {checked.check.first.length > 0 && (
            <div className="max-h-96 overflow-y-auto">
              <FileLines label="Lines with problems" lines={checked.check.first} />
            </div>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <Button
              variant="primary"
              busy={busy === 'send'}
              reason={busy === 'send' ? null : why}
              data-command="form.send"
              kbd={keys('form.send') ?? undefined}
              onClick={() => void send()}
            >
              Create {rows(checked.check.ready, 'pending entry', 'pending entries')}
            </Button>
            <p className="min-w-0 flex-1 text-muted">{why ?? effectOf(checked.check)}</p>
          </div>
        </>
      )}
    </section>
  )
}

/** Maps the file's columns, above its first lines. */
function Columns({ checked: { check, mapping }, onMap }: { checked: Checked; onMap: (at: number, as: Column) => void }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <div tabIndex={0} className="overflow-x-auto rounded-md border border-line">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">Columns and first lines of the file</caption>
        <thead>
          <tr className="border-b border-line bg-surface">
            {check.columns.map(({ header }, at) => (
              <th key={at} scope="col" className="min-w-36 px-2.5 py-2 align-bottom font-normal">
                <span className="block truncate text-meta text-muted">{header || `Column ${at + 1}`}</span>
                <Select
                  aria-label={`${header || `Column ${at + 1}`} is`}
                  value={mapping[at] ?? ''}
                  onChange={(as) => onMap(at, as as Column)}
                  options={COLUMNS}
                  className="mt-1"
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {check.sample.slice(0, 5).map((cells, line) => (
            <tr key={line} className="border-b border-line last:border-b-0">
              {check.columns.map((_, at) => (
                <td key={at} className={`max-w-60 truncate px-2.5 py-1 ${mapping[at] ? '' : 'text-faint'}`}>
                  {cells[at] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Summary({ check, isOld }: { check: Check; isOld: boolean }) {
  const bad = (name: string, value: number, look: 'bad' | 'near'): Figure => [name, value, value ? look : undefined]
  return (
    <div aria-busy={isOld} className={isOld ? 'opacity-60' : ''}>
      <Figures
        label="Result of the check"
        figures={[
          ['Total', dollars(check.amount_cents)],
          ['Lines', check.rows],
          ['Will be created', check.ready],
          bad('Errors', check.failed, 'bad'),
          bad('Can’t be paid', check.unpayable, 'near'),
          bad('Repeats in the file', check.repeated_in_file, 'near'),
          bad('Repeats in the project', check.repeated_in_project, 'near'),
        ]}
      />
      <ReadingNotes check={check} />
    </div>
  )
}

/** Downloads the sample file. */
function saveSample(): void {
  const url = URL.createObjectURL(new Blob([SAMPLE], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'rewards-sample.csv' })
  link.click()
  URL.revokeObjectURL(url)
}
