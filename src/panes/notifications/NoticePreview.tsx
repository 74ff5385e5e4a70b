import type { Notification } from '../../../contract/notification.ts'
import { Mark } from '../../ui/Pill.tsx'

type Action = Pick<Notification, 'url'> & { message_action: Notification['message_action'] | 'record'; kind?: string }

/** Returns the host of a web address without `www.`; empty if there is none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : ''
}
/** Describes where a notification leads. */
export function leadsTo({ message_action, url, kind }: Action): string {
  if (message_action === 'feed') return 'Opens all projects'
  if (message_action === 'record') return kind === 'job' ? 'Opens Jobs' : 'Opens the project'
  if (message_action === 'map') return 'Opens the map of visits'
  return hostOf(url) ? `Opens ${hostOf(url)} in a new tab` : 'Opens a web address'
}

/** Previews a notification as the inbox shows it. */
export function InboxLook({ name, message, action }: { name: string; message: string; action: Action }) {
  return (
    <article aria-label="In the inbox" className="min-w-0 rounded-md border border-line bg-surface px-3 py-2.5">
      <h3 className="flex items-baseline gap-2 font-semibold">
        <span className="text-accent-ink">
          <Mark shape="dot" />
        </span>
        <bdi className="min-w-0 break-words">{name.trim() || 'Name'}</bdi>
      </h3>
      <p className="mt-1 break-words whitespace-pre-wrap text-muted">{message.trim() || 'Message'}</p>
      <p className="mt-2 text-meta text-muted">{leadsTo(action)}</p>
    </article>
  )
}

/** Previews a notification as an email shows it. */
export function MailLook({ name, message, action, product }: { name: string; message: string; action: Action; product: string }) {
  const web = action.message_action === 'web'
  return (
    <article aria-label="By email" className="min-w-0 rounded-md border border-line bg-surface px-3 py-2.5">
      <p className="border-b border-line pb-1.5 text-meta text-muted">
        Subject: <bdi className="text-ink">{name.trim() || 'Name'}</bdi>
      </p>
      <p className="mt-2">Hello Kim,</p>
      <p className="mt-2 break-words whitespace-pre-wrap">{message.trim() || 'Message'}</p>
      <p className="mt-2">
        <span className="inline-block max-w-full truncate rounded-md bg-accent px-3 py-1 text-on-accent">
          {web ? 'Open the link' : `Open ${product}`}
        </span>
      </p>
    </article>
  )
}
