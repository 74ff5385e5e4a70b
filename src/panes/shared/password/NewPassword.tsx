import { useEffect, useState } from 'react'
import { PASSWORD_CONDITIONS, strongPassword } from '../../../../contract/messages.ts'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/Field.tsx'
import { Mark } from '../../../ui/Pill.tsx'
import { PasswordInput } from './PasswordInput.tsx'

const NOBODY = { email: '', first_name: '', last_name: '' }

/** Why a password that meets the rule is refused all the same; the list of common words loads once one does. */
function useCommonFault(password: string): string | null {
  const [checked, setChecked] = useState({ password: '', fault: null as string | null })
  useEffect(() => {
    if (!strongPassword(password)) return
    let isCurrent = true
    void import('../../../../contract/commonPassword.ts').then(({ commonFault }) => {
      if (isCurrent) setChecked({ password, fault: commonFault(password, NOBODY) })
    })
    return () => {
      isCurrent = false
    }
  }, [password])
  return checked.password === password ? checked.fault : null
}

type Bound = { value: string; onChange(value: string): void; name: string }

/** Asks for a new password and its confirmation; lists unmet rules while typing (decisions.md 7). */
export function NewPassword({
  password,
  confirmation,
  errors,
}: {
  password: Bound
  confirmation: Bound
  errors: { password?: string | undefined; password_confirmation?: string | undefined }
}) {
  const common = useCommonFault(password.value)
  return (
    <>
      <Field label="New password" required error={common ?? errors.password ?? null}>
        <PasswordInput {...password} kind="new-password" />
      </Field>
      <ul aria-label="A password needs" className="-mt-2 flex flex-wrap gap-x-3 gap-y-0.5 text-meta">
        {PASSWORD_CONDITIONS.map(([words, holds]) => {
          const held = holds(password.value)
          return (
            <li key={words} className={cx('flex items-center gap-1', held ? 'text-green-ink' : 'text-faint')}>
              <Mark shape={held ? 'tick' : 'ring'} />
              {words}
              {held && <span className="sr-only">, done</span>}
            </li>
          )
        })}
      </ul>
      <Field label="Confirm password" required error={errors.password_confirmation ?? null}>
        <PasswordInput {...confirmation} kind="new-password" />
      </Field>
    </>
  )
}
