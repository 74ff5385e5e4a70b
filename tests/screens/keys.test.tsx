import { describe } from 'vitest'
import { PROJECT } from '../support/answers/recorded.ts'
import {
  address,
  atCursor,
  atOnce,
  chosen,
  closed,
  drawn,
  expect,
  field,
  focused,
  keys,
  list,
  notice,
  open,
  palette,
  pane,
  press,
  selectedRows,
  shows,
  test,
  type,
  until,
} from '../support/screens.tsx'

const strip = () => document.querySelector('[aria-label="Keys that can follow"]')
const searchBox = () => pane().querySelector<HTMLInputElement>('[role=searchbox], input[type=search]')
const atProject = async (id: number, tab: 'specifications' | 'overview' = 'specifications') => {
  await open('project', { id }, { tab })
  await until(() => expect(pane().querySelector('h1') !== null).toBe(true))
}
/** The cursor's place in the list: its header is 1. */
const cursorIndex = () => pane().querySelector('[data-cursor]')?.getAttribute('aria-rowindex')
const projects = async () => {
  await open('allProjects')
  await list()
}

describe('sequences', () => {
  test('the keys that can follow are shown after a pause', async () => {
    await projects()
    await keys('g')
    await shows('Clients', strip)
  })

  test('nothing is shown to a quick typist', async () => {
    await projects()
    await keys('g')
    await shows('Clients', strip)
    await keys('Escape g g')
    await drawn()
    expect(strip()?.textContent ?? '').toBe('')
  })

  test('a wrong key ends a sequence at once', async () => {
    await projects()
    await keys('g')
    await shows('Clients', strip)
    await keys('Escape c')
    await drawn()
    expect(strip()?.textContent ?? '').toBe('')
    expect(address()).toBe('/dashboard/all-projects')
  })

  test('the same keys run what the focused record defines', async () => {
    await atProject(PROJECT.approved)
    await keys('g')
    await shows('Go live', strip)
  })

  test('a sequence that leads nowhere runs none of its letters, nor those of the words after it', async () => {
    await projects()
    await type('nx xxx')
    await notice('n x is not a shortcut here')
    await notice('What you typed wasn’t used')
    expect(selectedRows()).toHaveLength(0)
  })

  test('a count repeats what follows it', async () => {
    await projects()
    await keys('0 3 j')
    await until(() => expect(atCursor()).toBe('Dog Treat Ad Recall 2026'))
  })
})

describe('one key does one thing', () => {
  test('j pressed five times in one task moves five rows', async () => {
    await projects()
    atOnce('j', 'j', 'j', 'j', 'j')
    await until(() => expect(cursorIndex()).toBe('7'))
  })

  test('x selects once, and the same key twice leaves nothing selected', async () => {
    await projects()
    atOnce('x')
    await until(() => expect(selectedRows()).toHaveLength(1))
    atOnce('x')
    await until(() => expect(selectedRows()).toHaveLength(0))
  })

  test('Enter on a row opens its record once: Back returns to the list', async () => {
    await projects()
    await keys('j Enter')
    await until(() => expect(address()).toMatch('/project-info/4179/'))
    history.back()
    await until(() => expect(address()).toBe('/dashboard/all-projects'))
  })

  test('Enter on a focused button presses the button, and opens no record', async () => {
    await projects()
    const next = pane().querySelector<HTMLElement>('button[aria-label^="Next page"], button[title^="Next page"]')!
    next.focus()
    await keys('Enter')
    await until(() => expect(address()).toMatch(/page=2/))
    expect(address()).toMatch('/dashboard/all-projects')
  })

  test('a word being composed by an input method runs nothing', async () => {
    await projects()
    for (const key of ['g', 'c'])
      document.activeElement!.dispatchEvent(
        new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}`, isComposing: true, bubbles: true }),
      )
    await keys('g')
    await shows('Clients', strip)
    expect(address()).toBe('/dashboard/all-projects')
  })

  test('Ctrl+K on a Russian keyboard opens the palette', async () => {
    await projects()
    document.activeElement!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }),
    )
    await focused(field)
  })
})

describe('in a text field', () => {
  test('single letters are typed', async () => {
    await projects()
    await press('list.search')
    await focused(searchBox)
    await type('zzz ?')
    expect(searchBox()!.value).toBe('zzz ?')
    expect(address()).toMatch('/dashboard/all-projects')
    expect(document.querySelector('[role=dialog]') === null).toBe(true)
  })

  test('/ and the first letters of a search arrive, however early', async () => {
    await projects()
    atOnce('/', 't', 'r')
    await focused(searchBox)
    await until(() => expect(searchBox()!.value).toBe('tr'))
    expect(cursorIndex()).toBe('2')
  })
})

describe('typed before there is a field', () => {
  test('the letters after a command’s keys wait for its question, in order', async () => {
    await projects()
    atOnce('a', 'n', ...'Jxj x*!')
    await focused(field)
    await until(() => expect(field()!.value).toBe('Jxj x*!'))
    await type('?')
    expect(field()!.value).toBe('Jxj x*!?')
    expect(selectedRows()).toHaveLength(0)
  })

  test('Escape before the question appears cancels everything', async () => {
    await projects()
    atOnce('a', 'n', 'x', 'Escape')
    await drawn()
    await closed()
    await keys('j')
    await until(() => expect(atCursor()).toBe('Fall Snack Ad Recall'))
  })

  test('an Enter pressed before the review appears confirms nothing', async ({ api }) => {
    await atProject(PROJECT.requirements)
    atOnce('p', 'c', 'Enter')
    await until(() => expect(chosen()?.dataset.row).toBe('go'))
    await focused(field)
    await drawn()
    expect(chosen()?.dataset.row).toBe('go')
    expect(api.writes).toEqual([])
  })

  test('keys pressed while a list loads act on it once it has', async ({ api }) => {
    await projects()
    const come = api.hold('client.list')
    await keys('g c j j x')
    await until(() => expect(address()).toMatch('/dashboard/clients'))
    come()
    // Of several keys in a frame, the list shows the first at once and the rest with the next.
    await until(() =>
      expect([cursorIndex(), ...selectedRows().map((row) => row.getAttribute('aria-rowindex'))]).toEqual(['4', '4']),
    )
  })

  test('a click elsewhere discards the waiting keys, and says so', async ({ api }) => {
    await projects()
    const come = api.hold('client.list')
    await keys('g c j j x')
    await until(() => expect(address()).toMatch('/dashboard/clients'))
    document.querySelector('header')!.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    expect((await notice('Your keys weren’t used')).textContent).toMatch('“jjx”')
    come()
    await list()
    expect(cursorIndex()).toBe('2')
    expect(selectedRows()).toHaveLength(0)
  })
})

describe('after a refusal', () => {
  test('text meant for its question runs nothing, and is given back', async ({ api }) => {
    await atProject(PROJECT.paused)
    await type('pp')
    await type('panel overused, speed up next wave')
    await keys('Enter')
    await notice('can’t run now')
    await notice('What you typed wasn’t used: “panel overused, speed up next wave”')
    expect(palette() === null).toBe(true)
    expect(api.writes).toEqual([])
  })

  test('Escape ends this at once', async () => {
    await atProject(PROJECT.paused)
    await keys('p p')
    await notice('can’t run now')
    await keys('Escape a n')
    await focused(field)
  })
})
