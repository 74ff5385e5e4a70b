import { afterEach, beforeEach, vi } from 'vitest'

/** The target of a key press, as far as the listener checks: the selectors that it is within or matches. */
export class FakeElement {
  private is: string[]
  constructor(...is: string[]) {
    this.is = is
  }
  closest(selector: string) {
    return this.is.some((one) => selector.includes(one)) ? this : null
  }
  matches(selector: string) {
    return this.closest(selector) !== null
  }
}

/** Gives each test a document without dialogs, and a fake clock. */
export function onFakePage(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('Element', FakeElement)
    vi.stubGlobal('document', { body: {}, querySelector: () => null })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
