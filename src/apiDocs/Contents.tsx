import { cx } from '../ui/cx.ts'
import { type CallGroup, type DescribedCall, MESSAGES } from './describedCalls.ts'

/** The mark of a call's method: reading is quiet, changing isn't. */
export function Method({ call, className }: { call: Pick<DescribedCall, 'method' | 'changesData'>; className?: string }) {
  const tone = call.method === 'DELETE' ? 'text-red-ink' : call.changesData ? 'text-amber-ink' : 'text-green-ink'
  return <span className={cx('shrink-0 font-mono text-meta font-semibold', tone, className)}>{call.method}</span>
}

const item = 'flex min-h-7 items-center gap-2 rounded-sm px-2 py-0.5 hover:bg-hover narrow:min-h-11'

interface ContentsProps {
  groups: readonly CallGroup[]
  group: string
  at: string
  /** The page that is shown beside the groups. */
  page: 'start' | 'codes' | null
}

/** The page's table of contents: every group, and the calls of the one that is shown. */
export function Contents({ groups, group, at, page }: ContentsProps) {
  return (
    <nav aria-label="Contents" className="p-2">
      <a
        href="#start"
        aria-current={page === 'start' ? 'page' : undefined}
        className={cx(item, 'font-medium', page === 'start' && 'bg-cursor')}
      >
        Getting started
      </a>
      <a
        href="#codes"
        aria-current={page === 'codes' ? 'page' : undefined}
        className={cx(item, 'font-medium', page === 'codes' && 'bg-cursor')}
      >
        Error codes
      </a>
      <ul>
        {groups.map(({ name, calls }) => (
          <li key={name}>
            <a
              href={`#${name}`}
              aria-current={name === group ? 'page' : undefined}
              className={cx(item, name === group && 'bg-cursor font-medium')}
            >
              <span className="min-w-0 flex-1 truncate">{name === MESSAGES ? 'Webhook messages' : name}</span>
              <span className="text-meta text-muted tabular-nums">{calls.length}</span>
            </a>
            {name === group && (
              <ul className="mb-2 ml-2 border-l border-line pl-1">
                {calls.map((call) => (
                  <li key={call.id}>
                    <a
                      href={`#${call.id}`}
                      title={call.summary}
                      aria-current={call.id === at ? 'location' : undefined}
                      className={cx(item, 'text-meta text-muted', call.id === at && 'text-ink')}
                    >
                      <span className="min-w-0 truncate">{call.summary}</span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
