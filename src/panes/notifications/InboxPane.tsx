import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import { recordOf, type Subject, subjectAs } from '../../commands/subject.ts'
import type { CommandId } from '../../commands/table.ts'
import { onLive } from '../../data/live.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Moment, type RowOf } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { paneStateAtom, paneStateOf } from '../../workspace/paneState.ts'
import { hostOf, leadsTo } from './NoticePreview.tsx'

type Notice = RowOf<'notice'>

const WORDS = { map: 'Map', feed: 'Feed', web: 'Web' } as const
const columns = columnsOf('notice', {
  name: {
    min: 180,
    flex: 2,
    priority: 9,
    render: (row) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className={row.status === 'unread' ? 'text-accent-ink' : 'invisible'}>
          <Mark shape="dot" />
        </span>
        <span dir="auto" className={`min-w-0 truncate ${row.status === 'unread' ? 'font-semibold' : 'text-muted'}`}>
          {row.name}
        </span>
        <span className="sr-only">{row.status === 'unread' ? ' unread' : ''}</span>
      </span>
    ),
  },
  message: {
    min: 160,
    flex: 3,
    priority: 6,
    narrow: 'meta',
    render: (row) => <span className="truncate text-muted">{row.message.split('\n')[0]}</span>,
  },
  message_action: {
    min: 96,
    flex: 1,
    priority: 5,
    narrow: 'hidden',
    render: ({ message_action, url, kind }) => {
      const host = message_action === 'web' ? hostOf(url) : ''
      return (
        <span title={leadsTo({ message_action, url, kind })} className="truncate text-muted">
          {message_action === 'record' ? (kind === 'job' ? 'Job' : 'Project') : WORDS[message_action]}
          {host && ` · ${host}`}
        </span>
      )
    },
  },
  created_at: { width: 132, priority: 8, narrow: 'aside' },
})

const noticeSubject = subjectAs<Notice>('notice')
const SHOWN = [
  { value: '', label: 'all' },
  { value: 'unread', label: 'Unread' },
] as const
const BULK: readonly CommandId[] = ['notice.toggleRead']

type Chunks = ReadonlyMap<number, readonly Notice[]>
/** Keeps rows in place while the user reads: new ones appear on top, and read ones don't jump. */
function useSteadyOrder(key: string): (chunks: Chunks) => Chunks {
  const known = useRef({ key, ranks: new Map<number, number>(), newest: '' })
  if (known.current.key !== key) known.current = { key, ranks: new Map(), newest: '' }
  return useCallback((chunks: Chunks) => {
    const parts = [...chunks].sort(([a], [b]) => a - b)
    // With a page missing in between, positions don't tell ranks.
    if (parts.some(([page], index) => page !== index + 1)) return chunks
    const { ranks, newest } = known.current
    const rows = parts.flatMap(([, some]) => some)
    const fresh = rows.filter(({ id }) => !ranks.has(id))
    const above = fresh.filter(({ created_at }) => newest !== '' && created_at > newest)
    const [first, last] = [Math.min(0, ...ranks.values()), Math.max(-1, ...ranks.values())]
    for (const [at, { id }] of above.entries()) ranks.set(id, first - above.length + at)
    for (const [at, { id }] of fresh.filter((row) => !above.includes(row)).entries()) ranks.set(id, last + 1 + at)
    known.current.newest = [newest, ...rows.map(({ created_at }) => created_at)].sort().at(-1)!
    const ordered = rows.sort((a, b) => ranks.get(a.id)! - ranks.get(b.id)!)
    let from = 0
    return new Map(
      parts.map(([at, some]) => {
        const piece = ordered.slice(from, from + some.length)
        from += some.length
        return [at, piece]
      }),
    )
  }, [])
}

