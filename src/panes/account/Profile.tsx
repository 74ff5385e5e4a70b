import { useEffect, useMemo, useRef } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import type { FormController } from '../../commands/workspaceApi.ts'
import { api } from '../../data/apiClient.ts'
import { store } from '../../data/jotaiStore.ts'
import { type Me, sessionAtom } from '../../data/session.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PhoneInput } from '../../ui/PhoneInput.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { SettingsSection } from '../shared/SettingsSection.tsx'

const valuesOf = (me: Me) => ({ first_name: me.first_name, last_name: me.last_name, phone: me.phone, company: me.company_name })

/** Edits name, phone and company of the signed-in user. */
export function Profile({ me }: { me: Me }) {
  const { setDirty } = usePane()
  const keys = useKeys()
  const { bind, errors, busy, serverError, form, reset, dirty } = useSmallForm({
    initial: valuesOf(me),
    check: ({ first_name, last_name, phone }) => ({
      ...(first_name.trim() ? {} : { first_name: MESSAGES.firstName }),
      ...(last_name.trim() ? {} : { last_name: MESSAGES.lastName }),
      ...(!phone ? { phone: MESSAGES.phoneBlank } : phone.length === 10 ? {} : { phone: MESSAGES.phoneLength }),
    }),
    send: async ({ company, ...values }) => {
      const { data, message } = await api.write('account.edit', {
        ...values,
        ...(me.clients.length ? {} : { company }),
        lock_version: me.lock_version,
      })
      store.set(sessionAtom, { state: 'in', me: data })
      reset(valuesOf(data))
      workspace.notice(message, 'good')
    },
  })
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  const latest = useRef({ me, reset })
  latest.current = { me, reset }
  const { ref } = form
  usePaneForm(
    useMemo<FormController>(
      () => ({
        send: () => ref.current?.requestSubmit(),
        discard: () => latest.current.reset(valuesOf(latest.current.me)),
      }),
      [ref],
    ),
  )
  return (
    <SettingsSection title="Profile">
      <form {...form} className="grid gap-4 @lg:grid-cols-2">
        <Field label="First name" required error={errors.first_name ?? null}>
          <TextInput {...bind('first_name')} autoComplete="given-name" />
        </Field>
        <Field label="Last name" required error={errors.last_name ?? null}>
          <TextInput {...bind('last_name')} autoComplete="family-name" />
        </Field>
        <Field label="Phone" required error={errors.phone ?? null}>
          <PhoneInput value={bind('phone').value} onChange={bind('phone').onChange} />
        </Field>
        <Field label="Company" hint={me.clients.length ? 'The client you work for.' : undefined}>
          <TextInput {...bind('company')} readOnly={me.clients.length > 0} autoComplete="organization" />
        </Field>
        <div className="flex items-center gap-3 @lg:col-span-2">
          <Button
            type="submit"
            variant={dirty ? 'primary' : 'default'}
            busy={busy}
            reason={dirty ? null : 'no changes yet'}
            data-command="form.send"
            kbd={keys('form.send') ?? undefined}
          >
            Save profile
          </Button>
          {serverError && (
            <p role="alert" className="flex items-baseline gap-1.5 text-red-ink">
              <Mark shape="cross" />
              {serverError.message}
            </p>
          )}
        </div>
      </form>
    </SettingsSection>
  )
}
