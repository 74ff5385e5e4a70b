import drawn from './drawn.json' with { type: 'json' }
import { FAULTS, type Fault } from './faults.ts'

/** Every fault: those written by hand, and those drawn by `npm run torture -- faults --draw 20`. */
export const EVERY: readonly Fault[] = [...FAULTS, ...drawn.faults]

/** Returns the file's text with the fault planted; throws if the text that it replaces isn't there exactly once. */
export function planted({ id, file, from, to }: Fault, text: string): string {
  const [before, after, ...more] = text.split(from)
  if (after === undefined || more.length > 0)
    throw new Error(`${id} no longer applies: ${file} has its text ${more.length ? `${more.length + 1} times` : 'no more'}`)
  return before + to + after
}
