import { useAtomValue } from 'jotai'
import { useMay } from '../data/permissions.ts'
import { meAtom } from '../data/session.ts'
import { loadable } from '../ui/loadable.tsx'

const lines = () => import('./BannerLines.tsx')
const Acting = loadable(() => lines().then((module) => module.Acting))
const Quotes = loadable(() => lines().then((module) => module.Quotes))

/** The only banner: acting as a user, or open quotes. Loads on demand, because most users have none. */
export function Banners() {
  const me = useAtomValue(meAtom)
  const all = useMay('project.seeAll')
  if (!me) return null
  return me.acting ? <Acting me={me} acting={me.acting} /> : all ? null : <Quotes />
}
