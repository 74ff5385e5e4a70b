import { useAtomValue, useSetAtom } from 'jotai'
import { Bell as BellIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { unreadAtom, unreadWords } from '../data/unread.ts'
import { useCall } from '../data/useCall.ts'
import { href } from '../routing/routes.ts'
import { shortcutsAtom } from '../runner/shortcuts.ts'
import { openPath } from '../workspace/navigation.ts'

/** Links to the inbox, with the number of unread notifications (at most 99+); a change of it is announced. */
export function Bell() {
  const unread = useCall('notice.unread', {}).data?.data.unread ?? null
  const keys = useAtomValue(shortcutsAtom)['go.inbox']
  const setUnread = useSetAtom(unreadAtom)
  useEffect(() => setUnread(unread), [setUnread, unread])
  const words = unreadWords(unread ?? 0)
  const [first, setFirst] = useState(unread)
  if (first === null && unread !== null) setFirst(unread)
  return (
    <a
      href={href('inbox')}
      aria-label={`Inbox, ${words}`}
      className="relative grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      onClick={(event) => {
        event.preventDefault()
        openPath(href('inbox'))
      }}
    >
      {/* For the mouse: as the link's own title, it would be read after the same name. */}
      <span aria-hidden="true" title={`Inbox, ${words}${keys ? ` (${keys})` : ''}`} className="absolute inset-0" />
      <BellIcon size={16} aria-hidden="true" />
      {unread ? (
        <span
          aria-hidden="true"
          data-testid="unread"
          className="absolute -top-0.5 left-3.5 h-4 min-w-4 rounded-full bg-accent px-1 text-center text-[11px] leading-4 font-semibold text-on-accent tabular-nums"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      ) : null}
      <span role="status" className="sr-only">
        {unread && unread !== first ? words : ''}
      </span>
    </a>
  )
}
