import { afterEach, beforeEach, vi } from 'vitest'

/** What a key is pressed in, as far as the listener asks: the one selector that it matches. */
export class FakeElement {
  private is: string
  constructor(is = '') {
    this.is = is
  }
  closest(selector: string) {
    return this.is && selector.includes(this.is) ? this : null
  }
  matches(selector: string) {
    return this.closest(selector) !== null
  }
}

/** Around each test: a document without dialogs, and a fake clock. */
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
