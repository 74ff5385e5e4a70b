import { type ByRoleMatcher, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { createRoot, type Root } from 'react-dom/client'
import { test as base, expect, vi } from 'vitest'
import { keymap } from '../../src/commands/keymap.ts'
import type { CommandId } from '../../src/commands/table.ts'
import { href, type RouteId } from '../../src/routing/routes.ts'
import { DAY } from './answers/recorded.ts'
import { RecordedApi, type Who } from './answers/recordedApi.ts'

export { expect } from 'vitest'

let root: Root | undefined
let user = userEvent.setup()
/** Timers of the current test. */
const timers = new Set<ReturnType<typeof setTimeout>>()
const after = globalThis.setTimeout

/**
 * Vitest's `test` with the workspace over recorded answers, with freshly loaded modules; `api` is the server's side.
 * `test.override('who', 'client')` signs in the client user.
 */
export const test = base
  .extend('who', 'admin' as Who)
  .extend('api', { auto: true }, async ({ who, onTestFailed }, { onCleanup }) => {
    vi.resetModules()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(DAY) })
    vi.stubGlobal('setTimeout', (...given: Parameters<typeof after>) => {
      const timer = after(...given)
      timers.add(timer)
      return timer
    })
    const api = new RecordedApi(who)
    vi.stubGlobal('fetch', api.fetch)
    user = userEvent.setup()
    onTestFailed(() => console.log('Not recorded, though asked for:', [...api.missing, ...api.unread]))
    onCleanup(() => {
      root?.unmount()
      root = undefined
      // What still waits must not reach the next test.
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      document.body.replaceChildren()
      localStorage.clear()
      sessionStorage.clear()
      history.replaceState(null, '', '/blank')
      vi.useRealTimers()
      expect(api.missing, 'writes without a recorded answer').toEqual([])
    })
    return api
  })

/** Opens a screen of the routes table. */
export async function open<Id extends RouteId>(...screen: Parameters<typeof href<Id>>): Promise<void> {
  await goTo(href(...screen))
}

/** Opens the workspace at an address, and waits until its panes show something. */
export async function goTo(address: string): Promise<void> {
  history.pushState(null, '', address)
  const { App } = await import('../../src/App.tsx')
  const element = document.createElement('div')
  document.body.append(element)
  root = createRoot(element)
  root.render(<App />)
  await ready()
}

/** Loads the page again: its storage and address stay. */
export async function reload(): Promise<void> {
  dispatchEvent(new Event('pagehide'))
  root?.unmount()
  document.body.replaceChildren()
  vi.resetModules()
  await goTo(address())
}

/** Tries until a check passes: a page shows the effect of a key or an answer a moment later. */
export const until = <T,>(check: () => T): Promise<T> => vi.waitFor(check, { timeout: 10_000, interval: 30 })

/** Waits until every visible pane has content and none is loading. */
const ready = (): Promise<void> =>
  until(() => {
    const panes = [...document.querySelectorAll('section[role=tabpanel]:not([inert])')]
    const loading = panes.filter((one) => !one.textContent?.trim() || one.querySelector('[data-loading]'))
    expect([panes.length > 0, loading.map((one) => one.textContent)], 'panes that still load').toEqual([true, []])
  })

const all = (selector: string, within: ParentNode = document): HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>(selector),
]

/** The focused pane. */
export const pane = (): HTMLElement =>
  document.querySelector<HTMLElement>('[data-column][data-active] section[role=tabpanel]:not([inert])')!
/** The rows of the active list as they are drawn, without its header. */
export const rows = (): HTMLElement[] => all('[role=row][aria-rowindex]:not([aria-rowindex="1"])', pane())
/** The active list's selected rows. */
export const selectedRows = (): HTMLElement[] => all('[role=row][aria-selected=true]', pane())
/** The name of the record under the cursor, which is in its row's first cell with a link. */
export const atCursor = (): string => pane().querySelector('[role=row][data-cursor] a')?.textContent ?? ''

/** Waits until the active list has rows and the focus, so its keys work. */
export const list = (): Promise<void> =>
  until(() =>
    expect([pane().querySelector('[data-cursor]') !== null, pane().contains(document.activeElement)]).toEqual([true, true]),
  )

