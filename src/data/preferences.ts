import { atom } from 'jotai'
import { MAIL_WAITS } from '../../contract/mailWaits.ts'
import type { NewsKindId, NewsMail } from '../../contract/news.ts'
import { displayZone } from '../ui/displayZone.ts'
import { underName } from './api.ts'
import { api } from './apiClient.ts'
import { browserStore } from './browserStore.ts'
import { pinnedAtom } from './favouriteAtoms.ts'
import { store } from './jotaiStore.ts'
import { outsideWait } from './outsideSeconds.ts'
import { serverTime } from './serverClock.ts'
import { meAtom, sessionAtom } from './session.ts'
import { APPEARANCE } from './storedAppearance.ts'

export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  density: 'dense' | 'compact' | 'comfortable'
  /** Command id → shortcut, where it differs from the keymap; '' removes it. */
  keys: Readonly<Record<string, string>>
  /** '' means the organization's. */
  time_zone: string
  single_keys: boolean
  /** Hidden widgets of the Overview; undefined for the default set. */
  hidden_widgets?: string[]
  /** Columns by list, as the user arranged them. */
  columns?: Readonly<Record<string, string>>
  /** Sends notifications by mail too. */
  notification_mail: boolean
  /** When news of a kind is mailed; missing kinds as usual. */
  news_mail?: Partial<Record<NewsKindId, NewsMail>>
  /** Toasts stay until they are closed. */
  notices_stay: boolean
  /** How many seconds what reaches people outside waits, while it can be undone. */
  outside_seconds: number
  /** User Responses opens with every gender; by default without Other. */
  every_gender: boolean
  /** Records and views in the sidebar, in its order: "project:4180". */
  favourites?: string[]
  /** Signing in opens the desk, not all projects. */
  starts_at_desk: boolean
}

const DEFAULTS: Preferences = {
  theme: 'system',
  density: 'compact',
  keys: {},
  time_zone: '',
  single_keys: true,
  notification_mail: false,
  notices_stay: false,
  outside_seconds: MAIL_WAITS,
  every_gender: false,
  starts_at_desk: false,
}

/** Returns this browser's last settings, so that the first paint is right before the server responds. */
const keptLook = (): Partial<Preferences> => (browserStore.get(APPEARANCE) ?? {}) as Partial<Preferences>

const chosenAtom = atom<Partial<Preferences>>({})
/** The user's settings: the server's, with local changes applied. */
export const preferencesAtom = atom((get): Preferences => {
  const me = get(meAtom)
  const theirs = me ? (me.preferences as Partial<Preferences>) : keptLook()
  return { ...DEFAULTS, ...theirs, ...get(chosenAtom) }
})

// Commands can't read preferences, which come with the page's own calls.
store.sub(preferencesAtom, () => store.set(pinnedAtom, store.get(preferencesAtom).favourites ?? []))
outsideWait.of = () => store.get(preferencesAtom).outside_seconds
displayZone.of = () => store.get(preferencesAtom).time_zone || 'America/New_York'
displayZone.now = serverTime

/** Saves run one at a time, because each writes all settings and an older one must not win. */
let written: Promise<unknown> = Promise.resolve()

/** Reverts settings that failed to save; later changes stay. */
function setBack(now: Partial<Preferences>, patch: Partial<Preferences>, before: Partial<Preferences>): Partial<Preferences> {
  const mine = (Object.keys(patch) as (keyof Preferences)[]).filter((key) => now[key] === patch[key])
  const others = Object.entries(now).filter(([key]) => !mine.includes(key as keyof Preferences))
  const earlier = Object.entries(before).filter(([key]) => mine.includes(key as keyof Preferences))
  return Object.fromEntries([...others, ...earlier])
}

/** Applies preferences at once and saves them in sequence; on failure reverts them, then throws. */
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
    // The server's values apply from here on, as another device or an undo may change them.
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

/** Applies theme and density to the page, and follows changes; returns a function that stops it. */
export function applyPreferences(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const { theme, density } = store.get(preferencesAtom)
    const page = document.documentElement
    page.classList.toggle('dark', theme === 'dark' || (theme === 'system' && system.matches))
    page.dataset.density = density
    browserStore.set(APPEARANCE, { theme, density })
  }
  apply()
  system.addEventListener('change', apply)
  const stop = store.sub(preferencesAtom, apply)
  return () => {
    system.removeEventListener('change', apply)
    stop()
  }
}
