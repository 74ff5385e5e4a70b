import { createContext, use } from 'react'

/** True in a form whose options can be toggled with digit keys. */
export const DigitsContext = createContext(false)

/** The digit key of an option, if the form uses digits; `at` counts from 0. */
export function Digit({ at }: { at: number }) {
  return use(DigitsContext) && at < 9 ? (
    <span aria-hidden="true" className="ml-1 font-mono text-meta text-faint narrow:hidden">
      {at + 1}
    </span>
  ) : null
}
