import { useAtomValue } from 'jotai'
import { useMay } from '../../data/permissions.ts'
import { meAtom } from '../../data/session.ts'
import { ApiKeys } from './ApiKeys.tsx'
import { Appearance, FirstScreen, NewsMail, NotificationMail } from './Appearance.tsx'
import { Keys } from './Keys.tsx'
import { Profile } from './Profile.tsx'
import { Sessions } from './Sessions.tsx'
import { Email, Password, PausedWebhooks } from './SignIn.tsx'

/** Account settings: profile, time zone, appearance, shortcuts, sessions and, for admins, API keys (decisions.md 8). */
export default function AccountPane() {
  const me = useAtomValue(meAtom)
  const hasKeys = useMay('key.list')
  if (!me) return null
  return (
    <div className="@container">
      <h1 className="px-4 pt-3.5 text-head">Account Settings</h1>
      <Profile key={me.id} me={me} />
      <Email me={me} />
      <Password />
      <Appearance />
      <FirstScreen />
      <NotificationMail />
      <NewsMail />
      <Keys />
      <Sessions />
      <PausedWebhooks me={me} />
      {hasKeys && <ApiKeys />}
    </div>
  )
}
