import { store } from '../data/jotaiStore.ts'
import { openedUnasked } from './keys/swallowKeys.ts'
import { type CommandResult, resultAtom } from './runnerState.ts'
import { type More, toast } from './toast.tsx'

/** Something that opens in front of the user, and how to close it. */
export interface Opening {
  open(): void
  close(): void
}

interface Besides {
  /** Shows the toast in addition to the dialog. */
  always?: boolean
  /** What the toast's "Open" does, if it isn't just showing the dialog. */
  leads?(): void
}

/**
 * Opens a dialog after slow work, the only way to do so: only if the user still waits (`waits`, attention.ts).
 * Otherwise, or if the user is about to press a key, shows a toast with "Open" (decisions.md 13).
 */
export function present(
  waits: () => boolean,
  { open, close }: Opening,
  sentence: string,
  { always = false, leads = open, ...more }: More & Besides = {},
): void {
  const notice = () => void toast(sentence, { lasts: 20_000, ...more, ...withOpen(more, leads) })
  const still = waits()
  if (always || !still) notice()
  if (!still) return
  openedUnasked(() => {
    close()
    if (!always) notice()
  })
  open()
}

/** Says that a form wasn't saved: in a dialog after a click, in a notice with Retry after a key (decisions.md 14). */
export function presentFailure({ waits, clicks, dialog, sentence, retry }: Failure): void {
  if (clicks) {
    present(waits, dialog, sentence, { tone: 'bad' })
    return
  }
  const field = document.activeElement
  const run = () => {
    // Back to the form, whose user waits for what comes next.
    if (field instanceof HTMLElement && field.isConnected) field.focus()
    retry()
  }
  void toast(sentence, { tone: 'bad', lasts: 20_000, action: { label: 'Retry', run } })
}
interface Failure {
  waits: () => boolean
  clicks: boolean
  dialog: Opening
  sentence: string
  retry(): void
}

const withOpen = (more: More, run: () => void): Pick<More, 'action' | 'second'> =>
  more.second ? {} : more.action ? { second: { label: 'Open', run } } : { action: { label: 'Open', run } }

/** The dialog of a finished command. */
export const resultOpening = (result: CommandResult): Opening => ({
  open: () => store.set(resultAtom, result),
  close: () => store.set(resultAtom, null),
})
