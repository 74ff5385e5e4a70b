import { useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'
import { meAtom } from '../data/session.ts'
import { restorableAtom } from './navigation.ts'

const lines = () => import('./BannerLines.tsx')
const Acting = lazy(() => lines().then((module) => ({ default: module.Acting })))
const Quotes = lazy(() => lines().then((module) => ({ default: module.Quotes })))
const Restore = lazy(() => lines().then((module) => ({ default: module.Restore })))

/** What stands over the columns: acting as somebody, quotes that wait for a client user, panes that can be restored. Most have none: they load when there is one. */
export function Banners() {
  const me = useAtomValue(meAtom)
  const offered = useAtomValue(restorableAtom)?.offered
  return (
    <Suspense>
      {me?.acting && <Acting me={me} acting={me.acting} />}
      {me?.role === 'client' && <Quotes />}
      {offered && <Restore />}
    </Suspense>
  )
}
