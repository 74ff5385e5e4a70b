import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from './context.ts'
import { HttpError } from './errors.ts'

/** How long (ms) a batch waits for those of its survey that came before it. */
const PATIENCE_MS = 10_000

/** What comes last for each survey, by process. */
const turns = new WeakMap<Services, Map<number, Promise<void>>>()

/**
 * Runs the batches of a survey one at a time, in the order of their arrival.
 * They would wait for the survey's lock anyway: so they do without the connection or the place that others need.
 */
export async function inSurveyTurn<T>(
  services: Services,
  survey: number,
  work: () => Promise<T>,
  patience = PATIENCE_MS,
): Promise<T> {
  const last = turns.get(services) ?? new Map<number, Promise<void>>()
  turns.set(services, last)
  const before = last.get(survey)
  const { promise, resolve } = Promise.withResolvers<void>()
  const mine = before ? before.then(() => promise) : promise
  last.set(survey, mine)
  // Not when this one ends: if it gave up, those before it are still at work.
  void mine.then(() => {
    if (last.get(survey) === mine) last.delete(survey)
  })
  try {
    if (before) await patiently(before, patience)
    return await work()
  } finally {
    resolve()
  }
}

async function patiently(before: Promise<void>, patience: number): Promise<void> {
  const waiting = new AbortController()
  const late = delay(patience, 'late' as const, { signal: waiting.signal }).catch(() => 'done' as const)
  const outcome = await Promise.race([before, late])
  waiting.abort()
  if (outcome === 'late')
    throw new HttpError(503, 'busy', 'Other batches of this survey are being stored. Send it again: nothing counts twice.', {
      retry_after: 2,
    })
}
