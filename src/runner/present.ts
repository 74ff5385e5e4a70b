import { store } from '../data/jotaiStore.ts'
import { openedUnasked } from './keys/aside.ts'
import { type CommandResult, resultAtom } from './runnerState.ts'
import { type More, toast } from './say.tsx'

/** Something that opens before a person, and how it is taken away again. */
export interface Opening {
  open(): void
  close(): void
}

interface Besides {
  /** The notice comes beside the dialog too. */
  always?: boolean
  /** What "Open" does, where it is more than showing the dialog. */
  leads?(): void
}

/**
 * The one way to open a dialog at the end of something slow: it opens only for a user who still waits for it (`waits`,
 * see attention.ts). For one who has gone on, or is about to press the next key, it is a notice with "Open"
 * (decisions.md 13).
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

/** A dialog of something that is done. */
export const telling = (told: CommandResult): Opening => ({
  open: () => store.set(resultAtom, told),
  close: () => store.set(resultAtom, null),
})
