import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import { api } from '../../data/apiClient.ts'
import { checkSession, configAtom, meAtom } from '../../data/session.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { checkPassword } from '../shared/password/checkPassword.ts'
import { NewPassword } from '../shared/password/NewPassword.tsx'
import { FormError, FormSuccess, OutsidePage } from './OutsidePage.tsx'
import { SignedIn } from './SignedIn.tsx'

/** Sets a new password, from a reset email's token or after a temporary password (decisions.md 7). */
export default function ResetPasswordPane() {
  const { query, route } = usePane()
  const me = useAtomValue(meAtom)
  const token = query.reset_password_token ?? query.token ?? ''
  const mustChange = !token && me?.must_change_password === true
  const [changed, setChanged] = useState(false)
  if (changed) return <Changed />
  if (token && me) return <SignedIn me={me} to="set a new password" />
  if (!token && !mustChange) return <Incomplete />
  const call = route === 'settlersReset' ? 'session.setPasswordSettlers' : 'session.setPassword'
  return <Form call={call} token={token} onDone={() => (mustChange ? void checkSession() : setChanged(true))} />
}

function Form({
  call,
  token,
  onDone,
}: {
  call: 'session.setPassword' | 'session.setPasswordSettlers'
  token: string
  onDone: () => void
}) {
  const { product, support_team } = useAtomValue(configAtom)
  const { bind, errors, busy, serverError, form } = useSmallForm({
    initial: { password: '', password_confirmation: '' },
    check: checkPassword,
    send: async (passwords) => {
      await api.write(call, { ...passwords, ...(token ? { reset_password_token: token } : {}) })
      onDone()
    },
  })
  const { ref } = form
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref])
  return (
    <OutsidePage
      title="Set a new password"
      lead={token ? undefined : 'Your password is temporary. Choose your own to continue.'}
      links={token ? [{ to: 'login', title: 'Back to sign in' }] : []}
    >
      <form {...form} className="flex flex-col gap-4">
        <NewPassword password={bind('password')} confirmation={bind('password_confirmation')} errors={errors} />
        <FormError error={serverError}>
          {serverError && (serverError.status === 0 || serverError.status === 429)
            ? serverError.message
            : MESSAGES.passwordFailed(support_team || product)}
        </FormError>
        <Button type="submit" variant="primary" busy={busy} className="h-8">
          Set password
        </Button>
      </form>
    </OutsidePage>
  )
}

function Changed() {
  const ways = useRef<HTMLDivElement>(null)
  useEffect(() => ways.current?.querySelector('a')?.focus(), [])
  return (
    <OutsidePage title="Set a new password">
      <FormSuccess>{MESSAGES.passwordChanged}</FormSuccess>
      <div ref={ways}>
        <PaneLink
          to={href('login')}
          className="mt-4 inline-flex h-8 w-full items-center justify-center rounded-md bg-accent text-meta font-medium text-on-accent hover:bg-accent-hover"
        >
          Go to Login page
        </PaneLink>
      </div>
    </OutsidePage>
  )
}

function Incomplete() {
  return (
    <OutsidePage
      title="Set a new password"
      lead="Open this page from the link in our email, or ask for a new link."
      links={[
        { to: 'forgotPassword', title: 'Ask for a new link' },
        { to: 'login', title: 'Back to sign in' },
      ]}
    />
  )
}
