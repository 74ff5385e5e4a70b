const toClose: (() => Promise<unknown>)[] = []

/**
 * Has something closed when the tests of this file are over. An `afterAll` won't do where it is said within a `beforeAll`, as in what
 * several files use: vitest drops it without a word. `api-file.ts` does the closing.
 */
export function closeAfterFile(close: () => Promise<unknown>): void {
  toClose.push(close)
}

/** Closes, latest first, all that was asked for since the last time. */
export async function closeAll(): Promise<void> {
  for (const close of toClose.splice(0).reverse()) await close()
}
