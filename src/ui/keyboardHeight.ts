/** Keeps `--keyboard` at the height of the virtual keyboard, so that sheets and the palette stay above it. */
export function followKeyboard(): (() => void) | undefined {
  const view = window.visualViewport
  if (!view) return
  const root = document.documentElement
  const read = () =>
    root.style.setProperty('--keyboard', `${Math.max(0, Math.round(innerHeight - view.height * view.scale - view.offsetTop))}px`)
  view.addEventListener('resize', read)
  return () => {
    view.removeEventListener('resize', read)
    root.style.removeProperty('--keyboard')
  }
}
