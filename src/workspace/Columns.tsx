import { useAtomValue } from 'jotai'
import { Fragment, useLayoutEffect, useRef } from 'react'
import { Group, type GroupImperativeHandle, Panel, Separator } from 'react-resizable-panels'
import { cx } from '../ui/cx.ts'
import { settleElement } from './elements.ts'
import { type Column, resize, shownIn } from './layout.ts'
import { change } from './navigation.ts'
import { layoutAtom, narrowAtom } from './state.ts'
import { TabStrip } from './TabStrip.tsx'

/** The columns side by side, resized by pointer or by the arrow keys on a separator; on a narrow window the active one alone. */
export function Columns() {
  const { columns, active } = useAtomValue(layoutAtom)
  const narrow = useAtomValue(narrowAtom)
  const group = useRef<GroupImperativeHandle>(null)
  const wanted = columns.map((column) => `${column.id} ${column.size.toFixed(2)}`).join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` says all that matters of the columns
  useLayoutEffect(() => {
    if (narrow || columns.length < 2) return
    // A column that was just added is known to the group from the next frame on.
    const frame = requestAnimationFrame(() => {
      const now = group.current?.getLayout()
      if (now && columns.every(({ id }) => id in now))
        group.current?.setLayout(Object.fromEntries(columns.map(({ id, size }) => [id, size])))
    })
    return () => cancelAnimationFrame(frame)
  }, [wanted, narrow])
  return (
    <Group
      groupRef={group}
      className="h-full min-h-0"
      onLayoutChanged={(sizes, meta) => {
        if (meta.isUserInteraction)
          change(
            (layout) =>
              resize(
                layout,
                layout.columns.map(({ id }) => sizes[id] ?? 0),
              ),
            'replace',
          )
      }}
    >
      {columns.map((column, i) => (
        <Fragment key={column.id}>
          {i > 0 && (
            <Separator
              aria-label={`Width of column ${i}`}
              className={cx(
                'relative w-px bg-line outline-none transition-colors hover:bg-accent focus-visible:bg-accent data-[separator=drag]:bg-accent',
                'after:absolute after:inset-y-0 after:-left-1 after:w-2 after:content-[""]',
                narrow && 'hidden',
              )}
            />
          )}
          <Panel
            id={column.id}
            defaultSize={`${column.size}`}
            minSize={narrow ? 0 : 240}
            className={cx(narrow && i !== active && 'hidden')}
            style={narrow && i === active ? { flexGrow: 1 } : undefined}
          >
            <ColumnView column={column} at={i} active={i === active} alone={columns.length === 1} />
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}

function ColumnView({ column, at, active, alone }: { column: Column; at: number; active: boolean; alone: boolean }) {
  const body = useRef<HTMLDivElement>(null)
  const shown = shownIn(column).id
  useLayoutEffect(() => {
    for (const pane of column.tabs) settleElement(pane.id, body.current!, pane.id === shown)
  }, [column.tabs, shown])
  return (
    <div
      className={cx('flex h-full min-w-0 flex-col', active ? 'bg-surface' : 'bg-ground')}
      data-column={at + 1}
      data-active={active || undefined}
    >
      <TabStrip column={column} at={at} active={active} alone={alone} />
      <div ref={body} className={cx('relative min-h-0 flex-1', !active && 'opacity-90')} />
    </div>
  )
}
