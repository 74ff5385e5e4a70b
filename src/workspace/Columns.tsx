import { useAtomValue } from 'jotai'
import { lazy, Suspense, useEffect } from 'react'
import { cx } from '../ui/cx.ts'
import { ColumnView } from './ColumnView.tsx'
import { layoutAtom, narrowAtom } from './state.ts'

const loadSplit = () => import('./Split.tsx')
const Split = lazy(() => loadSplit().then((module) => ({ default: module.Split })))

/** The columns side by side; on a narrow window the active one alone. What resizes them loads when there are two. */
export function Columns() {
  const { columns } = useAtomValue(layoutAtom)
  const narrow = useAtomValue(narrowAtom)
  useEffect(() => {
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(() => void loadSplit(), 3000)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(() => void loadSplit(), { timeout: 6000 })
    return () => cancelIdleCallback(idle)
  }, [])
  if (narrow || columns.length === 1) return <Row />
  return (
    <Suspense fallback={<Row />}>
      <Split />
    </Suspense>
  )
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
