import { Provider, useAtom, useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { store } from './data/jotaiStore.ts'
import type { Me } from './data/me.ts'
import { applyPreferences } from './data/preferences.ts'
import { checkSession, readConfig, type Session, sessionAtom } from './data/session.ts'
import { maybeSignedIn } from './data/signedIn.ts'
import { type Match, match, resolve } from './routing/match.ts'
import { HOME, href } from './routing/routes.ts'
import { screens } from './screens.ts'
import { Button } from './ui/Button.tsx'
import { keepCompositions } from './ui/compositions.ts'
import { loadable } from './ui/loadable.tsx'
import { ErrorState } from './ui/States.tsx'
import { useDelayed } from './ui/useDelayed.ts'
import { ErrorBoundary } from './workspace/ErrorBoundary.tsx'
import { leaveFor } from './workspace/navigation.ts'
import { Part } from './workspace/Part.tsx'
import { bindScreens, paneOf } from './workspace/paneOf.tsx'
import { userServicesAtom } from './workspace/userServices.ts'

const Workspace = loadable(() => import('./shell/Workspace.tsx').then((module) => module.Workspace), <Waiting />)
const PublicShell = loadable(() => import('./shell/PublicShell.tsx').then((module) => module.PublicShell), <Waiting />)
const UserServices = loadable(() => import('./panes/visitation/UserServices.tsx').then((module) => module.UserServices))

bindScreens(screens)
keepCompositions()
// Loads the workspace and the URL's screen while the session is checked.
const first = resolve(location.pathname)
if (first) {
  void (first.row.outside ? PublicShell : Workspace).preload().catch(() => {})
  paneOf(first.id)
    ?.preload()
    .catch(() => {})
}

/** The whole page: a public screen, or the signed-in user's workspace. */
export function App() {
  useEffect(() => applyPreferences(), [])
  return (
    <Provider store={store}>
      <ErrorBoundary
        part="Fieldwork"
        unaffected="Nothing you saved is lost, and your panes come back."
        onRetry={() => location.reload()}
      >
        <Place />
      </ErrorBoundary>
    </Provider>
  )
}

/** The ref of a public screen; '' in the workspace, whose URL changes don't concern this component. */
const outsideRef = (): string => {
  const found = match(location.pathname + location.search)
  return found?.row.outside ? found.ref : ''
}

function Place() {
  const outside = useLocationProperty(outsideRef)
  const session = useAtomValue(sessionAtom)
  const found = useMemo(() => (outside ? match(outside) : null), [outside])
  useEffect(() => void readConfig(), [])
  useEffect(() => {
    if (session.state === 'unknown' && (!found || maybeSignedIn())) void checkSession()
  }, [session, found])
  useEffect(() => lead(session, found), [session, found])
  if (found) return <PublicShell match={found} />
  if (session.state === 'failed') return <Failed message={session.error.message} />
  if (session.state !== 'in' || session.me.must_change_password) return <Waiting />
  return (
    <>
      <Workspace key={session.me.id} person={session.me.id} />
      <ServicesDialog />
    </>
  )
}

/** A dialog that a command opens over any screen. */
function ServicesDialog() {
  const [users, setUsers] = useAtom(userServicesAtom)
  if (!users?.length) return null
  return (
    <Part name="The choice of services" onClose={() => setUsers(null)}>
      <UserServices users={users} onClose={() => setUsers(null)} />
    </Part>
  )
}

/** Sends signed-out users to sign-in with their destination, and signed-in users from there to the destination. */
function lead(session: Session, outside: Match | null): void {
  if (outside && location.pathname !== outside.path) leaveFor(outside.ref, 'replace')
  if (session.state === 'none' && !outside) {
    const wanted = location.pathname + location.search
    // After a deliberate sign-out the next user starts at the dashboard, not on the last one's page.
    const plain = session.left === true || wanted === HOME || location.pathname === '/'
    const query = { to: wanted, ...(session.was ? { for: String(session.was) } : {}) }
    leaveFor(plain ? href('login') : href('login', {}, { query }), 'replace')
  }
  if (session.state !== 'in') return
  if (session.me.must_change_password) {
    if (outside?.id !== 'passwordReset') leaveFor(href('passwordReset'), 'replace')
  } else if (outside?.row.guests && !opensAccount(outside)) leaveFor(wantedOf(outside, session.me), 'replace')
}

/** An emailed link opens even if another user is signed in: the page says which account is which. */
const opensAccount = ({ id, query }: Match): boolean =>
  id === 'passwordReset' && Boolean(query.reset_password_token ?? query.token)

/** Returns where sign-in leads: the requested screen if it exists. After an ended session, only for the same user. */
function wantedOf(outside: Match, { id, preferences }: Me): string {
  const start = preferences.starts_at_desk ? href('desk') : HOME
  if (outside.query.for && outside.query.for !== String(id)) return start
  const to = outside.query.to ?? ''
  return to.startsWith('/') && !to.startsWith('//') && !match(to)?.row.outside ? to : start
}

function Waiting() {
  const late = useDelayed(true, 300)
  return (
    <div role="status" className="flex h-dvh items-center justify-center text-muted">
      {late && 'Opening Fieldwork'}
    </div>
  )
}

function Failed({ message }: { message: string }) {
  return (
    <main className="mx-auto max-w-md pt-[20vh]">
      <ErrorState title="Can’t open Fieldwork right now" action={<Button onClick={() => void checkSession()}>Try again</Button>}>
        {message} You are still signed in.
      </ErrorState>
    </main>
  )
}
