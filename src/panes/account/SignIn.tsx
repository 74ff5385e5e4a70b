import { type ReactNode, useEffect, useRef } from 'react'
import { accountFields } from '../../../contract/accountFields.ts'
import { faultsOf, pick } from '../../../contract/fieldKinds.ts'
import { api } from '../../data/apiClient.ts'
import { store } from '../../data/jotaiStore.ts'
import { useMay } from '../../data/permissions.ts'
import { type Me, sessionAtom } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { usePane } from '../../workspace/pane.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { checkPassword } from '../shared/password/checkPassword.ts'
import { NewPassword } from '../shared/password/NewPassword.tsx'
import { PasswordInput } from '../shared/password/PasswordInput.tsx'
import { SettingsSection } from '../shared/SettingsSection.tsx'

/** Focuses a section's first control when the address names the section, as commands and emails do. */
function useSection(name: string) {
  const { query, setQuery } = usePane()
  const ref = useRef<HTMLDivElement>(null)
  const isMeant = query.section === name
  useEffect(() => {
    if (!isMeant) return
    ref.current?.querySelector('input')?.focus()
    setQuery({ section: null })
  }, [isMeant, setQuery])
  return ref
}

const Refused = ({ message }: { message: string | undefined }) =>
  message ? (
    <p role="alert" className="flex items-baseline gap-1.5 text-red-ink">
      <Mark shape="cross" />
      {message}
    </p>
  ) : null

interface FormProps {
  /** The section's name in links. */
  name: 'email' | 'password'
  title: string
  about: string
  /** The button's label. */
  action: string
  form: Pick<ReturnType<typeof useSmallForm>, 'form' | 'busy' | 'serverError'>
  className: string
  /** What is above the form. */
  before?: ReactNode
  children: ReactNode
}
/** A section of the account with a form that changes how the user signs in. */
function SignInForm({ name, title, about, action, form: { form, busy, serverError }, className, before, children }: FormProps) {
  return (
    <SettingsSection title={title} about={about}>
      <div ref={useSection(name)}>
        {before}
        <form {...form} className={className}>
          {children}
          <div className="col-span-full flex items-center gap-3">
            <Button type="submit" busy={busy}>
              {action}
            </Button>
            <Refused message={serverError?.message} />
          </div>
        </form>
      </div>
    </SettingsSection>
  )
}

const EMAIL = pick(accountFields, 'email')
/** The email that the user signs in with, a new one that waits to be confirmed, and a form that changes it. */
export function Email({ me }: { me: Me }) {
  // Only their own password spares administrators a second administrator's approval.
  const isProven = useMay('user.approveEmail')
  const form = useSmallForm({
    initial: { email: '', current_password: '' },
    check: (values) => faultsOf(EMAIL, values),
    send: async ({ email, current_password }) => {
      const { data, message } = await api.write('account.edit', { email, ...(current_password ? { current_password } : {}) })
      store.set(sessionAtom, { state: 'in', me: data })
      form.reset({ email: '', current_password: '' })
      workspace.notice(message, 'good')
    },
  })
  const { bind, errors } = form
  const pending = me.pending_email && (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <p className="min-w-60 flex-1 break-words">
        <bdi className="font-medium">{me.pending_email}</bdi>{' '}
        <span className="text-muted">
          {me.pending_email_needs_approval ? 'waits for a second administrator’s approval.' : 'waits to be confirmed.'}
        </span>
      </p>
      {!me.pending_email_needs_approval && <CommandButton id="account.resendEmail" />}
      <CommandButton id="account.cancelEmail" />
    </div>
  )
  return (
    <SignInForm
      name="email"
      title="Email"
      about={`You sign in as ${me.email}. A new email is confirmed by a link sent to it.`}
      action="Change email"
      form={form}
      className="grid gap-4 @lg:grid-cols-2"
      before={pending}
    >
      <Field label="New email" required error={errors.email ?? null}>
        <TextInput {...bind('email')} type="email" autoComplete="email" />
      </Field>
      {isProven && (
        <Field label="Current password" error={errors.current_password ?? null} hint="Or a second administrator approves it.">
          <PasswordInput {...bind('current_password')} kind="current-password" />
        </Field>
      )}
    </SignInForm>
  )
}

const NONE = { current_password: '', password: '', password_confirmation: '' }

/** Changes the user's own password. */
export function Password() {
  const form = useSmallForm({
    initial: NONE,
    check: ({ current_password, ...passwords }) => ({
      ...(current_password ? {} : { current_password: 'Enter your current password' }),
      ...checkPassword(passwords),
    }),
    send: async (values) => {
      await api.write('session.setPassword', values)
      form.reset(NONE)
      workspace.notice('Your password was changed.', 'good')
    },
  })
  const { bind, errors } = form
  return (
    <SignInForm
      name="password"
      title="Password"
      about="A new password signs out your other devices, revokes your personal tokens and pauses your webhooks."
      action="Change password"
      form={form}
      className="grid max-w-sm gap-4"
    >
      <Field label="Current password" required error={errors.current_password ?? null}>
        <PasswordInput {...bind('current_password')} kind="current-password" />
      </Field>
      <NewPassword password={bind('password')} confirmation={bind('password_confirmation')} errors={errors} />
    </SignInForm>
  )
}

/** The user's webhooks that a new password or signing out everywhere has paused; nothing without any. */
export function PausedWebhooks({ me }: { me: Me }) {
  const all = useCall('webhook.list', { status: 'paused', per_page: 100 }).data?.data ?? []
  const paused = all.filter(({ owner_id, reason }) => owner_id === me.id && reason)
  const [first] = paused
  if (!first) return null
  return (
    <SettingsSection title="Paused webhooks" about="Somebody else may have made them. Resume those that you know.">
      <ul className="divide-y divide-line">
        {paused.map((webhook) => (
          <li key={webhook.id} className="flex min-h-12 items-center gap-3 py-1.5">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{webhook.name}</p>
              <p className="truncate text-meta text-muted">{webhook.url.replace(/^https:\/\//, '')}</p>
            </div>
            <CommandButton
              id="webhook.resume"
              subjects={[{ kind: 'webhook', id: webhook.id, name: webhook.name, record: webhook }]}
            />
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}
