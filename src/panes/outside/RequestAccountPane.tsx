import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { accountRequestFields as fields } from '../../../contract/accountFields.ts'
import { faultsOf, textsOf } from '../../../contract/fieldKinds.ts'
import { api } from '../../data/apiClient.ts'
import { configAtom } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PhoneInput } from '../../ui/PhoneInput.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { FormError, FormSuccess, OutsidePage } from './OutsidePage.tsx'

/** Asks the team for an account (people-area 5 and 8). */
export default function RequestAccountPane() {
  const { product } = useAtomValue(configAtom)
  const [message, setMessage] = useState<string | null>(null)
  const { bind, errors, busy, serverError, form } = useSmallForm({
    initial: textsOf(fields),
    check: (values) => faultsOf(fields, values),
    send: async (values) => setMessage((await api.write('session.requestAccount', values)).message),
  })
  return (
    <OutsidePage
      title="Request an account"
      lead={message ? undefined : `Tell us who you are, and the ${product} team will get back to you.`}
      links={[{ to: 'login', title: 'Back to sign in' }]}
    >
      {message ? (
        <FormSuccess>{message}</FormSuccess>
      ) : (
        <form {...form} className="flex flex-col gap-4">
          <Field label={fields.name.label} required error={errors.name ?? null}>
            <TextInput {...bind('name')} autoComplete="name" className="h-8" />
          </Field>
          <Field label={fields.company.label} required error={errors.company ?? null}>
            <TextInput {...bind('company')} autoComplete="organization" className="h-8" />
          </Field>
          <Field label={fields.email.label} required error={errors.email ?? null}>
            <TextInput {...bind('email')} inputMode="email" autoComplete="email" autoCapitalize="none" className="h-8" />
          </Field>
          <Field label={fields.phone.label} required error={errors.phone ?? null}>
            <PhoneInput value={bind('phone').value} onChange={bind('phone').onChange} className="h-8" />
          </Field>
          <FormError error={serverError} />
          <Button type="submit" variant="primary" busy={busy} className="h-8">
            Send request
          </Button>
        </form>
      )}
    </OutsidePage>
  )
}
