import { atom } from 'jotai'
import type { Output } from '../../contract/calls.ts'
import { ApiError } from './api.ts'
import { api, onCalls } from './apiClient.ts'
import { browserStore, tabStore } from './browserStore.ts'
import { store } from './jotaiStore.ts'
import { type Me, meAtom, sessionAtom } from './me.ts'
import { SIGNED_IN } from './signedIn.ts'
import { forgetAnswers, refreshAfter } from './useCall.ts'

export { type Me, meAtom, type Session, sessionAtom } from './me.ts'

/** The server's public configuration: names, support address, time zone. */
export type Config = Output<'organization.config'>['data']

/** The public configuration, with defaults until it arrives. */
export const configAtom = atom<Config>({
  name: 'Fieldwork',
  product: 'Fieldwork',
  support_mail: '',
  support_team: '',
  map_style_url: null,
  time_zone: 'America/New_York',
  analytics: false,
})

/** Returns the signed-in user; throws when nobody is signed in. */
export function currentMe(): Me {
  const me = store.get(meAtom)
  if (!me) throw new Error('Nobody is signed in')
  return me
}

onCalls({
  unauthorized: () => store.get(sessionAtom).state === 'in' && sessionEnded(),
  written: refreshAfter,
})

let checking: Promise<void> | null = null
/** Reads the signed-in user, at startup and on retry. */
export function checkSession(): Promise<void> {
  checking ??= ask().finally(() => {
    checking = null
  })
  return checking
}

async function ask(): Promise<void> {
  try {
    const { data } = await api.read('session.validate', {})
    store.set(sessionAtom, { state: 'in', me: data })
    note(data.id)
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError(0, 'unreachable', 'Can’t reach the server.')
    store.set(sessionAtom, failure.status === 401 ? { state: 'none', ...lastHere() } : { state: 'failed', error: failure })
    if (failure.status === 401) noteEnd(false)
  }
}

/** Reads the signed-in user again after a live event; on failure nothing changes. */
export async function renewMe(): Promise<void> {
  const before = store.get(meAtom)
  if (!before) return
  try {
    const { data } = await api.read('session.validate', {})
    if (store.get(meAtom)?.id === data.id && JSON.stringify(data) !== JSON.stringify(before))
      store.set(sessionAtom, { state: 'in', me: data })
  } catch {
    // A 401 has ended the session already; after other errors the next change retries.
  }
}

/** Stores who is signed in, for this browser's other tabs and visits. */
function note(id: number | null): void {
  browserStore.setText(SIGNED_IN, id ? `u${id}` : null)
  // Undo steps (runner/undo.ts) and names (paneState.ts) belong to one session.
  for (const name of id ? [WAS] : ['fieldwork.undo', 'fieldwork.names']) tabStore.setText(name, null)
}
const WAS = 'fieldwork.was-signed-in'
/** Stores that the session ended. This tab remembers the user across reloads, because its open panes are theirs. */
function noteEnd(left: boolean): void {
  const { was } = lastHere()
  note(null)
  tabStore.setText(WAS, was && !left ? `u${was}` : null)
}
/** The user whose session ended in this browser, if known. */
function lastHere(): { was?: number } {
  const was = store.get(meAtom)?.id ?? Number(/^u(\d+)$/.exec(browserStore.text(SIGNED_IN) ?? tabStore.text(WAS) ?? '')?.[1] ?? 0)
  return was ? { was } : {}
}
/** Reads the public configuration, once at startup. */
export async function readConfig(): Promise<void> {
  try {
    store.set(configAtom, (await api.read('organization.config', {})).data)
  } catch {
    // The defaults apply. Other errors show where they matter.
  }
}

/** Signs in and sets `meAtom`; throws ApiError with the form's message. */
export async function signIn(email: string, password: string): Promise<Me> {
  const { data } = await api.write('session.signIn', { email, password, remember_cookie: true })
  await requireCookie()
  enter(data)
  return data
}

/** Throws if the browser refused the session's cookie, which scripts can't see. */
async function requireCookie(): Promise<void> {
  try {
    await api.read('session.validate', {})
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return
    const words = 'Your browser refuses the cookie that keeps you signed in. Allow cookies for this site, then sign in again.'
    throw new ApiError(0, 'cookie_refused', words)
  }
}

/** Starts a new session and forgets all data of the previous one. */
function enter(me: Me): void {
  forgetAnswers()
  note(me.id)
  store.set(sessionAtom, { state: 'in', me })
}

/** Signs out on the server first: a cookie left there would sign in the next visitor. Throws ApiError on failure. */
export async function signOut(): Promise<void> {
  try {
    await api.write('session.signOut', {})
  } catch (error) {
    // The session had ended already.
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  }
  sessionEnded(true)
}

/** Ends the session locally and forgets all data. `left`: the user signed out. */
export function sessionEnded(left = false): void {
  const was = lastHere()
  noteEnd(left)
  store.set(sessionAtom, { state: 'none', ...was, ...(left ? { left: true as const } : {}) })
  forgetAnswers()
}

/** Stops acting as another user. */
export async function stopActing(): Promise<void> {
  await api.write('session.switchBack', {})
  forgetAnswers()
  await checkSession()
}