/** Waits until the focused pane, or another element, shows a text. */
export const shows = (text: string | RegExp, where: () => Element | null = pane): Promise<void> =>
  until(() => expect(where()?.textContent).toMatch(text))
/** Waits until it no longer does. */
export const hides = (text: string | RegExp, where: () => Element | null = pane): Promise<void> =>
  until(() => expect(where()?.textContent ?? '').not.toMatch(text))

/** The address with its query. */
export const address = (): string => location.pathname + location.search

/** A command's keys from the keymap; `context` names a context to try first. */
function keysOf(id: CommandId, context?: keyof typeof keymap): string {
  const contexts = [...(context ? [context] : []), ...(Object.keys(keymap) as (keyof typeof keymap)[])]
  for (const one of contexts) {
    const found = Object.entries(keymap[one]).find(([, command]) => command === id)
    if (found) return found[0]
  }
  throw new Error(`${id} has no key in the keymap`)
}

/** Presses a command's keys. */
export const press = (id: CommandId, context?: keyof typeof keymap): Promise<void> => keys(keysOf(id, context))

/** Presses keys as the keymap writes them: `g p`, `Mod+k`, `Shift+g`. */
export async function keys(sequence: string): Promise<void> {
  for (const chord of sequence.split(' ')) {
    const held = chord.replace('Mod', 'Control').split(/\+(?!$)/)
    const last = held.pop()!
    const key = held.includes('Shift') && /^[a-z]$/.test(last) ? last.toUpperCase() : last
    const down = held.map((one) => `{${one}>}`).join('')
    const up = held.map((one) => `{/${one}}`).join('')
    await user.keyboard(`${down}${key.length > 1 ? `{${key}}` : literal(key)}${up}`)
  }
}

/** Types a text, a key at a time. */
export const type = async (text: string): Promise<void> => {
  if (text) await user.keyboard(literal(text))
}
/** Presses keys in one task, faster than anybody can, so that nothing renders in between. */
export function atOnce(...pressed: readonly string[]): void {
  for (const one of pressed) {
    const key = one.replace('Control+', '')
    const more = {
      ctrlKey: key !== one,
      shiftKey: /^[A-Z]$/.test(key),
      code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
    }
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, ...more, bubbles: true, cancelable: true }))
  }
}
/** The notation in which brackets are typed as such. */
const literal = (text: string): string => text.replace(/[[{]/g, '$&$&')

/** The palette, or null. */
export const palette = (): HTMLElement | null => document.querySelector('[data-palette]')
/** The palette's field. */
export const field = (): HTMLInputElement | null => palette()?.querySelector<HTMLInputElement>('[role=combobox]') ?? null
/** The texts of the palette's rows. */
export const found = (): string[] => all('[data-palette] [role=option]').map((one) => one.textContent)
/** The row that Enter would choose. */
export const chosen = (): HTMLElement | null => document.querySelector('[data-palette] [role=option][aria-selected=true]')

/** Waits until the palette is closed. */
export const closed = (): Promise<void> => until(() => expect(palette() === null, 'the palette is closed').toBe(true))
/** What the palette acts on, or null. */
export const chip = (): HTMLElement | null => palette()?.querySelector<HTMLElement>('[data-chip]') ?? null

/** Waits until screen readers are given the row that Enter would choose. */
export const named = (): Promise<void> =>
  until(() => {
    expect(chosen() !== null).toBe(true)
    expect(field()!.getAttribute('aria-activedescendant')).toBe(chosen()!.id)
  })

/** Opens the palette, and types into it. */
export async function search(text = ''): Promise<void> {
  await keys('Mod+k')
  await focused(field)
  await type(text)
}

/** Runs a command from the palette by its title, with an answer to each of its questions; stops at its review. */
export async function run(id: CommandId, ...answers: string[]): Promise<void> {
  const { areasWith, commandOf } = await import('../../src/commands/table.ts')
  const { loadAreas } = await import('../../src/commands/commandAreas.ts')
  await loadAreas(areasWith(id))
  const title = commandOf(id).title.replace(/…$/, '')
  await search(title)
  await until(() => expect(field()?.value).toBe(title))
  await until(() =>
    expect(palette()!.querySelector(`[role=option][data-command="${id}"]`) !== null, `${id} among ${found().join()}`).toBe(true),
  )
  for (let at = 0; at < 20 && chosen()?.dataset.command !== id; at++) await keys('ArrowDown')
  const browsing = question()
  await keys('Enter')
  await until(() => expect(question()).not.toBe(browsing))
  for (const answer of answers) {
    await focused(field)
    await keys('Mod+a')
    await type(answer)
    await until(() => expect(field()!.value).toBe(answer))
    await until(() => expect(palette()!.querySelector('[data-reading]') === null).toBe(true))
    await until(() => expect(chosen() !== null).toBe(true))
    const typed = question()
    await keys('Enter')
    await until(() => expect(palette()?.querySelector('[role=alert]') ? 'refused' : question()).not.toBe(typed))
  }
}
/** The palette's question and what is typed; null without a palette. */
const question = (): string | null => {
  const now = field()
  return now && `${now.getAttribute('aria-label')}: ${now.value}`
}

/** Waits until an element has the focus. */
export const focused = (which: () => Element | null): Promise<void> =>
  until(() => {
    const [wanted, now] = [which(), document.activeElement]
    expect(
      wanted !== null && wanted === now,
      `the focus on ${wanted?.outerHTML.slice(0, 120)} instead of ${now?.outerHTML.slice(0, 120)}`,
    ).toBe(true)
  })

/** Waits for the review and its preview from the server, then presses Enter. */
export async function review(says: string | RegExp = 'This can’t be undone.'): Promise<void> {
  await until(() => expect(chosen()?.dataset.row).toBe('go'))
  await shows(says, palette)
  await until(() => expect(palette()!.querySelector('[data-review][aria-busy]') === null).toBe(true))
  await focused(field)
  await drawn()
  await keys('Enter')
}

/** Waits for two frames. */
export const drawn = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))