/** Lists the signed-in user's notifications (screens-people-places-rewards.md, Inbox). */
export default function InboxPane() {
  const { id } = usePane()
  const cursor = paneStateOf(useAtomValue(paneStateAtom), id).list?.cursor ?? null
  const list = useNounList('notice', {
    filters: { show: '' },
    where: ({ show }) => ({ unread: show === 'unread' }),
  })
  const steady = useSteadyOrder(list.view.key)
  const gone = useGone(cursor)
  return (
    <div className="@container h-full short:h-auto">
      <div className="flex h-full flex-col short:h-auto @5xl:flex-row">
        <div className="min-h-0 min-w-0 flex-1 short:h-52 short:flex-none">
          <ListScreen<Notice>
            {...list}
            title="Inbox"
            columns={columns}
            subjectOf={noticeSubject}
            {...(list.view.sort ? {} : { arranged: steady })}
            filters={[{ name: 'show', label: 'Show', options: SHOWN }]}
            actions={['notice.readAll', 'list.export']}
            bulk={BULK}
            primary="notice.toggleRead"
            empty={{ sentence: 'Nothing new.', filtered: 'Nothing new.', next: null }}
          />
        </div>
        {(cursor || gone) && <Preview notice={cursor} gone={gone} />}
      </div>
    </div>
  )
}

/** Returns the name of a notification deleted while it was open; null once another one is open. */
function useGone(cursor: Subject | null): string | null {
  const [gone, setGone] = useState<{ name: string; neighbour: number | null } | null>(null)
  const shown = useRef(cursor)
  if (cursor) shown.current = cursor
  const at = cursor?.id ?? null
  useEffect(
    () =>
      onLive((events) => {
        const read = shown.current
        if (read && events.some((event) => event.noun === 'notice' && event.kind === 'drop' && event.subject_id === read.id))
          setGone({ name: read.name, neighbour: null })
      }),
    [],
  )
  useEffect(() => {
    // The cursor moves to a neighbour by itself; a second move is the reader's.
    setGone((now) =>
      now === null || at === null ? now : now.neighbour === null || now.neighbour === at ? { ...now, neighbour: at } : null,
    )
  }, [at])
  return gone?.name ?? null
}

/** Shows a notification's whole message, its link and its actions. */
function Preview({ notice, gone }: { notice: Subject | null; gone: string | null }) {
  const { message_action = 'feed', url = '', kind = '', created_at = '', status, message, news = [] } = recordOf(notice, 'notice')
  const isUnread = status === 'unread'
  return (
    <aside
      aria-label="Notification"
      className="h-[40%] shrink-0 short:h-auto overflow-y-auto border-t border-line @5xl:h-auto @5xl:w-96 @5xl:border-t-0 @5xl:border-l"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      {gone && (
        <p role="status" className="m-4 mb-0 rounded-md bg-amber-wash px-3 py-2 text-amber-ink">
          “<bdi>{gone}</bdi>” was deleted.
        </p>
      )}
      {notice && (
        <div className="px-4 py-3.5">
          <h2 dir="auto" className="text-title break-words">
            {notice.name}
          </h2>
          <p className="mt-0.5 text-meta text-muted">
            <Moment at={created_at} /> · {isUnread ? 'Unread' : 'Read'}
          </p>
          {news.length ? (
            <ul aria-label="What happened" className="mt-3 flex flex-col gap-1.5">
              {news.map(({ kind, line, author, at, unread }) => (
                <li key={`${kind} ${at}`} className={unread ? 'font-semibold' : undefined}>
                  {line}
                  {author && (
                    <>
                      {' '}
                      by <bdi>{author}</bdi>
                    </>
                  )}
                  <span className="ml-2 text-meta font-normal text-muted">
                    <Moment at={at} />
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p dir="auto" className="mt-3 max-w-prose break-words whitespace-pre-wrap">
              {message}
            </p>
          )}
          <p className="mt-4 text-meta text-muted">{leadsTo({ message_action, url, kind })}</p>
          <div data-view="" className="mt-2 flex flex-wrap gap-1.5">
            <CommandButton id="notice.open" subjects={[notice]} variant="primary">
              {message_action === 'web'
                ? `Open ${hostOf(url)}`
                : message_action === 'record'
                  ? kind === 'job'
                    ? 'Open jobs'
                    : 'Open the project'
                  : message_action === 'feed'
                    ? 'Open all projects'
                    : 'Open the map'}
            </CommandButton>
            <CommandButton id="notice.toggleRead" subjects={[notice]}>
              {isUnread ? 'Mark read' : 'Mark unread'}
            </CommandButton>
          </div>
        </div>
      )}
    </aside>
  )
}
