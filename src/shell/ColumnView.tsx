import { useAtomValue } from 'jotai'
import { useLayoutEffect, useRef } from 'react'
import { type Column, shownIn } from '../routing/layout.ts'
import { cx } from '../ui/cx.ts'
import { ErrorBoundary } from '../workspace/ErrorBoundary.tsx'
import { focusPane, settleElement } from '../workspace/paneElements.ts'
import { zenAtom } from '../workspace/workspaceState.ts'
import { TabStrip } from './TabStrip.tsx'

/** A column: its tabs and its panes' elements, one of them visible. */
export function ColumnView({ column, at, active, alone }: { column: Column; at: number; active: boolean; alone: boolean }) {
  const zen = useAtomValue(zenAtom)
  const body = useRef<HTMLDivElement>(null)
  const before = useRef('')
  const shown = shownIn(column).id
  useLayoutEffect(() => {
    const moved = column.tabs.filter((pane) => settleElement(pane.id, body.current!, pane.id === shown))
    const changed = moved.length > 0 || before.current !== shown
    before.current = shown
    // Moving an element drops its focus. If it didn't have the focus, Tab may be on its way to the next field.
    if (changed && active && document.activeElement === document.body) focusPane(shown)
  }, [column.tabs, shown, active])
  return (
    <div
      className={cx('flex h-full min-w-0 flex-col', active ? 'bg-surface' : 'bg-ground')}
      data-column={at + 1}
      data-active={active || undefined}
    >
      {/* Only hidden, because the tab is named by its pane. */}
      <div className={zen ? 'hidden' : 'contents'}>
        <ErrorBoundary part="The tab strip" unaffected="Your panes aren’t affected.">
          <TabStrip column={column} at={at} active={active} alone={alone} />
        </ErrorBoundary>
      </div>
      <div ref={body} className="relative min-h-0 flex-1" />
    </div>
  )
}
