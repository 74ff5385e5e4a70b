import { useState } from 'react'
import { count, showShare } from '../../../contract/format.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { Moment } from '../../list/nounColumns.tsx'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { RecordState } from '../shared/RecordState.tsx'
import { leadsTo } from './NoticePreview.tsx'
import { type NotificationRow, notificationSubject } from './notificationSubject.ts'

/** Shows one notification: its whole message, its actions and its readers. */
export function NotificationDetails({ id, onClose }: { id: number; onClose(): void }) {
  const answer = useCall('notification.get', { id }, { fresh: true })
  const notification = answer.data?.data
  if (!notification || answer.error)
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
  const subjects = [notificationSubject(notification)]
  const { status, custom } = notification
  return (
    <div className="flex flex-col gap-3 px-4 py-3.5">
      <header className="flex items-start gap-2">
        <h2 dir="auto" className="min-w-0 flex-1 text-title break-words">
          {notification.name}
        </h2>
        <Button variant="ghost" data-view="" onClick={onClose}>
          Close
        </Button>
      </header>
      <p dir="auto" className="max-w-prose break-words whitespace-pre-wrap">
        {notification.message}
      </p>
      <p className="text-meta text-muted">{leadsTo(notification)}</p>
      {custom && (
        <p className="min-w-0 text-meta text-muted">
          Custom: <code className="break-all">{custom}</code>
        </p>
      )}
      <div data-view="" className="flex flex-wrap gap-1.5">
        {status === 'sent' ? (
          <CommandButton id="notification.copy" subjects={subjects} />
        ) : (
          <>
            <CommandButton id="notification.send" subjects={subjects} variant="primary" />
            <CommandButton id="notification.edit" subjects={subjects} />
          </>
        )}
        <CommandButton id="notification.remove" subjects={subjects} variant="ghost" />
      </div>
      {status === 'sent' && <Readers key={id} notification={notification} />}
    </div>
  )
}

/** Lists recipients and when they read it, latest readers first, 10 a page. */
function Readers({ notification }: { notification: NotificationRow }) {
  const [page, setPage] = useState(1)
  const [search, setSearch] = useState('')
  const answer = useCall('notification.readers', { id: notification.id, page, search })
  const { audience, read_count, sent_at, by } = notification
  const readers = answer.data?.data ?? []
  return (
    <section aria-label="Readers" className="border-t border-line pt-3">
      <h3 className="font-semibold">Readers</h3>
      <p className="mt-0.5 text-meta text-muted tabular-nums">
        {count(read_count)} of {count(audience)} read it ({showShare(read_count, audience)}). Sent <Moment at={sent_at} />
        {by && ` by ${by}`}.
      </p>
      <SearchInput
        value={search}
        onChange={(text) => {
          setSearch(text)
          setPage(1)
        }}
        placeholder="Name or email"
        aria-label="Search readers"
        className="mt-2 max-w-80"
      />
      <AnswerState answer={answer} what="The readers" rows={4} />
      {answer.data && !readers.length && <EmptyState className="items-start! px-0! py-4! text-left!">Nobody matches.</EmptyState>}
      {readers.length > 0 && (
        <table className="mt-2 w-full table-fixed">
          <thead className="text-left text-meta text-muted">
            <tr>
              <th scope="col" className="py-1 font-medium">
                Name
              </th>
              <th scope="col" className="w-32 py-1 font-medium">
                Read at
              </th>
            </tr>
          </thead>
          <tbody>
            {readers.map((reader) => (
              <tr key={reader.user_id} className="border-t border-line">
                <td className="truncate py-1.5 pr-2" title={reader.email}>
                  <PaneLink to={href('usersInfo', {}, { query: { search: reader.user_id } })} className="hover:underline">
                    <bdi>{reader.name}</bdi>
                  </PaneLink>
                </td>
                <td className="py-1.5 whitespace-nowrap">
                  <Moment at={reader.read_at} none="not yet" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {answer.data && answer.data.count > 10 && (
        <Pager page={page} size={10} total={answer.data.count} onPage={setPage} most={5} />
      )}
    </section>
  )
}
