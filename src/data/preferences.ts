import { atom } from 'jotai'
import { underName } from './api.ts'
import { api } from './apiClient.ts'
import { browserStore } from './browserStore.ts'
import { store } from './jotaiStore.ts'
import { meAtom, sessionAtom } from './session.ts'

export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'comfortable'
  /** Command id → its keys, where they differ from the keymap; '' takes the shortcut away. */
  keys: Readonly<Record<string, string>>
  /** '' is the organization's. */
  time_zone: string
  single_keys: boolean
  /** Widgets of the Overview that do not show; without it, those that are hidden at first. */
  hidden_widgets?: string[]
}

const DEFAULTS: Preferences = { theme: 'system', density: 'compact', keys: {}, time_zone: '', single_keys: true }
const KEPT = 'fieldwork.look'

/** What this browser was last set to, so that the first paint is right before the server has answered. */
const keptLook = (): Partial<Preferences> => (browserStore.get(KEPT) ?? {}) as Partial<Preferences>

const chosenAtom = atom<Partial<Preferences>>({})
/** What the person set: on the server, or a moment ago here. */
export const preferencesAtom = atom((get): Preferences => {
  const me = get(meAtom)
  const theirs = me ? (me.preferences as Partial<Preferences>) : keptLook()
  return { ...DEFAULTS, ...theirs, ...get(chosenAtom) }
})

/** They are written whole: two on their way at once could arrive in the other order, and the older would stay. */
let written: Promise<unknown> = Promise.resolve()

/** What was chosen without what could not be written; what was chosen since stays. */
function setBack(now: Partial<Preferences>, patch: Partial<Preferences>, before: Partial<Preferences>): Partial<Preferences> {
  const mine = (Object.keys(patch) as (keyof Preferences)[]).filter((key) => now[key] === patch[key])
  const others = Object.entries(now).filter(([key]) => !mine.includes(key as keyof Preferences))
  const earlier = Object.entries(before).filter(([key]) => mine.includes(key as keyof Preferences))
  return Object.fromEntries([...others, ...earlier])
}

/** Sets preferences, at once here and then on the server, one after the other; a failure is thrown after they were set back. */
export async function setPreferences(patch: Partial<Preferences>): Promise<void> {
  const before = store.get(chosenAtom)
  store.set(chosenAtom, { ...before, ...patch })
  if (!store.get(meAtom)) return
  const write = async () => {
    const me = store.get(meAtom)
    if (!me) return
    const preferences = { ...me.preferences, ...store.get(chosenAtom) } as Partial<Preferences>
    const { data } = await underName(Object.keys(patch).join(), () => api.write('account.edit', { preferences }))
    store.set(sessionAtom, { state: 'in', me: data })
    // From here on they are the server's: what another device or an undo makes of them counts here too.
    store.set(chosenAtom, (now) => setBack(now, preferences, {}))
  }
  const mine = written.then(write, write)
  written = mine
  try {
    await mine
  } catch (error) {
    store.set(chosenAtom, (now) => setBack(now, patch, before))
    throw error
  }
}

/** Puts theme and density on the page, and keeps them there. Returns a way to stop. */
export function applyPreferences(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const wear = () => {
    const { theme, density } = store.get(preferencesAtom)
    const page = document.documentElement
    page.classList.toggle('dark', theme === 'dark' || (theme === 'system' && system.matches))
    page.dataset.density = density
    browserStore.set(KEPT, { theme, density })
  }
  wear()
  system.addEventListener('change', wear)
  const stop = store.sub(preferencesAtom, wear)
  return () => {
    system.removeEventListener('change', wear)
    stop()
  }
}