/** Selects an item of the open menu by its text. */
export async function choose(name: string | RegExp): Promise<void> {
  const item = await until(() => {
    expect(document.activeElement?.closest('[role=menu], [role=dialog]')).toBeTruthy()
    const found = all('[role=menu] [role^=menuitem]').find((one) => one.textContent.match(name))
    expect(found, `an item ${name}`).toBeDefined()
    return found!
  })
  await drawn()
  item.focus()
  await keys('Enter')
}

/** Waits for a notice with this text. */
export const notice = (text: string | RegExp): Promise<HTMLElement> =>
  until(() => {
    const notices = all('[data-sonner-toast]')
    const found = notices.find((one) => one.textContent.match(text))
    expect(found, `a notice “${text}” among ${notices.map((one) => one.textContent).join(' | ') || 'none'}`).toBeDefined()
    return found!
  })

/** Waits until a dialog is open, has the focus, and can have been seen: earlier keys are meant for what was before. */
export const dialog = (name: string | RegExp): Promise<HTMLElement> =>
  until(() => {
    const opened = all('[role=dialog], [role=alertdialog]').find((one) => one.textContent.match(name))
    expect(opened?.contains(document.activeElement), `an open dialog “${name}” with the focus`).toBe(true)
    expect(document.body.dataset.unseen).toBeUndefined()
    return opened!
  })

/** Presses a button of the open dialog by keyboard. */
export async function answer(text: string): Promise<void> {
  const button = await the('button', text, () => document.querySelector<HTMLElement>('[role=dialog], [role=alertdialog]')!)
  button.focus()
  await keys('Enter')
}

/** Clicks, as a pointer does. */
export const click = (element: HTMLElement): Promise<void> => user.click(element)

/** A field of the focused pane by its label. */
export const input = (label: string | RegExp): Promise<HTMLInputElement> =>
  until(() => within(pane()).getByLabelText<HTMLInputElement>(label))
/** Types into a field of the focused pane, in place of what it holds. */
export async function fill(label: string | RegExp, text: string): Promise<void> {
  ;(await input(label)).focus()
  await keys('Mod+a Delete')
  await type(text)
  expect((await input(label)).value).toBe(text)
}

/** Finds by role and name, as a screen reader does. */
export const the = (
  role: ByRoleMatcher,
  name?: string | RegExp,
  where: () => HTMLElement = () => document.body,
): Promise<HTMLElement> => until(() => within(where()).getByRole(role, name === undefined ? {} : { name }))
