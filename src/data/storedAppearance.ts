import { browserStore } from './browserStore.ts'

/** Where this browser stores its last user's theme and density, so that the first paint is right. */
export const APPEARANCE = 'fieldwork.look'

/** Applies this browser's theme, or else the system's, and follows it; for pages without a user's settings. */
export function followAppearance(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const { theme = 'system' } = (browserStore.get(APPEARANCE) ?? {}) as { theme?: string }
    document.documentElement.classList.toggle('dark', theme === 'dark' || (theme === 'system' && system.matches))
  }
  apply()
  system.addEventListener('change', apply)
}
