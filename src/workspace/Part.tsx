import type { ReactNode } from 'react'
import { workspace } from './currentWorkspace.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { discardWithNotice } from './keys/typeahead.ts'

interface Props {
  /** Its name in the notice: "The palette". */
  name: string
  /** Closes it, so that opening it again tries again. */
  onClose?: () => void
  instead?: ReactNode
  children: ReactNode
}

/** A part of the workspace that an error takes away by itself, with a notice; the panes and other parts stay. */
export function Part({ name, onClose, instead, children }: Props) {
  const fail = (sentence: string) => {
    onClose?.()
    // What was typed for it has no other place.
    discardWithNotice()
    workspace.notice(sentence, 'bad')
  }
  return (
    <ErrorBoundary part={name} onFail={fail} instead={instead}>
      {children}
    </ErrorBoundary>
  )
}
