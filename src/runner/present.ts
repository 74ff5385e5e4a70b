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
  /** Shows the notice beside the dialog too. */
  always?: boolean
  /** What the notice's "Open" does, if not just showing the dialog. */
  leads?(): void
}

/**
 * The only way to open a dialog after slow work: only if the user still waits (`waits`, attention.ts).
 * Others, and those about to press a key, get a notice with "Open" (decisions.md 13).
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

const withOpen = (more: More, run: () => void): Pick<More, 'action' | 'second'> =>
  more.second ? {} : more.action ? { second: { label: 'Open', run } } : { action: { label: 'Open', run } }

/** A dialog for a finished command. */
export const resultOpening = (told: CommandResult): Opening => ({
  open: () => store.set(resultAtom, told),
  close: () => store.set(resultAtom, null),
})
