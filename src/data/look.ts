import { browserStore } from './browserStore.ts'

/** Where this browser keeps its last user's theme and density, so that the first paint is right. */
export const LOOK = 'fieldwork.look'

/** Puts on the theme of this browser, else the system's, and follows it; for pages without a user's settings. */
export function followLook(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const wear = () => {
    const { theme = 'system' } = (browserStore.get(LOOK) ?? {}) as { theme?: string }
    document.documentElement.classList.toggle('dark', theme === 'dark' || (theme === 'system' && system.matches))
  }
  wear()
  system.addEventListener('change', wear)
}
