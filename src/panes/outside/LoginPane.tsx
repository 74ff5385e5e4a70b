import { useEffect, useRef } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import { signIn } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { PasswordInput } from '../shared/password/PasswordInput.tsx'
import { FormError, FormSuccess, OutsidePage } from './OutsidePage.tsx'

const DONE: Readonly<Record<string, string>> = {
  registered: 'Your account is ready. Sign in.',
  password: MESSAGES.passwordChanged,
}

/** The sign-in page (people-area 5 and 8). App decides where to go next: the requested page, else all projects. */
export default function LoginPane() {
  const { query } = usePane()
  const first = useRef<HTMLInputElement>(null)
  const { bind, errors, busy, serverError, form } = useSmallForm({
    initial: { email: '', password: '' },
    check: ({ email, password }) => ({
      ...(email.trim() ? {} : { email: MESSAGES.loginName }),
      ...(password ? {} : { password: MESSAGES.loginPassword }),
    }),
    send: async ({ email, password }) => void (await signIn(email.trim(), password)),
  })
  useEffect(() => first.current?.focus(), [])
  return (
    <OutsidePage
      title="Sign in"
      lead={query.to ? 'Sign in to continue.' : undefined}
      links={[
        { to: 'forgotPassword', title: 'Forgot password' },
        { to: 'requestAccount', title: 'Request an account' },
      ]}
    >
      <form {...form} className="flex flex-col gap-4">
        {DONE[query.done ?? ''] && <FormSuccess>{DONE[query.done!]}</FormSuccess>}
        <Field label="Username (email)" required error={errors.email ?? null}>
          <TextInput
            {...bind('email')}
            ref={first}
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            className="h-8"
          />
        </Field>
        <Field label="Password" required error={errors.password ?? null}>
          <PasswordInput {...bind('password')} kind="current-password" />
        </Field>
        <FormError error={serverError} />
        <Button type="submit" variant="primary" busy={busy} className="h-8">
          {busy ? 'Signing in' : 'Sign in'}
        </Button>
      </form>
    </OutsidePage>
  )
}
