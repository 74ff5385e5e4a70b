import { vi } from 'vitest'

/*
 * Replaces what a document without layout lacks: every element is as large as the window.
 * Lists therefore draw the rows of one window, and nothing is measured.
 * Tests of sizes, scrolling, focus rings and real text input are component tests (tests/component).
 */
const SIZE = { width: 1440, height: 320 }

class NothingObserved {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return []
  }
}
vi.stubGlobal('ResizeObserver', NothingObserved)
vi.stubGlobal('IntersectionObserver', NothingObserved)
vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { media, matches: false }))
vi.stubGlobal('CSS', { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&'), supports: () => false, highlights: new Map() })
for (const name of ['clientHeight', 'offsetHeight'] as const)
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => SIZE.height })
for (const name of ['clientWidth', 'offsetWidth'] as const)
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => SIZE.width })
Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, SIZE.width, SIZE.height)
Element.prototype.getClientRects = () => [new DOMRect(0, 0, SIZE.width, SIZE.height)] as unknown as DOMRectList
Element.prototype.scrollIntoView = () => {}
// Asks the workspace not to load every screen's code ahead.
Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
// React must see that the value differs from the one it knows, as in browsers.
const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
HTMLInputElement.prototype.setRangeText = function (text: string, start?: number, end?: number): void {
  setter.call(this, this.value.slice(0, start) + text + this.value.slice(end))
  this.setSelectionRange((start ?? 0) + text.length, (start ?? 0) + text.length)
}
// React renders at once what a key or click changes, which it recognizes by the event under way.
const dispatch = EventTarget.prototype.dispatchEvent
EventTarget.prototype.dispatchEvent = function (event) {
  const before = window.event
  window.event = event
  try {
    return dispatch.call(this, event)
  } finally {
    window.event = before
  }
}
// Replayed letters are typed by the browser, which keeps them for its own undo; a DOM types nothing by itself.
Object.assign(document, { execCommand: () => false })
