import { createContext, use } from 'react'

/** True in a form whose options are ticked by digits. */
export const DigitsContext = createContext(false)

/** The digit that ticks an option, where the form takes digits; `at` counts from 0. */
export function Digit({ at }: { at: number }) {
  return use(DigitsContext) && at < 9 ? (
    <span aria-hidden="true" className="ml-1 font-mono text-meta text-faint narrow:hidden">
      {at + 1}
    </span>
  ) : null
}
