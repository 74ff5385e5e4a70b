import { setTimeout as delay } from 'node:timers/promises'

const toClose: { close: () => Promise<unknown>; late: Error }[] = []

/** How long (ms) one closing may take: the hook that calls them all fails later, without saying where. */
const CLOSE_WITHIN = 30_000

/**
 * Closes something after this file's tests; `api-file.ts` does it.
 * vitest silently drops an `afterAll` called within a `beforeAll`, as shared setup does.
 */
export function closeAfterFile(close: () => Promise<unknown>): void {
  toClose.push({ close, late: new Error('What was opened here can’t be closed') })
}

/** Closes everything registered since the last call, latest first; throws where one was opened that doesn't end. */
export async function closeAll(): Promise<void> {
  for (const { close, late } of toClose.splice(0).reverse()) {
    const waiting = new AbortController()
    const tooLate = delay(CLOSE_WITHIN, undefined, { signal: waiting.signal }).then(() => {
      throw late
    })
    tooLate.catch(() => {})
    await Promise.race([close(), tooLate]).finally(() => waiting.abort())
  }
}
