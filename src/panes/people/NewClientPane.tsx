import { useEffect } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { api } from '../../data/apiClient.ts'
import { href } from '../../routing/routes.ts'
import { present, resultOpening } from '../../runner/present.ts'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { SubmitButton } from '../shared/form/SubmitButton.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'

/** Adds a client; the success dialog leads to the list of clients (people-area 2). */
export default function NewClientPane() {
  const { setDirty, go } = usePane()
  const { bind, errors, busy, serverError, form, reset, dirty } = useSmallForm({
    initial: { name: '' },
    failed: 'The client couldn’t be added',
    check: ({ name }): { name?: string } => (name.trim() ? {} : { name: MESSAGES.clientName }),
    async send({ name }, attempt, waits) {
      const { data, message } = await api.write('client.create', { name }, { attempt })
      reset({ name: '' })
      const body = `Client “${data.name}” added. Next, invite its users and request its first project.`
      present(
        waits,
        resultOpening({ kind: 'dialog', title: message, body, onOk: () => go(href('clients')) }),
        `${message}: ${data.name}`,
        {
          tone: 'good',
        },
      )
    },
  })
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  return (
    <div className="max-w-xl px-4 pt-3 pb-8">
      <h1 className="text-title">New client</h1>
      <form {...form} data-fill-in="" aria-label="New client" className="mt-4 flex flex-col gap-4">
        <Field label="Client name" required error={errors.name ?? null} hint="As it appears on quotes and reports.">
          <TextInput {...bind('name')} autoComplete="organization" />
        </Field>
        {serverError && <AnswerError title="The client couldn’t be added" error={serverError} className="px-0 py-0" />}
        <SubmitButton busy={busy} kbd="Enter" className="self-start">
          Add client
        </SubmitButton>
      </form>
    </div>
  )
}
