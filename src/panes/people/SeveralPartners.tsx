import { useRef, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { ApiError, newAttempt } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { post } from '../../runner/undo.ts'
import { Button } from '../../ui/Button.tsx'
import { Mark } from '../../ui/Pill.tsx'
import type { PastedPartner } from './pastedPartners.ts'

interface Made {
  id: number
  name: string
}
const partners = (many: number) => `${count(many)} partner${many === 1 ? '' : 's'}`

/** Reviews pasted partners, then adds the valid ones one by one; a single undo removes them all. */
export function SeveralPartners({
  pasted,
  action,
  onMade,
  onCancel,
}: {
  pasted: readonly PastedPartner[]
  /** The end of the button's label, after "Add 3 partners". */
  action: string
  /** `refused` counts the rows that the server rejected; they stay here with their reasons. */
  onMade(made: readonly Made[], undoable: (id: number) => void, refused: number): Promise<void> | void
  onCancel(): void
}) {
  const [rows, setRows] = useState(pasted)
  const [busy, setBusy] = useState(false)
  const [serverError, setServerError] = useState('')
  const attempt = useRef(newAttempt())
  const good = rows.filter(({ fault }) => !fault)
  const left = rows.length - good.length
  const add = async () => {
    setBusy(true)
    setServerError('')
    const steps: number[] = []
    const undoable = (id: number) => void steps.push(id)
    const made: Made[] = []
    const refused: PastedPartner[] = []
    let untried: readonly PastedPartner[] = []
    for (const [at, { name, email }] of good.entries()) {
      try {
        const { data } = await api.write('partner.create', { name, email }, { attempt: attempt.current, undoable })
        made.push(data)
      } catch (error) {
        const { status = 0, message = 'Something went wrong' } = error instanceof ApiError ? error : {}
        if (status !== 0 && status !== 401) refused.push({ name, email, fault: message })
        else {
          // The server is unreachable: the rest can be sent again, and nothing is created twice.
          setServerError(message)
          untried = good.slice(at)
          break
        }
      }
    }
    const left = [...untried, ...refused]
    if (!untried.length) attempt.current = newAttempt()
    setRows(left)
    setBusy(false)
    if (made.length) {
      await onMade(made, undoable, left.length)
      const subjects = made.map(({ id, name }) => ({ kind: 'partner' as const, id, name }))
      post({ title: 'Add', subjects }, { steps })
    }
    if (!left.length) onCancel()
  }
  return (
    <section aria-label="Pasted partners" className="mt-4">
      <h2 className="font-semibold">{good.length ? `Add ${partners(good.length)}?` : 'No partner to add'}</h2>
      {left > 0 && (
        <p className="text-meta text-muted">{left === 1 ? '1 line is skipped.' : `${count(left)} lines are skipped.`}</p>
      )}
      <ul className="mt-2 max-h-96 divide-y divide-line overflow-y-auto border-y border-line">
        {rows.map(({ name, email, fault }, at) => (
          <li key={at} className="flex min-h-row flex-wrap items-center gap-x-3 px-1 py-1">
            <span className={fault ? 'text-red-ink' : 'text-green-ink'}>
              <Mark shape={fault ? 'cross' : 'tick'} />
              <span className="sr-only">{fault ? 'skipped' : 'added'}</span>
            </span>
            <bdi className="min-w-0 truncate font-medium">{name || '–'}</bdi>
            <span className="min-w-0 truncate text-muted">{email}</span>
            {fault && <span className="ml-auto text-meta text-red-ink">{fault}</span>}
          </li>
        ))}
      </ul>
      {serverError && (
        <p role="alert" className="mt-2 text-red-ink">
          {serverError}
        </p>
      )}
      <div className="mt-3 flex gap-2">
        {good.length > 0 && (
          // Focused, so that Enter confirms what was pasted.
          <Button autoFocus data-command="form.send" variant="primary" busy={busy} onClick={() => void add()}>
            Add {partners(good.length)}
            {action}
          </Button>
        )}
        <Button data-view="" onClick={onCancel}>
          {good.length ? 'Cancel' : 'Back to the form'}
        </Button>
      </div>
    </section>
  )
}
