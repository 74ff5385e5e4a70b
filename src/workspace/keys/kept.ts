/** A key as it is kept. */
export type Key = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing' | 'keyCode'
> & {
  getModifierState?: (name: string) => boolean
}
/** What is kept: a key, or text that came without one (pasted, dictated, from a picker). */
export type Kept = Key | { text: string }
export interface Keeping {
  keys: Kept[]
  end: AbortController
  timer: ReturnType<typeof setTimeout>
  playing: boolean
  /** For a screen that is coming, and not for a field: then every key is kept. */
  page: boolean
}

/** Where keys are kept for. */
export const PLACES = '[data-palette], [role=dialog], [role=menu], [data-inline]'
