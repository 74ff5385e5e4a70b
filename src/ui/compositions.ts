/**
 * Keeps the keys of a composition (Japanese, Chinese, accents) with the browser, for every field at once.
 * The Enter that ends one has `isComposing` false in Safari, and 229 as its code.
 */
export function keepCompositions(): void {
  const keep = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
  }
  addEventListener('keydown', keep, true)
}
