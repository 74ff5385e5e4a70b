/** Text stored by name in this browser. A full or forbidden store keeps nothing and breaks nothing. */
export interface BrowserStore {
  /** Returns null for what isn't stored or can't be read. */
  text(name: string): string | null
  /** Stores a text; null deletes it. */
  setText(name: string, text: string | null): void
  /** Returns a value stored by `set`; null if missing or not JSON. Check its shape, as an older page may differ. */
  get(name: string): unknown
  /** Stores a value as JSON; null deletes it. */
  set(name: string, value: unknown): void
}

function storeIn(find: () => Storage | undefined): BrowserStore {
  const text = (name: string): string | null => {
    try {
      return find()?.getItem(name) ?? null
    } catch {
      return null
    }
  }
  const setText = (name: string, value: string | null): void => {
    try {
      if (value === null) find()?.removeItem(name)
      else find()?.setItem(name, value)
    } catch {
      // Then it lasts until the page closes.
    }
  }
  return {
    text,
    setText,
    get(name) {
      try {
        return JSON.parse(text(name) ?? 'null') as unknown
      } catch {
        return null
      }
    },
    set: (name, value) => setText(name, value === null ? null : JSON.stringify(value)),
  }
}

/** Kept between visits and shared by all tabs. */
export const browserStore = storeIn(() => globalThis.localStorage)
/** Kept for this tab, across reloads. */
export const tabStore = storeIn(() => globalThis.sessionStorage)
