import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { showTime } from '../../contract/format.ts'
import { type Me, stopActing } from '../data/session.ts'
import { useCall } from '../data/useCall.ts'
import { panesOf } from '../routing/layout.ts'
import { href } from '../routing/routes.ts'
import { shortcutsAtom } from '../runner/shortcuts.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { declineRestore, openPath, restorableAtom, restoreMine } from '../workspace/navigation.ts'
import { dirtyAmong } from '../workspace/unsavedChanges.ts'

function Banner({ tone, children, action }: { tone: 'amber' | 'blue' | 'grey'; children: ReactNode; action: ReactNode }) {
  const washes = { amber: 'bg-amber-wash text-amber-ink', blue: 'bg-blue-wash text-blue-ink', grey: 'bg-grey-wash text-ink' }
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

/** Shown while an administrator acts as somebody. */
export function Acting({ me, acting }: { me: Me; acting: NonNullable<Me['acting']> }) {
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
        <Button busy={busy} onClick={exit}>
          Exit
        </Button>
      }
    >
      <bdi>{acting.admin_name}</bdi>, you are acting as <b className="font-semibold">{`${me.first_name} ${me.last_name}`}</b>{' '}
      until {until}. What you do is recorded with both names. Reason: <bdi>{acting.reason}</bdi>
    </Banner>
  )
}

/** Client users have three tabs; this leads to the decisions only they can make (decisions.md 6). */
export function Quotes() {
  const { data } = useCall('project.waiting', {})
  const waiting = data?.data ?? []
  const [first] = waiting
  if (!first) return null
  const there =
    waiting.length > 1 ? href('requested', {}, { query: { step: 'approval' } }) : href('clientApproval', { id: first.id })
  return (
    <Banner tone="blue" action={<Button onClick={() => openPath(there)}>Look at the quote{waiting.length > 1 && 's'}</Button>}>
      {waiting.length === 1 ? (
        <>
          The quote for <b className="font-semibold">{first.name}</b> waits for your approval.
        </>
      ) : (
        <>
          {waiting.length} quotes wait for your approval, the first for <bdi>{first.name}</bdi>.
        </>
      )}
    </Banner>
  )
}

/** Offers panes that can be restored. */
export function Restore() {
  const mine = useAtomValue(restorableAtom)
  const keys = useAtomValue(shortcutsAtom)['pane.restore']
  if (!mine?.offered) return null
  const count = panesOf(mine.layout).length
  const typed = dirtyAmong(panesOf(mine.layout).map((pane) => pane.id)).length > 0
  return (
    <Banner
      tone="grey"
      action={
        <span className="flex gap-2">
          <Button kbd={keys} onClick={restoreMine}>
            Restore my panes
          </Button>
          <Button variant="ghost" onClick={declineRestore}>
            Not now
          </Button>
        </span>
      }
    >
      {count === 1 ? 'The screen you had open before is kept' : `The ${count} screens you had open before are kept`}
      {typed ? ', with what you typed.' : '.'}
    </Banner>
  )
}
