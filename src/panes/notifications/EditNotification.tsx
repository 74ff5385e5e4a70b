import { useAtomValue } from 'jotai'
import type { Notification } from '../../../contract/notification.ts'
import { notificationFields } from '../../../contract/notificationFields.ts'
import { configAtom } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { RecordState } from '../shared/RecordState.tsx'
import { InboxLook, MailLook } from './NoticePreview.tsx'
import { notificationSubject } from './notificationSubject.ts'

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
  const form = useFieldForm('notification', notificationFields, { record: notification, saved: () => ({ leads: onDone }) })
  const { name, message, message_action, url } = form.values
  const looks = { name, message, action: { message_action: message_action as Notification['message_action'], url } }
  return (
    <FieldForm
      form={form}
      fields={notificationFields}
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
        { id: 'text', title: 'Text', fields: ['name', 'message'] },
        { id: 'action', title: 'Action', fields: ['message_action', 'url', 'custom'] },
      ]}
    />
  )
}
