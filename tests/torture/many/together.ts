import type { Fleet } from './fleet.ts'
import { KNOWN } from './together/known.ts'
import { ONCE } from './together/once.ts'
import type { Kept } from './together/promise.ts'
import { SESSIONS } from './together/sessions.ts'
import { WORK } from './together/work.ts'

/** What three processes on one PostgreSQL do as one, in the order of the checks. */
export const TOGETHER: readonly Kept[] = [...SESSIONS, ...WORK, ...ONCE, ...KNOWN]

/** Checks every promise; returns those that were broken. */
export async function holdTogether(fleet: Fleet): Promise<string[]> {
  const faults: string[] = []
  for (const { name, hold } of TOGETHER)
    await hold(fleet).catch((error: Error) => void faults.push(`${name}: ${error.message.split('\n')[0]}`))
  return faults
}
