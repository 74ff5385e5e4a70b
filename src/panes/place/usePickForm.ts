import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, newAttempt } from '../../data/api.ts'
import { attentionAt, wasClicked } from '../../workspace/attention.ts'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { showFailure } from '../shared/form/useSmallForm.ts'

/** A form of pickers: faults show at the field, server errors in a dialog, and the selection is kept. */
export function usePickForm({
  dirty,
  fault,
  failed,
  send,
  discard,
}: {
  dirty: boolean
  /** Why it can't be sent yet, or null. */
  fault: string | null
  /** The title of the error dialog. */
  failed: string
  send(attempt: string, waits: () => boolean): Promise<void>
  discard(): void
}) {
  const { setDirty } = usePane()
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const attempt = useRef(newAttempt())
  const sending = useRef(false)
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  useEffect(() => {
    if (!fault) setError(null)
  }, [fault])
  const submit = async () => {
    if (sending.current) return
    if (fault) return setError(fault)
    sending.current = true
    setBusy(true)
    const waits = attentionAt(() => ref.current)
    const clicks = wasClicked()
    try {
      await send(attempt.current, waits)
      attempt.current = newAttempt()
    } catch (failure) {
      const body = failure instanceof ApiError ? failure.message : 'Something went wrong. Try again.'
      setError(body)
      void showFailure(failed, body, clicks && waits())
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  usePaneForm({ send: () => void submit(), discard })
  return {
    error,
    busy,
    form: {
      ref,
      noValidate: true as const,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
    },
  }
}
