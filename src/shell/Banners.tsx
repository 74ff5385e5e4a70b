import { useAtomValue } from 'jotai'
import { meAtom } from '../data/session.ts'
import { loadable } from '../ui/loadable.tsx'
import { restorableAtom } from '../workspace/navigation.ts'

const lines = () => import('./BannerLines.tsx')
const Acting = loadable(() => lines().then((module) => module.Acting))
const Quotes = loadable(() => lines().then((module) => module.Quotes))
const Restore = loadable(() => lines().then((module) => module.Restore))

/** What stands over the columns: acting as somebody, quotes that wait for a client user, panes that can be restored. Most have none: they load when there is one. */
export function Banners() {
  const me = useAtomValue(meAtom)
  const offered = useAtomValue(restorableAtom)?.offered
  return (
    <>
      {me?.acting && <Acting me={me} acting={me.acting} />}
      {me?.role === 'client' && <Quotes />}
      {offered && <Restore />}
    </>
  )
}
