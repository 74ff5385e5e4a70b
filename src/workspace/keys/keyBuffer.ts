/** A key press in the buffer. */
export type Key = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'> & {
  getModifierState?: (name: string) => boolean
}
/** A buffered key, or text without one (pasted, dictated, from a picker). */
export type BufferedKey = Key | { text: string }
export interface KeyBuffer {
  keys: BufferedKey[]
  end: AbortController
  timer: ReturnType<typeof setTimeout>
  playing: boolean
  /** True while a screen loads rather than a field: then every key is buffered. */
  page: boolean
}

/** Where keys may be buffered for, besides screens. */
export const PLACES = '[data-palette], [role=dialog], [role=menu], [data-inline]'
