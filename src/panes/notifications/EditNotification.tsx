import { useAtomValue } from 'jotai'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Notification } from '../../../contract/notification.ts'
import { api } from '../../data/apiClient.ts'
import { configAtom } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { TextArea, TextInput } from '../../ui/TextInput.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordState } from '../shared/RecordState.tsx'
import { InboxLook, MailLook } from './NoticePreview.tsx'
import { notificationSubject } from './notificationSubject.ts'

interface Values {
  name: string
  message: string
  message_action: Notification['message_action']
  url: string
  custom: string
  [field: string]: unknown
}
const LABELS = { name: 'Name', message: 'Message', message_action: 'Action', url: 'Link', custom: 'Custom' } as const
const ACTIONS = [
  { value: 'feed', label: 'Feed' },
  { value: 'map', label: 'Map' },
  { value: 'web', label: 'Web' },
] as const
const MOST = 2000

const RULES: FormRules<Values> = {
  schema: async () =>
    (await import('../../../contract/notification.ts')).notificationCalls['notification.create'].input.omit({
      notification_type: true,
    }),
  input: ({ url, ...values }) => ({ ...values, url: values.message_action === 'web' ? url : '' }),
  also: ({ message_action, url }) =>
    message_action === 'web' && !url.trim() ? { url: MESSAGES.notificationUrl } : ({} as Record<string, string>),
}

/** A row in edit mode: its fields, with inbox and email previews. */
export function EditNotification({ id, onDone }: { id: number; onDone(): void }) {
  const answer = useCall('notification.get', { id }, { fresh: true })
  const notification = answer.data?.data
  if (!notification)
    return (
      <RecordState
        answer={answer}
        record={{ noun: 'notification', id }}
        beside
        what={`Notification ${id}`}
        home={href('notifications')}
        homeTitle="notifications"
      />
    )
  const refused = notification.refused_actions['notification.edit']
  if (refused)
    return (
      <EmptyState
        action={
          <span data-view="" className="flex gap-1.5">
            <CommandButton id="notification.copy" subjects={[notificationSubject(notification)]} variant="primary" />
            <Button onClick={onDone}>Close</Button>
          </span>
        }
      >
        {refused[0]!.toUpperCase() + refused.slice(1)}.
      </EmptyState>
    )
  return <Form key={id} notification={notification} onDone={onDone} />
}

function Form({ notification, onDone }: { notification: Notification; onDone(): void }) {
  const { product } = useAtomValue(configAtom)
  const { name, message, message_action, url, custom } = notification
  const initial: Values = { name, message, message_action, url, custom }
  const form = useRecordForm<Values>({
    form: 'notification.edit',
    record: notification.id,
    initial,
    lock: notification.lock_version,
    labels: LABELS,
    rules: RULES,
    noun: 'notification',
    async save({ patch, lock }) {
      const { data, message } = await api.write('notification.edit', {
        id: notification.id,
        ...patch,
        ...(lock === undefined ? {} : { lock_version: lock }),
      })
      return { title: message, name: data.name, lock: data.lock_version, leads: onDone }
    },
  })
  const { values, control } = form
  const looks = { name: values.name, message: values.message, action: { message_action: values.message_action, url: values.url } }
  return (
    <RecordForm
      form={form}
      title="Edit notification"
      aside={<p className="text-meta text-muted">A draft. Nobody sees it until you send it.</p>}
      actions={
        <Button variant="ghost" data-view="" onClick={onDone}>
          Close
        </Button>
      }
      send="Save"
      beside={
        <section aria-label="Preview" className="flex min-w-0 flex-col gap-3">
          <h2 className="text-meta font-medium text-muted">As shown in the inbox and by email</h2>
          <InboxLook {...looks} />
          <MailLook {...looks} product={product} />
        </section>
      }
      sections={[
        {
          id: 'text',
          title: 'Text',
          fields: ['name', 'message'],
          children: (
            <>
              <FormField control={control} name="name" label={LABELS.name} required wide>
                {(bound) => <TextInput {...bound} maxLength={200} />}
              </FormField>
              <FormField
                control={control}
                name="message"
                label={LABELS.message}
                required
                wide
                hint={`${count(values.message.length)} of ${count(MOST)} characters`}
              >
                {(bound) => <TextArea {...bound} rows={4} maxLength={MOST} />}
              </FormField>
            </>
          ),
        },
        {
          id: 'action',
          title: 'Action',
          fields: ['message_action', 'url', 'custom'],
          children: (
            <>
              <FormField control={control} name="message_action" label={LABELS.message_action} group wide>
                {(bound) => <RadioGroup {...bound} options={ACTIONS} />}
              </FormField>
              {values.message_action === 'web' && (
                <FormField control={control} name="url" label={LABELS.url} required wide>
                  {(bound) => <TextInput {...bound} inputMode="url" placeholder="https://" autoComplete="off" />}
                </FormField>
              )}
              <FormField control={control} name="custom" label={LABELS.custom} wide hint="Text that only programs read.">
                {(bound) => <TextArea {...bound} rows={2} className="font-mono" />}
              </FormField>
            </>
          ),
        },
      ]}
    />
  )
}
