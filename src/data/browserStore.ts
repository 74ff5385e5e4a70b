/** What this browser keeps by itself, as text by name. A store that is full or forbidden keeps nothing and breaks nothing. */
export interface BrowserStore {
  /** Null for what isn't kept or can't be read. */
  text(name: string): string | null
  /** Keeps a text; null forgets it. */
  setText(name: string, text: string | null): void
  /** What was kept with `set`; null for what isn't there or is no JSON. The reader checks its shape: an older page may have written it. */
  get(name: string): unknown
  /** Keeps a value as JSON; null forgets it. */
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
      // It is then remembered until the page is closed.
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

/** Kept for the next visit, and shared by all tabs. */
export const browserStore = storeIn(() => globalThis.localStorage)
/** Kept for this tab, over reloads. */
export const tabStore = storeIn(() => globalThis.sessionStorage)
