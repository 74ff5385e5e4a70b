import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** What the scenarios need of a browser: an address, keys, and what a script in the page returns. */
export interface Engine {
  go(url: string): Promise<void>
  /** Evaluates an expression; its value must be JSON. */
  read<Value>(expression: string): Promise<Value>
  /** Presses keys one after another: "Control+k", "g c", "Enter". */
  keys(sequence: string): Promise<void>
  /** Types a text letter by letter. */
  type(text: string): Promise<void>
  close(): Promise<void>
}

/** A program on the path, or null. */
export const onPath = (...names: string[]): string | null =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file)) ?? null

/** The code of each named key in WebDriver's keyboard. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ Enter: '\uE006', Escape: '\uE00C', Tab: '\uE004', Space: ' ', Backspace: '\uE003' },
  ...{ ArrowDown: '\uE015', ArrowUp: '\uE013', ArrowLeft: '\uE012', ArrowRight: '\uE014' },
  ...{ Control: '\uE009', Shift: '\uE008', Alt: '\uE00A' },
}
const value = (key: string): string => NAMED[key] ?? key

type Press = { type: 'keyDown' | 'keyUp'; value: string }
/** The presses of a chord: its keys go down in order and up in reverse. */
export function chord(keys: string): Press[] {
  const all = keys.split(/\+(?!$)/).map(value)
  return [
    ...all.map((value): Press => ({ type: 'keyDown', value })),
    ...all.toReversed().map((value): Press => ({ type: 'keyUp', value })),
  ]
}

/** The input of a keyboard, for both protocols. */
export const keyboard = (actions: Press[]) => [{ type: 'key', id: 'keyboard', actions }]

/** Starts a program, and returns what `found` finds in its output. */
export async function started(
  program: string,
  args: readonly string[],
  found: RegExp,
): Promise<{ child: ChildProcess; match: RegExpExecArray }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, MOZ_HEADLESS: '1' } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  for (let waited = 0; waited < 60_000; waited += 100) {
    const match = found.exec(printed)
    if (match) return { child, match }
    if (child.exitCode !== null) break
    await delay(100)
  }
  child.kill('SIGKILL')
  throw new Error(`${program} did not start. It printed:\n${printed}`)
}
