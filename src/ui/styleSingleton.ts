import { useEffect } from 'react'

/** Creates a style sheet that is on the page while in use. */
function sheetSingleton() {
  let users = 0
  let sheet: CSSStyleSheet | null = null
  return {
    add(styles: string) {
      if (users++ > 0) return
      sheet = new CSSStyleSheet()
      sheet.replaceSync(styles)
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    },
    remove() {
      if (--users > 0) return
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
      sheet = null
    },
  }
}

/**
 * Replaces Radix's `react-style-singleton` (scripts/own-sheets.ts); styles apply while the component is mounted.
 * The original adds a style element, which our CSP forbids; a constructed sheet needs no exception.
 */
export function styleSingleton() {
  const sheet = sheetSingleton()
  // biome-ignore lint/correctness/noComponentHookFactories: called once, when the package that imports it is loaded
  return function Sheet({ styles, dynamic }: { styles: string; dynamic?: boolean }) {
    // biome-ignore lint/correctness/useExhaustiveDependencies: as in the original, styles change only where they are said to be dynamic
    useEffect(() => {
      sheet.add(styles)
      return sheet.remove
    }, [styles && dynamic])
    return null
  }
}
