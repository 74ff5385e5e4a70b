/** Keys that never reach a page or have a universal meaning, with that meaning. */
const OWNED: Readonly<Record<string, string>> = {
  'Mod+t': 'the browser opens a tab with it',
  'Mod+n': 'the browser opens a window with it',
  'Mod+w': 'the browser closes the tab with it',
  'Mod+Shift+t': 'the browser reopens a tab with it',
  'Mod+Shift+n': 'the browser opens a window with it',
  'Mod+Shift+w': 'the browser closes the window with it',
  'Mod+Tab': 'the browser goes to the next tab with it',
  'Mod+Shift+Tab': 'the browser goes to the previous tab with it',
  'Mod+q': 'the system closes the browser with it',
  'Mod+r': 'the browser reloads the page with it',
  'Mod+Shift+r': 'the browser reloads the page with it',
  'Mod+l': 'the browser goes to the address with it',
  'Mod+p': 'the browser prints with it',
  'Mod+c': 'it copies',
  'Mod+v': 'it pastes',
  'Mod+x': 'it cuts',
  'Mod+a': 'it selects all text',
  'Alt+F4': 'the system closes the window with it',
  'Alt+Tab': 'the system goes to another window with it',
  'Mod+f': 'the browser searches the page with it',
  'Mod+Shift+p': 'Firefox opens a private window with it',
  "'": 'Firefox searches links with it',
  F6: 'the browser moves between its parts with it',
  F7: 'Firefox reads with a text cursor with it',
  F5: 'the browser reloads the page with it',
  F11: 'the browser fills the screen with it',
  F12: 'the browser opens its tools with it',
  'Mod+k': 'it always opens the palette',
  F1: 'it always opens the palette',
  Tab: 'it moves between fields',
  'Shift+Tab': 'it moves between fields',
}

/** Returns why a key can't be used, as the end of "This can’t be used: …", or null (workspace.md, Keys). */
export function ownedBy(token: string): string | null {
  if (/^Mod\+Alt\+(Shift\+)?[^+]$/.test(token)) return 'on Windows, Ctrl+Alt types characters, like AltGr'
  return OWNED[token] ?? null
}
