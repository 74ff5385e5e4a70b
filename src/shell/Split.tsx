import { useAtomValue } from 'jotai'
import { Fragment, useLayoutEffect, useRef } from 'react'
import { Group, type GroupImperativeHandle, Panel, Separator } from 'react-resizable-panels'
import { resize } from '../routing/layout.ts'
import { useWidth } from '../ui/useWidth.ts'
import { change } from '../workspace/navigation.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'
import { ColumnView } from './ColumnView.tsx'

/** A column narrower than this, in px, has no room for its list. */
const NARROWEST = 320

/** Columns resized by pointer, or by arrow keys on the divider. */
export function Split() {
  const { columns, active } = useAtomValue(layoutAtom)
  const group = useRef<GroupImperativeHandle>(null)
  const frame = useRef<HTMLDivElement>(null)
  // If not all columns have that much, each may still shrink by a fifth of its share.
  const least = Math.min(NARROWEST, Math.floor((0.8 * useWidth(frame)) / columns.length))
  const wanted = columns.map((column) => `${column.id} ${column.size.toFixed(2)}`).join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` says all that matters of the columns
  useLayoutEffect(() => {
    // The group knows a new column only from the next frame on.
    const frame = requestAnimationFrame(() => {
      const now = group.current?.getLayout()
      if (now && columns.every(({ id }) => id in now))
        group.current?.setLayout(Object.fromEntries(columns.map(({ id, size }) => [id, size])))
    })
    return () => cancelAnimationFrame(frame)
  }, [wanted])
  return (
    <Group
      groupRef={group}
      elementRef={frame}
      className="h-full min-h-0"
      onLayoutChanged={(sizes, meta) => {
        if (!meta.isUserInteraction) return
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
              className='relative w-px bg-line hover:bg-accent focus-visible:bg-accent focus-visible:outline-2 focus-visible:outline-accent data-[separator=drag]:bg-accent after:absolute after:inset-y-0 after:-left-1 after:w-2 after:content-[""]'
            />
          )}
          <Panel id={column.id} defaultSize={`${column.size}`} minSize={least}>
            <ColumnView column={column} at={i} active={i === active} alone={false} />
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}
