import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../../../ui/cx.ts'
import { box, useField } from '../../../ui/useField.ts'

/** A password field with a show button. `kind` tells password managers whether it is current or new. */
export function PasswordInput({
  value,
  onChange,
  name,
  kind,
}: {
  value: string
  onChange: (value: string) => void
  name: string
  kind: 'current-password' | 'new-password'
}) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <span className="relative flex items-center">
      <input
        type={shown ? 'text' : 'password'}
        name={name}
        autoComplete={kind}
        autoCapitalize="none"
        spellCheck={false}
        {...useField()}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(box, 'h-8 pr-9')}
      />
      <button
        type="button"
        data-view=""
        aria-pressed={shown}
        aria-label="Show characters"
        onClick={() => setShown(!shown)}
        className="absolute right-1 grid size-6 place-items-center rounded-sm text-muted hover:text-ink"
      >
        {/* For the mouse: as the button's own title, it would be read after the same name. */}
        <span aria-hidden="true" title="Show characters" className="absolute inset-0" />
        <Icon size={14} aria-hidden="true" />
      </button>
    </span>
  )
}
