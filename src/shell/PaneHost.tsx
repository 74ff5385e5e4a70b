import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { meAtom } from '../data/session.ts'
import { type Match, refusal } from '../routing/match.ts'
import { loadable } from '../ui/loadable.tsx'
import { Skeleton } from '../ui/States.tsx'
import { ErrorBoundary } from '../workspace/ErrorBoundary.tsx'
import { PaneProvider, usePane } from '../workspace/pane.tsx'
import { paneOf } from '../workspace/paneOf.tsx'

const Snapshot = loadable(() => import('./Snapshot.tsx').then((module) => module.Snapshot), <Skeleton rows={8} />)

const NoScreen = loadable(() => import('./NoScreen.tsx').then((module) => module.NoScreen), <Skeleton rows={8} />)

/** A pane's content, with its own loading state, errors and scrolling. */
export function PaneHost({ id }: { id: string }) {
  return (
    <PaneProvider value={id}>
      <Content />
    </PaneProvider>
  )
}

function Content() {
  const { match, id } = usePane()
  const me = useAtomValue(meAtom)
  const scroller = useScrollMemory(id, match?.path ?? '')
  const no = match && me ? refusal(match, me.role) : null
  // Another record mounts a new screen, so that nothing of the previous one stays; another tab or filter doesn't.
  const key = match ? `${match.id} ${JSON.stringify(recordOf(match))}` : 'unknown'
  return (
    <div ref={scroller} className="h-full min-h-0 overflow-y-auto overscroll-contain" data-pane-scroller data-path={match?.path}>
      <ErrorBoundary key={key}>
        {!match || no || match.row.outside ? (
          <NoScreen match={match} no={no} />
        ) : match.id === 'snapshot' ? (
          <Snapshot id={match.params.key!} />
        ) : (
          <Screen match={match} />
        )}
      </ErrorBoundary>
    </div>
  )
}

/** Returns the parameters that identify the record, without states of its screen. */
const recordOf = ({ row, params }: Match) => Object.entries(params).filter(([name]) => name !== row.state)

/** A screen's pane. */
function Screen({ match }: { match: Match }) {
  const { params, tab } = match
  const { setSubject, setTitle } = usePane()
  useEffect(
    () => () => {
      // The pane's next screen has another subject.
      setSubject(null)
      setTitle(null)
    },
    [setSubject, setTitle],
  )
  const Pane = paneOf(match.id)
  return Pane && <Pane params={params} tab={tab} />
}

const scrolls = new Map<string, number>()
/** Scrolls to the top on a new path, and restores the position of a visited one. */
function useScrollMemory(id: string, path: string) {
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const key = `${id} ${path}`
    element.scrollTop = scrolls.get(key) ?? 0
    const note = () => scrolls.set(key, element.scrollTop)
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [id, path])
  return scroller
}
