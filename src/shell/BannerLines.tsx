import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { shortDate, showTime } from '../../contract/format.ts'
import { useMay } from '../data/permissions.ts'
import { type Me, meAtom, stopActing } from '../data/session.ts'
import { useCall } from '../data/useCall.ts'
import { href } from '../routing/routes.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { openPath } from '../workspace/navigation.ts'

function Banner({ tone, children, action }: { tone: 'amber' | 'blue'; children: ReactNode; action: ReactNode }) {
  const washes = { amber: 'bg-amber-wash text-amber-ink', blue: 'bg-blue-wash text-blue-ink' }
  return (
    <div
      role="status"
      className={cx('flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1', washes[tone])}
    >
      <p className="min-w-0 flex-1">{children}</p>
      {action}
    </div>
  )
}

/** Shown while an administrator acts as a user, with that user's open decisions: one bar, never two. */
export function Acting({ me, acting }: { me: Me; acting: NonNullable<Me['acting']> }) {
  const quotes = useQuotes()
  const [busy, setBusy] = useState(false)
  const until = showTime(new Date(acting.expires_at), 'clock')
  const exit = () => {
    setBusy(true)
    stopActing()
      .catch((error: Error) => workspace.notice(error.message, 'bad'))
      .finally(() => setBusy(false))
  }
  return (
    <Banner
      tone="amber"
      action={
        <span className="flex gap-2">
          {quotes && <Button onClick={() => openPath(quotes.there)}>{quotes.label}</Button>}
          <Button busy={busy} onClick={exit}>
            Exit
          </Button>
        </span>
      }
    >
      <bdi>{acting.admin_name}</bdi>, you are acting as <b className="font-semibold">{`${me.first_name} ${me.last_name}`}</b>{' '}
      until {until}. What you do is recorded with both names. Reason: <bdi>{acting.reason}</bdi>
    </Banner>
  )
}

/** Returns the quotes that wait for the caller's decision: the first, their number, and where to decide. */
function useQuotes() {
  const me = useAtomValue(meAtom)
  const all = useMay('project.seeAll')
  const { data } = useCall('project.waiting', me && !all ? {} : null)
  const waiting = data?.data ?? []
  const [first] = waiting
  if (!first) return null
  const many = waiting.length > 1
  const there = many ? href('requested', {}, { query: { step: 'approval' } }) : href('clientApproval', { id: first.id })
  return { first, count: waiting.length, there, label: `Look at the quote${many ? 's' : ''}` }
}

/** Leads client users to the decisions that only they can make (decisions.md 6). */
export function Quotes() {
  const quotes = useQuotes()
  if (!quotes) return null
  return (
    <Banner tone="blue" action={<Button onClick={() => openPath(quotes.there)}>{quotes.label}</Button>}>
      {quotes.count === 1 ? (
        <>
          The quote for <b className="font-semibold">{quotes.first.name}</b> waits for your approval
          {quotes.first.valid_until && `, valid until ${shortDate(quotes.first.valid_until)}`}.
        </>
      ) : (
        <>
          {quotes.count} quotes wait for your approval.
          {quotes.first.valid_until && (
            <>
              {' '}
              <bdi>{quotes.first.name}</bdi> lapses first, on {shortDate(quotes.first.valid_until)}.
            </>
          )}
        </>
      )}
    </Banner>
  )
}
