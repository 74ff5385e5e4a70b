import { atom } from 'jotai'
import type { Subject } from '../commands/subject.ts'
import type { CommandId } from '../commands/table.ts'

/** How a command was started: who used a key needs no mention of it, who pressed a button gets a dialog. */
export type Via = 'button' | 'menu' | 'key' | 'palette' | 'link'

/** What somebody starts a command with. */
export interface How {
  /** What it acts on; by default what is on the screen. */
  subjects?: readonly Subject[]
  answers?: Readonly<Record<string, unknown>>
  via: Via
}

/** Something done, or to be done: all that is needed to do it again. */
export interface Invocation {
  id: CommandId
  subjects: readonly Subject[]
  answers: Readonly<Record<string, unknown>>
  via: Via
  /** The person's one intent: what is run twice under it is done once. */
  attempt?: string | undefined
}

/** A command whose questions are open: in the palette, or as a dialog. */
export interface Asking extends Invocation {
  /** Selected rows that it can't act on, and why. */
  left: readonly { subject: Subject; reason: string }[]
  /** Questions that need not be asked: their answers were given. */
  settled: readonly string[]
  /** What the server said is wrong, by question; `''` is about the whole. */
  errors: Readonly<Record<string, string>>
  /** Of a stale write: the fields as somebody else left them. */
  theirs?: readonly { field: string; question: string | null; value: unknown }[]
  /** A new object each time, so that a dialog knows it is a new one. */
  key: number
}

/** Work under way, or waiting for its countdown; the status line shows it. */
export interface Work {
  key: number
  title: string
  /** When a countdown ends (epoch ms); undefined while it runs. */
  until?: number
  done: number
  total: number
  note: string
  cancel(): void
}

export interface PaletteStart {
  text?: string
  command?: Asking
  /** Its keys were pressed before the palette was there. */
  key: number
  at: { focused: Subject | null; cursor: Subject | null; selected: readonly Subject[] }
  /** The pane that had the focus, by its id. */
  pane: string
}

/** What a finished command has to say in a dialog of its own. */
export type CommandResult =
  | { kind: 'dialog'; title: string; body: string; copy?: string; onOk?: () => void }
  | { kind: 'refused'; title: string; rows: readonly { id: number; name: string; reason: string }[]; again: () => void }

/** The palette, open or not. */
export const paletteAtom = atom<PaletteStart | null>(null)
/** The dialog of a command's questions. */
export const askingAtom = atom<Asking | null>(null)
export const resultAtom = atom<CommandResult | null>(null)
export const worksAtom = atom<readonly Work[]>([])
/** The `?` sheet. */
export const helpAtom = atom(false)
/** Pending keys and what can follow them, for the strip. */
export const pendingAtom = atom<{ keys: readonly string[]; next: ReadonlyMap<string, string> } | null>(null)

let keys = 0
export const nextKey = (): number => ++keys

/** True from the first thing to say: then the page holds a toaster. */
export const toasterAtom = atom(false)
