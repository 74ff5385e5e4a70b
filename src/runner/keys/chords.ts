import { type KeybindingPress, matchKeybindingPress } from 'tinykeys'
import { parse, type Reading } from './keyReading.ts'

/** A context's bindings: keys → command id. */
export type Bindings = Readonly<Record<string, string>>

/** What can follow a sequence of keys in one context. */
interface After {
  /** The possible next keys, parsed by tinykeys. */
  presses: Map<string, KeybindingPress>
  /** The rest of each binding → its command. */
  next: Map<string, string>
  /** Cache of what a reading matches, by its name. */
  read: Map<string, string | null>
}
const after = (): After => ({ presses: new Map(), next: new Map(), read: new Map() })

/** Each context's bindings by the keys already pressed, '' at first. */
const known = new WeakMap<Bindings, ReadonlyMap<string, After>>()

/** Parses a context's bindings on first use. */
function parsed(bindings: Bindings): ReadonlyMap<string, After> {
  const before = known.get(bindings)
  if (before) return before
  const made = new Map<string, After>([['', after()]])
  for (const [binding, id] of Object.entries(bindings)) {
    const keys = binding.split(' ')
    for (const [at, press] of parse(binding).entries()) {
      const pressed = keys.slice(0, at).join(' ')
      const then = made.get(pressed) ?? after()
      made.set(pressed, then)
      then.presses.set(keys[at]!, press)
      then.next.set(keys.slice(at).join(' '), id)
    }
  }
  known.set(bindings, made)
  return made
}

/** What the keys pressed so far match. */
export interface Match {
  /** The command bound to exactly these keys. */
  command: string | null
  /** Longer bindings that start with these keys: the rest of the keys → command. */
  next: ReadonlyMap<string, string>
}

/** Looks up keys in nested contexts: the innermost wins, then the later binding (workspace.md, Keys). */
export function lookUp(keys: readonly string[], chain: readonly Bindings[]): Match {
  const pressed = keys.join(' ')
  const next = new Map<string, string>()
  let command: string | null = null
  for (const bindings of chain) {
    const known = parsed(bindings)
    const whole = known.get('')!.next.get(pressed)
    if (whole !== undefined) {
      command = whole
      // A key with a meaning here doesn't wait for a longer binding of an outer context.
      next.clear()
    }
    for (const [rest, id] of known.get(pressed)?.next ?? []) next.set(rest, id)
  }
  return { command, next }
}

/** Returns the keymap's key that a reading matches after the pending ones; null if no binding continues with it. */
function keyOf(reading: Reading, pending: readonly string[], chain: readonly Bindings[]): string | null {
  const before = pending.join(' ')
  for (const bindings of chain) {
    const then = parsed(bindings).get(before)
    const key = then && matching(reading, then)
    if (key) return key
  }
  return null
}

/** Returns the key that a reading matches. Its name determines everything that tinykeys looks at. */
function matching(reading: Reading, { presses, read }: After): string | null {
  let key = read.get(reading.name)
  if (key === undefined) {
    // tinykeys reads only those properties of an event that a reading has.
    key = [...presses].find(([, press]) => matchKeybindingPress(reading as unknown as KeyboardEvent, press))?.[0] ?? null
    read.set(reading.name, key)
  }
  return key
}

export type Step =
  /** Run it now. */
  | { kind: 'run'; command: string }
  /** Wait for more keys; `command` runs if none come in time. */
  | { kind: 'wait'; keys: readonly string[]; command: string | null; next: ReadonlyMap<string, string> }
  /** The keys mean nothing here; `handled` if they ended a pending sequence. */
  | { kind: 'none'; handled: boolean }

/** True for keys used to type words: a character, Space, Enter, Backspace, Tab. */
const isWritten = (key: string): boolean => /^(Shift\+)?(.|Space|Enter|Backspace|Tab)$/u.test(key)

/**
 * Returns the effect of one more key, by the first of its readings that has any.
 * A wrong key ends a pending sequence. A key of a word does only that, because typed words must not run commands.
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
