import { useCallback, useMemo, useRef, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { faultOf } from '../../../contract/fieldKinds.ts'
import { count, showShare } from '../../../contract/format.ts'
import { notificationFields } from '../../../contract/notificationFields.ts'
import { registerNotifications } from '../../commands/notificationController.ts'
import type { CommandId } from '../../commands/table.ts'
import { api } from '../../data/apiClient.ts'
import { writeFields } from '../../data/writeFields.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, type Looks, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { Pill } from '../../ui/Pill.tsx'
import { wait } from '../../ui/wait.ts'
import { usePane } from '../../workspace/pane.tsx'
import { useController } from '../../workspace/useController.ts'
import { EditNotification } from './EditNotification.tsx'
import { hostOf } from './NoticePreview.tsx'
import { NotificationDetails } from './NotificationDetails.tsx'
import { type NotificationRow, notificationSubject } from './notificationSubject.ts'

/** How long a row shows that it was just sent, in ms (people-area 9). */
const JUST_MS = 3000
const faint = <span className="text-faint">–</span>
const STATUS: Looks<NotificationRow['status']> = { draft: ['grey', 'ring'], sending: ['blue', 'dot'], sent: ['grey', 'tick'] }
const ACTION: Looks<NotificationRow['message_action']> = {
  map: ['green', 'diamond'],
  feed: ['blue', 'dot'],
  web: ['amber', 'ring'],
}

const refused = (row: NotificationRow): string | null => {
  const reason = row.refused_actions['notification.edit']
  return reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` : null
}
const fieldEdit = editsOf('notification', notificationFields)
const edit = (name: keyof typeof notificationFields) => ({ ...fieldEdit(name), refused })
/** A link makes the action Web, which requires one. */
const linkEdit = {
  ...edit('url'),
  async save({ id, lock_version }: NotificationRow, typed: string) {
    const fault = faultOf({ ...notificationFields.url, when: () => true }, typed)
    if (fault) throw new Error(fault)
    const input = { id, url: typed.trim(), message_action: 'web', lock_version }
    return (await writeFields(api, 'notification.edit', input)).data
  },
}

const columnsWith = (justSent: ReadonlySet<number>) =>
  columnsOf('notification', {
    name: { min: 180, flex: 2, priority: 15, edit: edit('name'), render: ({ name }) => <Name>{name}</Name> },
    message: {
      min: 180,
      flex: 3,
      priority: 9,
      narrow: 'hidden',
      edit: edit('message'),
      render: ({ message }) => <span className="truncate text-muted">{message.split('\n')[0]}</span>,
    },
    message_action: { width: 88, priority: 11, narrow: 'meta', looks: ACTION, edit: edit('message_action') },
    url: {
      min: 120,
      flex: 1,
      priority: 5,
      narrow: 'hidden',
      edit: linkEdit,
      render: ({ url }) =>
        url ? (
          <span className="truncate text-muted" title={url}>
            {hostOf(url) || url}
          </span>
        ) : (
          faint
        ),
    },
    notification_type: { width: 60, priority: 1, narrow: 'hidden' },
    status: {
      width: 104,
      priority: 14,
      narrow: 'aside',
      render: ({ id, status }) => {
        const [tone, shape] = justSent.has(id) ? (['green', 'tick'] as const) : STATUS[status]
        const word = { draft: 'Draft', sending: 'Sending', sent: 'Sent' }[status]
        return (
          <Pill tone={tone} shape={shape}>
            {word}
          </Pill>
        )
      },
    },
    sent_at: { width: 132, priority: 12, narrow: 'meta' },
    by: { width: 124, priority: 4, narrow: 'hidden' },
    audience: { width: 92, priority: 8, narrow: 'hidden', render: (row) => (row.audience ? count(row.audience) : faint) },
    read_count: {
      width: 108,
      priority: 10,
      narrow: 'meta',
      render: ({ audience, read_count }) =>
        audience ? (
          <>
            {count(read_count)} <span className="text-muted">· {showShare(read_count, audience)}</span>
            <span className="hidden in-data-narrow:inline"> read</span>
          </>
        ) : (
          faint
        ),
    },
    id: { width: 72, priority: 2, narrow: 'hidden' },
  })

const STATUSES = [
  { value: '', label: 'all' },
  { value: 'draft', label: 'Draft' },
  { value: 'sending', label: 'Sending' },
  { value: 'sent', label: 'Sent' },
] as const
const ACTIONS = [
  { value: '', label: 'all' },
  { value: 'map', label: 'Map' },
  { value: 'feed', label: 'Feed' },
  { value: 'web', label: 'Web' },
] as const
const BULK: readonly CommandId[] = ['notification.editField', 'notification.remove']
const valueIn = <V extends string>(among: readonly { readonly value: V }[], text: string): V =>
  among.find(({ value }) => value === text)?.value ?? among[0]!.value

/** Tracks notifications sent while the list is open, each for three seconds. */
function useJustSent() {
  const [just, setJust] = useState<ReadonlySet<number>>(new Set())
  const before = useRef(new Map<number, string>())
  const onAnswer = useCallback((answer: Output<'notification.list'>) => {
    const fresh = answer.data.filter(({ id, status }) => status === 'sent' && (before.current.get(id) ?? 'sent') !== 'sent')
    for (const { id, status } of answer.data) before.current.set(id, status)
    if (!fresh.length) return
    const ids = fresh.map(({ id }) => id)
    setJust((now) => new Set([...now, ...ids]))
    void wait(JUST_MS).then(() => setJust((now) => new Set([...now].filter((id) => !ids.includes(id)))))
  }, [])
  return { just, onAnswer }
}

/** Lists the notifications sent to everybody with an account (screens-people-places-rewards.md, Notifications). */
export default function NotificationsPane() {
  const { query, setQuery, active } = usePane()
  const list = useNounList('notification', {
    filters: { status: '', action: '' },
    where: ({ status, action }) => ({ status: valueIn(STATUSES, status), action: valueIn(ACTIONS, action) }),
  })
  const { just, onAnswer } = useJustSent()
  const columns = useMemo(() => columnsWith(just), [just])
  const [edited, opened] = [Number(query.edit) || null, Number(query.open) || null]
  useController(registerNotifications, {
    active: () => active,
    edit: (id) => setQuery({ edit: id, open: null }, { push: true }),
  })
  const { edit: _, open: __, ...state } = query
  const path = href('notifications', {}, { query: state })
  const hrefOf = useCallback((row: NotificationRow) => `${path}${path.includes('?') ? '&' : '?'}open=${row.id}`, [path])
  const close = useCallback(() => setQuery({ edit: null, open: null }), [setQuery])
  // Replaces the list, whose keys would act on its rows while the user types.
  if (edited) return <EditNotification key={edited} id={edited} onDone={close} />
  return (
    <div className="@container h-full">
      <div className="flex h-full flex-col @5xl:flex-row">
        <div className="min-h-0 min-w-0 flex-1">
          <ListScreen<NotificationRow>
            {...list}
            title="Notifications"
            columns={columns}
            subjectOf={notificationSubject}
            hrefOf={hrefOf}
            onAnswer={onAnswer as (answer: never) => void}
            at={opened}
            filters={[
              { name: 'status', label: 'Status', options: STATUSES },
              { name: 'action', label: 'Action', options: ACTIONS },
            ]}
            actions={['list.export', 'notification.create']}
            bulk={BULK}
            empty={{ sentence: 'No notifications yet.', command: 'notification.create' }}
          />
        </div>
        {opened !== null && (
          <aside
            aria-label="Notification"
            className="h-[48%] shrink-0 overflow-y-auto border-t border-line @5xl:h-auto @5xl:w-[26rem] @5xl:border-t-0 @5xl:border-l"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
            tabIndex={0}
          >
            <NotificationDetails key={opened} id={opened} onClose={close} />
          </aside>
        )}
      </div>
    </div>
  )
}
