import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { cx } from '../ui/cx.ts'
import { whenIdle } from '../ui/idle.ts'
import { loadable } from '../ui/loadable.tsx'
import { layoutAtom, narrowAtom } from '../workspace/workspaceState.ts'
import { ColumnView } from './ColumnView.tsx'

const Split = loadable(() => import('./Split.tsx').then((module) => module.Split), <Row />)

/** The columns side by side; on a narrow window the active one alone. What resizes them loads when there are two. */
export function Columns() {
  const { columns } = useAtomValue(layoutAtom)
  const narrow = useAtomValue(narrowAtom)
  // A column that is opened finds it there; a download that fails is tried again when it is needed.
  useEffect(() => whenIdle(() => void Split.preload().catch(() => {}), 6000), [])
  return narrow || columns.length === 1 ? <Row /> : <Split />
}

/** The columns without anything to drag. */
function Row() {
  const { columns, active } = useAtomValue(layoutAtom)
  const narrow = useAtomValue(narrowAtom)
  return (
    <div className="flex h-full min-h-0">
      {columns.map((column, i) => (
        <div
          key={column.id}
          className={cx('min-w-0 flex-1', i > 0 && !narrow && 'border-l border-line', narrow && i !== active && 'hidden')}
          style={narrow ? undefined : { flexGrow: column.size }}
        >
          <ColumnView column={column} at={i} active={i === active} alone={columns.length === 1} />
        </div>
      ))}
    </div>
  )
}
