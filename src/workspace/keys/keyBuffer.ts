/** A key as buffered. */
export type Key = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing' | 'keyCode'
> & {
  getModifierState?: (name: string) => boolean
}
/** A buffered key, or text without one (pasted, dictated, from a picker). */
export type BufferedKey = Key | { text: string }
export interface KeyBuffer {
  keys: BufferedKey[]
  end: AbortController
  timer: ReturnType<typeof setTimeout>
  playing: boolean
  /** True when a screen is loading rather than a field: then every key is buffered. */
  page: boolean
}

/** What keys are buffered for, besides screens. */
export const PLACES = '[data-palette], [role=dialog], [role=menu], [data-inline]'
