import { atom } from 'jotai'
import type { Subject } from '../commands/subject.ts'
import type { CommandId } from '../commands/table.ts'

/** How a command started: a key user needs no shortcut hint, a button user gets a dialog. */
type Via = 'button' | 'menu' | 'key' | 'palette' | 'link'

/** What `start` takes besides the command. */
export interface How {
  /** Its subjects; by default those on the screen. */
  subjects?: readonly Subject[]
  answers?: Readonly<Record<string, unknown>>
  via: Via
  /** Its subjects hold what the command reads before it asks. */
  prepared?: boolean
}

/** A command done or to do, with everything needed to repeat it. */
export interface Invocation {
  id: CommandId
  subjects: readonly Subject[]
  answers: Readonly<Record<string, unknown>>
  via: Via
  /** Identifies the user's intent: running it twice writes once. */
  attempt?: string | undefined
}

/** A command with open questions, in the palette or as a dialog. */
export interface Asking extends Invocation {
  /** Selected rows that it skips, and why. */
  left: readonly { subject: Subject; reason: string }[]
  /** Questions not to ask, as their answers were given. */
  settled: readonly string[]
  /** The server's errors by question; `''` is about the whole. */
  errors: Readonly<Record<string, string>>
  /** After a stale write: the fields as somebody else left them. */
  theirs?: readonly { field: string; question: string | null; value: unknown; was: unknown }[]
  /** New each time, so a dialog can tell a new one. */
  key: number
}

/** Work that is running or counting down; the status line shows it. */
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
  at: { focused: Subject | null; cursor: Subject | null; selected: readonly Subject[] }
  /** The id of the pane that had the focus. */
  pane: string
}

/** A finished command's result in its own dialog. */
export type CommandResult =
  | { kind: 'dialog'; title: string; body: string; copy?: string; onOk?: () => void }
  | {
      kind: 'refused'
      title: string
      rows: readonly { id: number; name: string; reason: string }[]
      /** The records behind the rows, as far as they are known. */
      subjects: readonly Subject[]
      again: (subjects: readonly Subject[]) => void
    }

/** The palette, or null when closed. */
export const paletteAtom = atom<PaletteStart | null>(null)
/** The dialog with a command's questions. */
export const askingAtom = atom<Asking | null>(null)
export const resultAtom = atom<CommandResult | null>(null)
export const worksAtom = atom<readonly Work[]>([])
/** Whether the `?` sheet is open. */
export const helpAtom = atom(false)
/** The command whose keys are being changed, from the `?` sheet or the palette. */
export const rebindingAtom = atom<CommandId | null>(null)
/** Pending keys and what can follow, for the strip. */
export const pendingAtom = atom<{ keys: readonly string[]; next: ReadonlyMap<string, string> } | null>(null)

let keys = 0
export const nextKey = (): number => ++keys

/** True from the first notice on, when the page needs a toaster. */
export const toasterAtom = atom(false)
