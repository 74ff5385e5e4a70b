import { useEffect, useRef, useState } from 'react'
import { forgotFields } from '../../../contract/accountFields.ts'
import { faultsOf } from '../../../contract/fieldKinds.ts'
import { api } from '../../data/apiClient.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { FormError, FormSuccess, OutsidePage } from './OutsidePage.tsx'

/** Requests a reset email; shows the server's message on success and failure (people-area 8). */
export default function ForgotPasswordPane() {
  const [message, setMessage] = useState<string | null>(null)
  const first = useRef<HTMLInputElement>(null)
  const { bind, errors, busy, serverError, form } = useSmallForm({
    initial: { email: '' },
    check: (values) => faultsOf(forgotFields, values),
    send: async ({ email }) => {
      const answer = await api.write('session.forgot', { email: email.trim(), redirect_url: href('passwordReset') })
      setMessage(answer.message)
    },
  })
  useEffect(() => first.current?.focus(), [])
  return (
    <OutsidePage
      title="Forgot password"
      lead="We’ll email you a link to set a new one. It works once, for one hour."
      links={[{ to: 'login', title: 'Back to sign in' }]}
    >
      <form {...form} className="flex flex-col gap-4">
        <Field label={forgotFields.email.label} required error={errors.email ?? null}>
          <TextInput
            {...bind('email')}
            ref={first}
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            className="h-8"
          />
        </Field>
        <FormError error={serverError} />
        {message && <FormSuccess>{message}</FormSuccess>}
        <Button type="submit" variant={message ? 'default' : 'primary'} busy={busy} className="h-8">
          {message ? 'Send again' : 'Send link'}
        </Button>
      </form>
    </OutsidePage>
  )
}
