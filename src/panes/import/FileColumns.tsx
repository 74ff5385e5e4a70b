import { useEffect, useRef, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { faultOf, mostOf, shortLabelsOf } from '../../../contract/fieldKinds.ts'
import { count, counted } from '../../../contract/format.ts'
import { groupFields } from '../../../contract/groupFields.ts'
import { locationColumns } from '../../../contract/importFields.ts'
import { ApiError, newAttempt } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { whenEnded } from '../../runner/followJob.ts'
import { present, resultOpening } from '../../runner/present.ts'
import { post } from '../../runner/undo.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { announce } from '../../workspace/announce.ts'
import { attention } from '../../workspace/attention.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { MainAction } from '../../workspace/MainAction.tsx'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { ColumnsTable } from '../shared/ColumnsTable.tsx'
import { Figures } from '../shared/Figures.tsx'
import { FileReading, type ReadingChange, ReadingNotes } from '../shared/FileReading.tsx'
import { fileSubject, type LocationFile } from './fileSubject.ts'

const LABELS = shortLabelsOf(locationColumns)

interface Same {
  message: string
  group_id: number | null
}

/**
 * Announces the end of an import once: a dialog if the user is still waiting for it, otherwise a notice.
 * With errors the user stays with them, and the notice leads to the group.
 */
function announceEnd(result: Readonly<Record<string, string | number>>, makes: boolean, waits: () => boolean): void {
  const failed = Number(result.failed)
  const locations = counted(Number(result.created) + Number(result.reused), 'location')
  const sentence = `“${result.name}”: ${locations}${failed ? `, ${counted(failed, 'error')}` : ''}`
  const go = () => workspace.open(href('group', { id: Number(result.group_id) }, { tab: 'locations' }))
  const title = makes ? 'Location Group created' : 'Locations added'
  const dialog = resultOpening({ kind: 'dialog', title, body: sentence, onOk: go })
  present(() => failed === 0 && waits(), dialog, sentence, { leads: go, ...(failed ? {} : { tone: 'good' as const }) })
}

/** What the check of the whole file found, for who hears it: "12 rows: 10 new, 2 errors." */
function wordsOf({ rows, created, reused, repeated, failed, approximate, no_position, doubtful }: Checked): string {
  const parts = [
    `${count(created)} new`,
    reused > 0 && `${count(reused)} already known`,
    repeated > 0 && counted(repeated, 'repeat'),
    failed > 0 && counted(failed, 'error'),
    approximate > 0 && `${count(approximate)} approximate`,
    no_position > 0 && `${count(no_position)} without a position`,
    doubtful > 0 && `${count(doubtful)} doubtful`,
  ]
  return `${counted(rows, 'row')}: ${parts.filter(Boolean).join(', ')}.`
}
type Checked = Output<'import.check'>['data']

/** Step 1: parsing options, column mapping, and a preview of what the whole file would create. */
export function FileColumns({ file }: { file: LocationFile }) {
  const { go } = usePane()
  const keys = useKeys()
  const preview = file.preview!
  const [name, setName] = useState(file.name)
  const [busy, setBusy] = useState(false)
  const [serverError, setServerError] = useState<string | null>(file.status === 'failed' ? file.error : null)
  const [same, setSame] = useState<Same | null>(null)
  const attempt = useRef(newAttempt())
  const check = useCall('import.check', { id: file.id })
  const found = check.data?.data
  const fresh = !check.refreshing && !check.stale
  const checked = found && fresh ? wordsOf(found) : null
  useEffect(() => {
    if (checked) announce(() => checked)
  }, [checked])

  const save = async (patch: ReadingChange & { mapping?: string[]; name?: string }) => {
    setServerError(null)
    const steps: number[] = []
    try {
      await api.write(
        'import.map',
        { id: file.id, lock_version: file.lock_version, ...patch },
        { attempt: newAttempt(), undoable: (id) => void steps.push(id) },
      )
      post({ title: 'Change the columns', subjects: [fileSubject(file)] }, { steps })
    } catch (error) {
      setServerError(error instanceof Error ? error.message : 'The columns couldn’t be saved.')
      throw error
    }
  }
  const change = (patch: Parameters<typeof save>[0]) => void save(patch).catch(() => {})

  const blocked = preview.columns.includes('address') ? null : 'Choose the column that holds the address.'
  const noName = file.group_id === null ? faultOf(groupFields.name, name) : null
  const run = async (again = false) => {
    if (busy || blocked || noName) return
    setBusy(true)
    setServerError(null)
    setSame(null)
    const waits = attention()
    try {
      if (name.trim() !== file.name && file.group_id === null) await save({ name: name.trim() })
      const { data } = await api.write('import.run', { id: file.id, again }, { attempt: attempt.current })
      attempt.current = newAttempt()
      whenEnded(data.job_id!, ([job]) => announceEnd(job!.result, file.group_id === null, waits))
    } catch (error) {
      const failure = error instanceof ApiError ? error : null
      if (failure?.status !== 0) attempt.current = newAttempt()
      if (failure?.code === 'same_file')
        setSame({ message: failure.message, group_id: (failure.more.group_id as number | null | undefined) ?? null })
      else setServerError(failure?.message ?? 'The file couldn’t be processed.')
    } finally {
      setBusy(false)
    }
  }
  usePaneForm({ send: () => void run(), discard: () => {} })
  useEffect(() => setName(file.name), [file.name])

  return (
    <form aria-label="Columns" noValidate onSubmit={(event) => event.preventDefault()} className="px-4 pt-3 pb-10">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        {file.group_id === null && (
          <Field label={groupFields.name.label} required error={noName} className="w-64">
            <TextInput value={name} onChange={setName} maxLength={mostOf(groupFields.name)} autoComplete="off" />
          </Field>
        )}
        <FileReading taken={preview} sheets={preview.sheets} head={preview.head} onChange={change} />
      </div>
      {serverError && (
        <p role="alert" className="mt-3 text-red-ink">
          {serverError}
        </p>
      )}
      {same && (
        <div role="alert" className="mt-3 flex flex-wrap items-center gap-2 rounded-md bg-amber-wash px-3 py-2 text-amber-ink">
          <Mark shape="triangle" />
          <span className="mr-2">{same.message}</span>
          {same.group_id !== null && (
            <Button data-view="" onClick={() => go(href('group', { id: same.group_id! }, { tab: 'locations' }), 'tab')}>
              Go there
            </Button>
          )}
          <Button onClick={() => void run(true)}>Process again</Button>
        </div>
      )}
      <section aria-label="Preview of the whole file" className="mt-4">
        {blocked ? (
          <p role="alert" className="flex items-center gap-2 text-red-ink">
            <Mark shape="cross" />
            {blocked}
          </p>
        ) : found ? (
          <div className={cx(!fresh && 'opacity-50')} aria-busy={!fresh}>
            <Figures
              label="The whole file"
              figures={[
                ['Rows', found.rows],
                ['New', found.created],
                ['Already known', found.reused],
                ['Repeats', found.repeated],
                ['Errors', found.failed, found.failed > 0 ? 'bad' : undefined],
                ['Approximate', found.approximate, found.approximate > 0 ? 'near' : undefined],
                ['No position', found.no_position, found.no_position > 0 ? 'near' : undefined],
                ['Doubtful', found.doubtful, found.doubtful > 0 ? 'near' : undefined],
              ]}
            />
            <ReadingNotes check={found} />
            {found.doubts.length > 0 && (
              <details className="mt-2">
                <summary className="cursor-default text-meta text-muted">
                  {counted(found.doubtful, 'line')} {found.doubtful === 1 ? 'has' : 'have'} doubtful coordinates. They aren’t
                  used.
                </summary>
                <ul className="mt-1.5 max-w-3xl divide-y divide-line border-y border-line text-meta">
                  {found.doubts.map((doubt) => (
                    <li key={doubt.line} className="flex gap-3 py-1">
                      <span className="w-20 shrink-0 text-muted tabular-nums">Line {doubt.line}</span>
                      <span>{doubt.message}</span>
                    </li>
                  ))}
                </ul>
              </details>
            )}
            {found.errors.length > 0 && (
              <details className="mt-2">
                <summary className="cursor-default text-meta text-muted">
                  {counted(found.failed, 'line')} can’t be read and will be skipped. Correct {found.failed === 1 ? 'it' : 'them'}{' '}
                  and upload {found.failed === 1 ? 'it' : 'them'} again.
                </summary>
                <ul className="mt-1.5 max-w-3xl divide-y divide-line border-y border-line text-meta">
                  {found.errors.map((error) => (
                    <li key={`${error.line} ${error.column}`} className="flex gap-3 py-1">
                      <span className="w-20 shrink-0 text-muted tabular-nums">Line {error.line}</span>
                      <span className="text-red-ink">{error.message}</span>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        ) : (
          <p role="status" className="text-muted">
            {check.error ? check.error.message : 'Checking the whole file…'}
          </p>
        )}
      </section>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <MainAction>
          <Button
            variant="primary"
            busy={busy}
            reason={blocked ? 'Choose the column that holds the address.' : noName}
            data-command="form.send"
            kbd={keys('form.send') ?? undefined}
            onClick={() => void run()}
          >
            {found && !blocked ? `Import ${counted(found.created + found.reused, 'location')}` : 'Import'}
          </Button>
        </MainAction>
      </div>
      <div className="mt-4">
        <ColumnsTable
          caption={`First lines of ${file.file_name}`}
          fields={LABELS}
          file={preview}
          onChange={(mapping) => change({ mapping })}
        />
      </div>
    </form>
  )
}
