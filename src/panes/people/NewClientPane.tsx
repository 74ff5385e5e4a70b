import { clientFields } from '../../../contract/clientFields.ts'
import { inputOf } from '../../../contract/fieldKinds.ts'
import { noticeOf } from '../../commands/words.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { api } from '../../data/apiClient.ts'
import { href } from '../../routing/routes.ts'
import { present, resultOpening } from '../../runner/present.ts'
import { usePane } from '../../workspace/pane.tsx'
import { SmallField } from '../shared/form/SmallField.tsx'
import { SubmitButton } from '../shared/form/SubmitButton.tsx'
import { useSmallFieldForm } from '../shared/form/useSmallFieldForm.ts'

/** Adds a client; the success dialog leads to the list of clients (people-area 2). */
export default function NewClientPane() {
  const { go } = usePane()
  const small = useSmallFieldForm(clientFields, {
    failed: 'The client couldn’t be added',
    async send(values, attempt, waits) {
      const { data, message } = await api.write('client.create', inputOf(clientFields, values), { attempt })
      reset({ name: '' })
      const body = `${noticeOf('client.create', { name: data.name, noun: 'client' })}. Next, invite its users and request its first project.`
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
  const { busy, serverError, form, reset } = small
  return (
    <div className="max-w-xl px-4 pt-3 pb-8">
      <h1 className="text-head">New client</h1>
      <form {...form} data-fill-in="" aria-label="New client" className="mt-4 flex flex-col gap-4">
        <SmallField form={small} field={clientFields.name} name="name" autoComplete="organization" />
        {serverError && <AnswerError title="The client couldn’t be added" error={serverError} className="px-0 py-0" />}
        <SubmitButton busy={busy} kbd="Enter" className="self-start">
          Add client
        </SubmitButton>
      </form>
    </div>
  )
}
