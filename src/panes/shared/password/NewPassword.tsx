import { PASSWORD_RULE } from '../../../../contract/messages.ts'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/Field.tsx'
import { Mark } from '../../../ui/Pill.tsx'
import { PasswordInput } from './PasswordInput.tsx'

const RULES: readonly [words: string, holds: (text: string) => boolean][] = [
  ['8 characters', (text) => text.length >= 8],
  ['a lower-case letter', (text) => /[a-z]/.test(text)],
  ['an upper-case letter', (text) => /[A-Z]/.test(text)],
  ['a digit', (text) => /\d/.test(text)],
  ['a symbol', (text) => /[^A-Za-z0-9]/.test(text)],
]

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
  return (
    <>
      <Field label="New password" required error={errors.password === PASSWORD_RULE ? PASSWORD_RULE : errors.password}>
        <PasswordInput {...password} kind="new-password" />
      </Field>
      <ul aria-label="A password needs" className="-mt-2 flex flex-wrap gap-x-3 gap-y-0.5 text-meta">
        {RULES.map(([words, holds]) => {
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
