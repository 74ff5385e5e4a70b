import { atom } from 'jotai'
import type { RawAnswers } from '../commands/command.ts'
import type { Subject } from '../commands/subject.ts'
import type { CommandId } from '../commands/table.ts'

/** How a command started: keyboard users need no shortcut hint, and button users get a dialog. */
type Via = 'button' | 'menu' | 'key' | 'palette' | 'link'

/** Options of `start`. */
export interface How {
  /** Its subjects; defaults to those on the screen. */
  subjects?: readonly Subject[]
  answers?: RawAnswers
  via: Via
  /** True if its subjects have been prepared already. */
  prepared?: boolean
}

/** A command that ran or will run, with everything needed to repeat it. */
export interface Invocation {
  id: CommandId
  subjects: readonly Subject[]
  answers: RawAnswers
  via: Via
  /** Identifies the user's intent: running it twice writes once. */
  attempt?: string | undefined
}

/** A command with open questions, in the palette or as a dialog. */
export interface Asking extends Invocation {
  /** Selected rows to skip, with the reason. */
  left: readonly { subject: Subject; reason: string }[]
  /** Questions not to ask, because their answers were given. */
  settled: readonly string[]
  /** The server's errors by question; `''` is about the whole. */
  errors: Readonly<Record<string, string>>
  /** After a stale write: the fields as the other user left them. */
  theirs?: readonly { field: string; question: string | null; value: unknown; was: unknown }[]
  /** New each time, so that a dialog can tell them apart. */
  key: number
}

/** Work that is running or counting down, for the status line. */
export interface Work {
  key: number
  title: string
  /** When a countdown ends (epoch ms); undefined once it runs. */
  until?: number
  done: number
  total: number
  note: string
  cancel(): void
}

export interface PaletteStart {
  text?: string
  command?: Asking
  /** Identifies the opening that keys pressed early belong to. */
  key: number
  at: { focused: Subject | null; cursor: Subject | null; selected: readonly Subject[]; deleted?: Subject | null }
  /** The id of the pane that had the focus. */
  pane: string
}

/** A finished command's result in its own dialog. */
export type CommandResult =
  /** With `retry` it is about a failure: it offers Retry and Edit instead of OK. */
  | { kind: 'dialog'; title: string; body: string; copy?: string; onOk?: () => void; retry?: () => void }
  | {
      kind: 'refused'
      title: string
      rows: readonly { id: number; name: string; reason: string }[]
      /** The records behind the rows, if known. */
      subjects: readonly Subject[]
      again: (subjects: readonly Subject[]) => void
    }

/** The palette, or null when closed. */
export const paletteAtom = atom<PaletteStart | null>(null)
/** The dialog with a command's questions. */
export const askingAtom = atom<Asking | null>(null)
export const resultAtom = atom<CommandResult | null>(null)
export const worksAtom = atom<readonly Work[]>([])
/** True while the `?` sheet is open. */
export const helpAtom = atom(false)
/** The command whose shortcut is being changed, from the `?` sheet or the palette. */
export const rebindingAtom = atom<CommandId | null>(null)
/** Pending keys and what can follow, for the strip. */
export const pendingAtom = atom<{ keys: readonly string[]; next: ReadonlyMap<string, string> } | null>(null)

let keys = 0
export const nextKey = (): number => ++keys

/** True from the first toast on, when the page needs a toaster. */
export const toasterAtom = atom(false)
