/** Text stored by name in this browser. If storage is full or forbidden, nothing is stored and nothing fails. */
export interface BrowserStore {
  /** Returns null for what isn't stored or can't be read. */
  text(name: string): string | null
  /** Stores a text; null deletes it. */
  setText(name: string, text: string | null): void
  /**
   * Returns a value stored by `set` in this version; null if missing or not JSON.
   * `migrate` reads an older version's value; without it, and for a newer version, the value is null.
   */
  get(name: string, version?: number, migrate?: (old: unknown, version: number) => unknown): unknown
  /** Stores a value as JSON, with its version from 2 on; null deletes it. A changed shape gets the next version. */
  set(name: string, value: unknown, version?: number): void
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
      // Without storage, the value lasts until the page closes.
    }
  }
  return {
    text,
    setText,
    get(name, version = 1, migrate) {
      try {
        const kept = JSON.parse(text(name) ?? 'null')
        const stored: number = kept?.$v ?? 1
        const value: unknown = stored > 1 ? kept.value : kept
        return stored === version ? value : stored < version && migrate && value !== null ? migrate(value, stored) : null
      } catch {
        return null
      }
    },
    set: (name, value, version = 1) =>
      setText(name, value === null ? null : JSON.stringify(version > 1 ? { $v: version, value } : value)),
  }
}

/** Storage that all tabs share and that lasts between visits. */
export const browserStore = storeIn(() => globalThis.localStorage)
/** Storage of this tab that lasts across reloads. */
export const tabStore = storeIn(() => globalThis.sessionStorage)
