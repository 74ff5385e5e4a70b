import { setTimeout as delay } from 'node:timers/promises'
import type { Page, Request, Route } from '@playwright/test'
import fc from 'fast-check'
import { call, list, open, keys as pressKeys } from './verbs.ts'

/*
 * A slow typist waits after each key until everything settles; the states they see are the model.
 * A fast one presses the same keys without a wait, or every 20 or 83 ms, on a slow server.
 * They must end where the slow one does, or a whole tail of their keys is dropped with a notice: never half.
 */

/** The part of the state that keys determine. */
export interface State {
  path: string
  cursor: string
  selected: string
  palette: string
  text: string
  writes: readonly string[]
}

/** Keys as the keymap writes them, one per press. */
export interface Sequence {
  keys: readonly string[]
  /** True if screens were opened before. */
  warm: boolean
  /** True if Pause has other keys than the typist is used to. */
  rebound: boolean
  /** The server's response times in ms, in sequence. */
  delays: readonly number[]
}

export const SPEEDS = [0, 20, 83] as const

const chars = (text: string) => [...text].map((one) => (one === ' ' ? 'Space' : one))
const words = fc.constantFrom('panel overused', 'ask client', 'gone to press', 'speed up next wave', 'end it')
const moves = fc.array(fc.constantFrom('j', 'j', 'j', 'k', 'x'), { minLength: 1, maxLength: 6 })
const piece = fc.oneof(
  { weight: 4, arbitrary: moves },
  { weight: 3, arbitrary: fc.constantFrom(['g', 'c'], ['g', 'u'], ['g', 'p'], ['g', '3']) },
  { weight: 2, arbitrary: fc.constant(['Enter']) },
  { weight: 2, arbitrary: fc.constantFrom(['2'], ['4'], ['6']) },
  { weight: 2, arbitrary: words.map((text) => ['a', 'n', ...chars(text), 'Enter']) },
  { weight: 2, arbitrary: words.map((text) => ['p', 'p', ...chars(text), 'Enter']) },
  { weight: 1, arbitrary: words.map((text) => ['r', 'r', ...chars(text), 'Enter']) },
  { weight: 1, arbitrary: words.map((text) => ['p', 'e', ...chars(text), 'Enter']) },
  { weight: 1, arbitrary: fc.constant(['g', 'y', 'x']) },
)

/** Sequences of a few pieces each: moves, screens, commands with their words, refusals. */
export const sequences: fc.Arbitrary<Sequence> = fc.record({
  keys: fc.array(piece, { minLength: 2, maxLength: 4 }).map((pieces) => pieces.flat()),
  warm: fc.boolean(),
  rebound: fc.boolean(),
  delays: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1500 })), { minLength: 4, maxLength: 12 }),
})

/** The server's delays, the writes it got, and the requests in flight. */
export interface Wire {
  writes: string[]
  flying(): number
  delays: readonly number[]
}

/** Puts a page behind a slow server. Notes are written, other writes refused, so that every run has the same data. */
export async function wire(page: Page): Promise<Wire> {
  const flying = new Set<Request>()
  const state: Wire = { writes: [], flying: () => flying.size, delays: [] }
  let nth = 0
  await page.route(/\/v3?\/?portal\/|\/v1\//, async (route: Route) => {
    const request = route.request()
    if (request.resourceType() === 'document' || /\/live|\/events/.test(request.url())) return route.continue()
    flying.add(request)
    const { pathname } = new URL(request.url())
    const writes = request.method() !== 'GET' && !/usage|preferences|palette/.test(pathname)
    // In the order they were sent, because two notes may be in flight at once.
    if (writes) state.writes.push(`${request.method()} ${pathname} ${request.postData() ?? ''}`)
    try {
      const wait = state.delays.length ? state.delays[nth++ % state.delays.length]! : 0
      if (wait) await delay(wait)
      if (!writes || /note/.test(pathname)) return await route.continue()
      return await route.fulfill({ status: 409, json: { message: 'It was refused there.', code: 'refused', fields: {} } })
    } catch {
      // The page navigated away or was closed.
    } finally {
      flying.delete(request)
    }
  })
  page.on('requestfinished', (request) => flying.delete(request))
  page.on('requestfailed', (request) => flying.delete(request))
  return state
}

