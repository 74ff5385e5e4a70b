import { useEffect } from 'react'
import { MESSAGES } from '../../contract/messages.ts'
import { api } from '../data/client.ts'
import { store } from '../data/store.ts'
import { href } from '../routes.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { ErrorState } from '../ui/States.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { usePane } from '../workspace/pane.tsx'
import { toldAtom } from '../workspace/runner/state.ts'
import { useSmallForm } from './form/useSmallForm.ts'

/** Adds a client; its success dialog leads to the clients (people-area 2). */
export default function NewClientPane() {
  const { setDirty, go } = usePane()
  const { bind, errors, busy, trouble, form, reset, dirty } = useSmallForm({
    initial: { name: '' },
    check: ({ name }): { name?: string } => (name.trim() ? {} : { name: MESSAGES.clientName }),
    async send({ name }, attempt) {
      const { data, message } = await api.write('client.create', { name }, { attempt })
      reset({ name: '' })
      setDirty(false)
      store.set(toldAtom, {
        kind: 'dialog',
        title: message,
        body: `${data.name} is there. Invite its users, and request its first project.`,
        onOk: () => go(href('clients')),
      })
    },
  })
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  return (
    <div className="max-w-xl px-4 pt-3 pb-8">
      <h1 className="text-title">New client</h1>
      <form {...form} data-fill-in="" aria-label="New client" className="mt-4 flex flex-col gap-4">
        <Field label="Client name" required error={errors.name ?? null} hint="As it is written on quotes and reports.">
          <TextInput {...bind('name')} autoComplete="organization" />
        </Field>
        {trouble && (
          <ErrorState
            className="px-0 py-0"
            title="The client could not be added"
            {...(trouble.requestId ? { detail: trouble.requestId } : {})}
          >
            {trouble.message}
          </ErrorState>
        )}
        <Button type="submit" variant="primary" busy={busy} kbd="Enter" className="self-start">
          Add the client
        </Button>
      </form>
    </div>
  )
}
