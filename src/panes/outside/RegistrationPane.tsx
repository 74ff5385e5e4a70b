import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { personFields } from '../../../contract/accountFields.ts'
import { faultsOf } from '../../../contract/fieldKinds.ts'
import { api } from '../../data/apiClient.ts'
import { meAtom } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PhoneInput } from '../../ui/PhoneInput.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { checkPassword } from '../shared/password/checkPassword.ts'
import { NewPassword } from '../shared/password/NewPassword.tsx'
import { FormError, OutsidePage } from './OutsidePage.tsx'
import { SignedIn } from './SignedIn.tsx'

const TOKEN = 64
const INITIAL = { first_name: '', last_name: '', phone: '', password: '', password_confirmation: '' }

/** Accepts an invitation, whose token is the last 64 characters of the query (people-area 7); then opens sign-in. */
export default function RegistrationPane() {
  const token = useMemo(() => {
    const query = location.search.slice(1)
    return query.length >= TOKEN ? query.slice(-TOKEN) : ''
  }, [])
  const invited = useCall('session.invitation', token ? { invitation_token: token } : null)
  const { go } = usePane()
  const { bind, errors, busy, serverError, form, reset, dirty } = useSmallForm({
    initial: INITIAL,
    check: (values) => ({
      ...faultsOf(personFields, values),
      ...checkPassword(values),
    }),
    send: async (values) => {
      await api.write('session.register', { ...values, invitation_token: token })
      go(href('login', {}, { query: { done: 'registered' } }))
    },
  })
  const known = invited.data?.data
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the invitation loads, and never replaces typing
  useEffect(() => {
    if (known && !dirty) reset({ ...INITIAL, first_name: known.first_name, last_name: known.last_name, phone: known.phone })
  }, [known])
  const me = useAtomValue(meAtom)
  const links = [{ to: 'login', title: 'I have an account' }] as const
  if (me && token) return <SignedIn me={me} to="accept the invitation" />
  if (!token || (invited.error && invited.error.status >= 400 && invited.error.status < 500)) {
    return (
      <OutsidePage
        title="Registration"
        lead={
          token
            ? `${invited.error!.message} Ask the person who invited you to send the invitation again.`
            : 'Your invitation link is incomplete. Open it from the email again.'
        }
        links={[...links, { to: 'requestAccount', title: 'Request an account' }]}
      />
    )
  }
  return (
    <OutsidePage title="Registration" lead={known ? `Welcome. This account is for ${known.email}.` : undefined} links={links}>
      <form {...form} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={personFields.first_name.label} required error={errors.first_name ?? null}>
            <TextInput {...bind('first_name')} autoComplete="given-name" className="h-8" />
          </Field>
          <Field label={personFields.last_name.label} required error={errors.last_name ?? null}>
            <TextInput {...bind('last_name')} autoComplete="family-name" className="h-8" />
          </Field>
        </div>
        <Field label={personFields.phone.label} required error={errors.phone ?? null}>
          <PhoneInput value={bind('phone').value} onChange={bind('phone').onChange} className="h-8" />
        </Field>
        <NewPassword password={bind('password')} confirmation={bind('password_confirmation')} errors={errors} />
        <FormError error={serverError} />
        <Button type="submit" variant="primary" busy={busy} className="h-8">
          Create account
        </Button>
      </form>
    </OutsidePage>
  )
}
