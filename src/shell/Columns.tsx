import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { cx } from '../ui/cx.ts'
import { whenIdle } from '../ui/idle.ts'
import { loadable } from '../ui/loadable.tsx'
import { Part } from '../workspace/Part.tsx'
import { layoutAtom, narrowAtom, zenAtom } from '../workspace/workspaceState.ts'
import { ColumnView } from './ColumnView.tsx'

const Split = loadable(() => import('./Split.tsx').then((module) => module.Split), <Row />)

/** The columns side by side; in a narrow window or zen only the active one. Resizing loads with a second column. */
export function Columns() {
  const { columns } = useAtomValue(layoutAtom)
  const narrow = useAtomValue(narrowAtom)
  const zen = useAtomValue(zenAtom)
  // Loads before a second column opens; a failed download is retried then.
  useEffect(() => whenIdle(() => void Split.preload().catch(() => {}), 6000), [])
  if (narrow || zen || columns.length === 1) return <Row />
  return (
    <Part name="Resizing columns" instead={<Row />}>
      <Split />
    </Part>
  )
}

/** The columns without resize handles. */
function Row() {
  const { columns, active } = useAtomValue(layoutAtom)
  const narrow = useAtomValue(narrowAtom)
  const zen = useAtomValue(zenAtom)
  const alone = narrow || zen
  return (
    <div className="flex h-full min-h-0">
      {columns.map((column, i) => (
        <div
          key={column.id}
          className={cx('min-w-0 flex-1', i > 0 && !alone && 'border-l border-line', alone && i !== active && 'hidden')}
          style={alone ? undefined : { flexGrow: column.size }}
        >
          <ColumnView column={column} at={i} active={i === active} alone={columns.length === 1} />
        </div>
      ))}
    </div>
  )
}
