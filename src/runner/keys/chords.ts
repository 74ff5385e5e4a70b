import { type KeybindingPress, matchKeybindingPress } from 'tinykeys'
import { parse, type Reading } from './token.ts'

/** The bindings of one context: keys → command id. */
export type Bindings = Readonly<Record<string, string>>

/** What can follow some keys in one context. */
interface After {
  /** The keys that can be pressed next, as tinykeys matches them. */
  presses: Map<string, KeybindingPress>
  /** The rest of each binding → its command. */
  next: Map<string, string>
}

/** The bindings of each context by the keys pressed before, which are '' at first. */
const known = new WeakMap<Bindings, ReadonlyMap<string, After>>()

/** Parses the bindings of a context on first use. */
function parsed(bindings: Bindings): ReadonlyMap<string, After> {
  const before = known.get(bindings)
  if (before) return before
  const made = new Map<string, After>([['', { presses: new Map(), next: new Map() }]])
  for (const [binding, id] of Object.entries(bindings)) {
    const keys = binding.split(' ')
    for (const [at, press] of parse(binding).entries()) {
      const pressed = keys.slice(0, at).join(' ')
      const after = made.get(pressed) ?? { presses: new Map(), next: new Map() }
      made.set(pressed, after)
      after.presses.set(keys[at]!, press)
      after.next.set(keys.slice(at).join(' '), id)
    }
  }
  known.set(bindings, made)
  return made
}

/** What keys pressed so far lead to. */
export interface Match {
  /** The command of exactly these keys. */
  command: string | null
  /** What longer bindings begin with them: the rest of the keys → command. */
  next: ReadonlyMap<string, string>
}

/** Looks keys up in a chain of contexts, outermost first: the innermost wins, then the later binding (workspace.md, Keys). */
export function lookUp(keys: readonly string[], chain: readonly Bindings[]): Match {
  const pressed = keys.join(' ')
  const next = new Map<string, string>()
  let command: string | null = null
  for (const bindings of chain) {
    const after = parsed(bindings)
    const whole = after.get('')!.next.get(pressed)
    if (whole !== undefined) {
      command = whole
      // A key that means something here must not wait for what an outer context might make of it.
      next.clear()
    }
    for (const [rest, id] of after.get(pressed)?.next ?? []) next.set(rest, id)
  }
  return { command, next }
}

/** Returns the key of the keymap that a reading matches after the pending keys; null when no binding continues with it. */
function keyOf(reading: Reading, pending: readonly string[], chain: readonly Bindings[]): string | null {
  const before = pending.join(' ')
  // tinykeys reads nothing of an event but what a reading has.
  for (const bindings of chain)
    for (const [key, press] of parsed(bindings).get(before)?.presses ?? [])
      if (matchKeybindingPress(reading as unknown as KeyboardEvent, press)) return key
  return null
}

export type Step =
  /** Run it now. */
  | { kind: 'run'; command: string }
  /** Wait for more keys; `command` runs when none come in time. */
  | { kind: 'wait'; keys: readonly string[]; command: string | null; next: ReadonlyMap<string, string> }
  /** Keys that mean nothing here; `handled` when they ended a pending chord. */
  | { kind: 'none'; handled: boolean }

/** True for a key that people press while typing words: a character, Space, Enter, Backspace, Tab. */
const isWritten = (key: string): boolean => /^(Shift\+)?(.|Space|Enter|Backspace|Tab)$/u.test(key)

/**
 * Returns what one more key leads to, by the first of its readings that leads anywhere. A wrong key ends a pending chord. If it
 * may belong to a word, it does nothing else: words typed for what these keys once led to must not run as commands. Any other
 * key is tried on its own.
 */
export function press(pending: readonly string[], may: readonly Reading[], chain: readonly Bindings[]): Step {
  const first = (before: readonly string[]) => {
    for (const reading of may) {
      const key = keyOf(reading, before, chain)
      if (key !== null) return key
    }
    return null
  }
  return step(pending, first(pending) ?? first([]) ?? may[0]!.name, chain)
}

function step(pending: readonly string[], key: string, chain: readonly Bindings[]): Step {
  const keys = [...pending, key]
  const { command, next } = lookUp(keys, chain)
  if (next.size) return { kind: 'wait', keys, command, next }
  if (command) return { kind: 'run', command }
  if (!pending.length) return { kind: 'none', handled: false }
  if (key === 'Escape') return { kind: 'none', handled: true }
  const alone = isWritten(key) ? null : step([], key, chain)
  return !alone || alone.kind === 'none' ? { kind: 'none', handled: true } : alone
}
