import { accountFields } from '../../../contract/accountFields.ts'
import { inputOf, pick, textsOf } from '../../../contract/fieldKinds.ts'
import { api } from '../../data/apiClient.ts'
import { store } from '../../data/jotaiStore.ts'
import { type Me, sessionAtom } from '../../data/session.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { usePaneForm } from '../../workspace/pane.tsx'
import { SmallField } from '../shared/form/SmallField.tsx'
import { useSmallFieldForm } from '../shared/form/useSmallFieldForm.ts'
import { SettingsSection } from '../shared/SettingsSection.tsx'

const FIELDS = pick(accountFields, 'first_name', 'last_name', 'phone', 'company')
const valuesOf = (me: Me) => textsOf(FIELDS, { ...me, company: me.company_name })

/** Edits name, phone and company of the signed-in user. */
export function Profile({ me }: { me: Me }) {
  const keys = useKeys()
  const small = useSmallFieldForm(FIELDS, {
    initial: valuesOf(me),
    send: async (values) => {
      const { company, ...person } = inputOf(FIELDS, values)
      const { data, message } = await api.write('account.edit', {
        ...person,
        ...(me.clients.length ? {} : { company }),
        lock_version: me.lock_version,
      })
      store.set(sessionAtom, { state: 'in', me: data })
      reset(valuesOf(data))
      workspace.notice(message, 'good')
    },
  })
  const { busy, serverError, form, reset, dirty } = small
  usePaneForm({ send: () => form.ref.current?.requestSubmit(), discard: () => reset(valuesOf(me)) })
  return (
    <SettingsSection title="Profile">
      <form {...form} className="grid gap-4 @lg:grid-cols-2">
        <SmallField form={small} field={FIELDS.first_name} name="first_name" autoComplete="given-name" />
        <SmallField form={small} field={FIELDS.last_name} name="last_name" autoComplete="family-name" />
        <SmallField form={small} field={FIELDS.phone} name="phone" />
        <SmallField
          form={small}
          field={FIELDS.company}
          name="company"
          hint={me.clients.length ? 'The client you work for.' : undefined}
        >
          {(bound) => <TextInput {...bound} readOnly={me.clients.length > 0} autoComplete="organization" />}
        </SmallField>
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
