/** The bindings of one context: keys → command id. */
export type Bindings = Readonly<Record<string, string>>

/** What keys pressed so far lead to. */
export interface Match {
  /** The command of exactly these keys. */
  command: string | null
  /** What longer bindings begin with them: the rest of the keys → command. */
  next: ReadonlyMap<string, string>
}

/** Looks keys up through a chain of contexts, outermost first: the innermost wins, then the later binding (workspace.md, Keys). */
export function lookUp(keys: readonly string[], chain: readonly Bindings[]): Match {
  const pressed = keys.join(' ')
  const next = new Map<string, string>()
  let command: string | null = null
  for (const bindings of chain) {
    const own = new Map<string, string>()
    for (const [binding, id] of Object.entries(bindings)) {
      if (binding === pressed) {
        command = id
        // A key that means something here must not wait for what an outer context might make of it.
        next.clear()
      } else if (binding.startsWith(`${pressed} `)) own.set(binding.slice(pressed.length + 1), id)
    }
    for (const [rest, id] of own) next.set(rest, id)
  }
  return { command, next }
}

export type Step =
  /** Run it now. */
  | { kind: 'run'; command: string }
  /** Wait for more keys; `command` runs when none come in time. */
  | { kind: 'wait'; keys: readonly string[]; command: string | null; next: ReadonlyMap<string, string> }
  /** Keys that mean nothing here; `handled` when they ended a pending chord. */
  | { kind: 'none'; handled: boolean }

const leads = (keys: readonly string[], chain: readonly Bindings[]) => {
  const { command, next } = lookUp(keys, chain)
  return command !== null || next.size > 0
}
const meant = (pending: readonly string[], may: readonly string[], chain: readonly Bindings[]): string =>
  may.find((key) => leads([...pending, key], chain)) ?? may.find((key) => leads([key], chain)) ?? may[0]!

/** A key of a word that is written: a letter, a sign, a blank, or what ends and mends it. */
const isWritten = (key: string): boolean => /^(Shift\+)?(.|Space|Enter|Backspace|Tab)$/u.test(key)

/**
 * One key further. A wrong key ends a pending chord at once. One that may belong to a word means nothing else then: words that are typed for what these
 * keys led to yesterday must not run as commands. Any other is tried on its own. Of what a press may mean (`tokensOf`) the first counts that
 * leads anywhere.
 */
export function press(pending: readonly string[], may: string | readonly string[], chain: readonly Bindings[]): Step {
  const key = typeof may === 'string' ? may : meant(pending, may, chain)
  const keys = [...pending, key]
  const { command, next } = lookUp(keys, chain)
  if (next.size) return { kind: 'wait', keys, command, next }
  if (command) return { kind: 'run', command }
  if (!pending.length) return { kind: 'none', handled: false }
  if (key === 'Escape') return { kind: 'none', handled: true }
  const alone = isWritten(key) ? null : press([], key, chain)
  return !alone || alone.kind === 'none' ? { kind: 'none', handled: true } : alone
}