/** The current state. */
async function look(page: Page, { writes }: Wire): Promise<State> {
  const seen = await page.evaluate(() => {
    const pane = document.querySelector('[data-column][data-active] section[role=tabpanel]:not([inert])')
    const rows = (which: string) =>
      [...(pane?.querySelectorAll(`[role=row]${which}`) ?? [])].map((row) => row.getAttribute('aria-rowindex'))
    const field = document.activeElement as HTMLInputElement | null
    const typed = field?.matches('input, textarea') ? field.value : ''
    const palette = document.querySelector('[data-palette]')
    return {
      path: location.pathname + location.search.replace(/[?&]page=\d+/, ''),
      cursor: rows('[data-cursor]').join(),
      selected: rows('[aria-selected=true]').join(),
      palette: palette ? `${palette.querySelector('[role=combobox]')?.getAttribute('aria-label')}` : '',
      text: typed,
    }
  })
  return { ...seen, writes: [...writes] }
}

/** Waits until nothing is pending (responses, code, buffered keys) for `still` ms. */
async function settled(page: Page, net: Wire, still: number): Promise<State> {
  let last = ''
  let since = Date.now()
  for (const began = Date.now(); Date.now() - began < 30_000; ) {
    const busy =
      net.flying() > 0 ||
      (await page.evaluate(() => {
        const pane = document.querySelector('[data-column][data-active] section[role=tabpanel]:not([inert])')
        return Boolean(
          !pane || pane.querySelector('[data-loading]') || document.querySelector('[data-reading], body[data-unseen]'),
        )
      }))
    const state = await look(page, net)
    const now = JSON.stringify(state)
    if (busy || now !== last) {
      last = now
      since = Date.now()
    } else if (Date.now() - since >= still) return state
    await page.waitForTimeout(25)
  }
  throw new Error(`It never settled: ${last}`)
}

/** Starts over on all projects; with `warm`, the screens were opened before. */
async function begin(page: Page, net: Wire, warm: boolean): Promise<void> {
  net.delays = []
  // A page that is left stores its position once more, so its storage is cleared from a page without the workspace.
  await page.goto('/livez')
  await page.evaluate(() => sessionStorage.clear())
  await open(page, 'allProjects')
  await list(page)
  if (warm) {
    for (const way of ['g c', 'g u', 'g 3', 'g p', 'Enter', 'Alt+w', 'g p']) {
      await pressKeys(page, way)
      await settled(page, net, 60)
    }
    await pressKeys(page, 'g g')
  }
  await settled(page, net, 100)
  net.writes.length = 0
}

/** The letters among keys, as a notice shows them after dropping. */
const textOf = (all: readonly string[]) =>
  all
    .map((key) => (key === 'Space' ? ' ' : [...key].length === 1 ? key : ''))
    .join('')
    .trim()

/** The slow typist's state after each key, starting before the first. */
export async function slowly(page: Page, net: Wire, { keys, warm }: Sequence): Promise<State[]> {
  await begin(page, net, warm)
  const states = [await settled(page, net, 60)]
  for (const key of keys) {
    await page.keyboard.press(key)
    states.push(await settled(page, net, 60))
  }
  return states
}

/** Types fast, and returns what is wrong with the end state, or null. */
export async function fastly(
  page: Page,
  net: Wire,
  sequence: Sequence,
  speed: number,
  model: readonly State[],
): Promise<string | null> {
  const { keys, warm, delays } = sequence
  await begin(page, net, warm)
  net.delays = delays
  // One after another, because overlapping presses of a key would be a held key.
  for (const key of keys) await page.keyboard.press(key, { delay: speed })
  const end = await settled(page, net, 900)
  const same = (state: State) => JSON.stringify(state) === JSON.stringify(end)
  if (same(model.at(-1)!)) return null
  const toasts = (await page.locator('[data-sonner-toast]').allTextContents()).join(' | ')
  for (const [at, state] of model.entries()) {
    if (!same(state)) continue
    const rest = textOf(keys.slice(at))
    // A notice offers the dropped letters; an open review shows that nothing was confirmed.
    if (rest ? toasts.includes(rest) : /Enter/.test(keys.slice(at).join())) return null
  }
  const stateText = (state: State) => JSON.stringify(state)
  return `${keys.join(' ')} at ${speed} ms (${sequence.warm ? 'warm' : 'cold'}${sequence.rebound ? ', rebound' : ''})\n  ended at ${stateText(end)}\n  and not at ${stateText(model.at(-1)!)}\n  said: ${toasts}`
}

/** Rebinds Pause, or restores its keys. */
export async function rebind(page: Page, rebound: boolean): Promise<void> {
  const { data } = (await call(page, 'account.get', {})) as unknown as { data: { preferences?: Record<string, unknown> } }
  const preferences = { ...(data.preferences ?? {}), keys: rebound ? { 'project.pause': 'z z' } : {} }
  await page.request.put('/v3/portal/account', { headers: { 'x-fieldwork': 'workspace' }, data: { preferences } })
}
