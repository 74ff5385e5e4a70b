import { useAtomValue } from 'jotai'
import { seesAll } from '../../contract/who.ts'
import { meAtom } from '../data/session.ts'
import { loadable } from '../ui/loadable.tsx'
import { restorableAtom } from '../workspace/navigation.ts'

const lines = () => import('./BannerLines.tsx')
const Acting = loadable(() => lines().then((module) => module.Acting))
const Quotes = loadable(() => lines().then((module) => module.Quotes))
const Restore = loadable(() => lines().then((module) => module.Restore))

/** The banners: acting as somebody, open quotes, panes to restore. Loaded on demand, as most users have none. */
export function Banners() {
  const me = useAtomValue(meAtom)
  const offered = useAtomValue(restorableAtom)?.offered
  return (
    <>
      {me?.acting && <Acting me={me} acting={me.acting} />}
      {me && !seesAll(me) && <Quotes />}
      {offered && <Restore />}
    </>
  )
}
