const toClose: (() => Promise<unknown>)[] = []

/**
 * Closes something after this file's tests; `api-file.ts` does it.
 * vitest silently drops an `afterAll` called within a `beforeAll`, as shared setup does.
 */
export function closeAfterFile(close: () => Promise<unknown>): void {
  toClose.push(close)
}

/** Closes everything registered since the last call, latest first. */
export async function closeAll(): Promise<void> {
  for (const close of toClose.splice(0).reverse()) await close()
}
