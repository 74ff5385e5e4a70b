import { describe } from 'vitest'
import {
  address,
  atCursor,
  choose,
  chosen,
  expect,
  focused,
  keys,
  list,
  notice,
  open,
  pane,
  press,
  reload,
  rows,
  search,
  selectedRows,
  shows,
  test,
  the,
  type,
  until,
} from '../support/screens.tsx'

const NEWEST = ['Trail Mix In-Store Audit 2026', 'Fall Snack Ad Recall', 'Everyday Tablet Brand Health W3']
const LAST = 'Popcorn Taste Test 2026'
const searchBox = () => pane().querySelector<HTMLInputElement>('[role=searchbox], input[type=search]')

describe('the cursor', () => {
  test('j and k move it', async () => {
    await open('allProjects')
    await list()
    expect(atCursor()).toBe(NEWEST[0])
    await keys('j j k')
    await until(() => expect(atCursor()).toBe(NEWEST[1]))
  })

  test('Shift+G goes to the last row, g g to the first', async () => {
    await open('allProjects')
    await list()
    await keys('Shift+g')
    await until(() => expect(atCursor()).toBe(LAST))
    await keys('g g')
    await until(() => expect(atCursor()).toBe(NEWEST[0]))
  })

  test('] and [ move by a page, which the address names', async () => {
    await open('allProjects')
    await list()
    await keys(']')
    await until(() => expect(address()).toMatch(/page=2/))
    await keys('[')
    await until(() => expect(address()).not.toMatch(/page=/))
  })
})

describe('the selection', () => {
  test('x selects the row under the cursor, and leaves the cursor there', async () => {
    await open('allProjects')
    await list()
    await keys('j x')
    await until(() => expect(selectedRows().map((row) => row.querySelector('a')!.textContent)).toEqual([NEWEST[1]]))
    expect(atCursor()).toBe(NEWEST[1])
  })

  test('Shift+J selects a range, and Escape clears it', async () => {
    await open('allProjects')
    await list()
    await keys('Shift+j Shift+j')
    await until(() => expect(selectedRows()).toHaveLength(3))
    await keys('Escape')
    await until(() => expect(selectedRows()).toEqual([]))
  })
})

describe('order and filters', () => {
  test('the sort menu is a single choice, says its direction, and resets the order', async () => {
    await open('allProjects')
    await list()
    await press('list.sort')
    await choose(/^Ordered$/)
    await until(() => expect(address()).toMatch(/sort=-ordered/))
    await until(() => expect(rows()[0]!.textContent).toMatch('of 1,250'))
  })

  test('/ searches while typing, and Escape returns to the rows', async () => {
    await open('allProjects')
    await list()
    await press('list.search')
    await focused(searchBox)
    await type('trail')
    await until(() => expect(address()).toMatch(/search=trail/))
    await until(() => expect(rows()).toHaveLength(2))
  })
})

describe('editing in place', () => {
  const editor = () => pane().querySelector<HTMLInputElement>('[data-inline] input')

  test('Enter saves, the row shows it, and Ctrl+Z takes it back', async ({ api }) => {
    await open('clients')
    await list()
    await press('list.edit')
    await focused(editor)
    await keys('Mod+a')
    await type('Beacon')
    await keys('Enter')
    await until(() => expect(editor() === null).toBe(true))
    await until(() => expect(atCursor()).toBe('Beacon'))
    await keys('Mod+z')
    await until(() => expect(atCursor()).toBe('Beacon Wireless'))
    expect(api.writes.map(({ id }) => id)).toEqual(['client.edit', 'undo.take'])
  })

  test('Escape cancels, and the keys are the list’s again', async ({ api }) => {
    await open('clients')
    await list()
    await press('list.edit')
    await focused(editor)
    await type('x')
    await keys('Escape')
    await until(() => expect(editor() === null).toBe(true))
    await list()
    await keys('j')
    await until(() => expect(atCursor()).toBe('Bluewater Springs Brewing'))
    expect(api.writes).toEqual([])
  })

  test('after somebody else’s change both versions show, and the text stays', async ({ api }) => {
    await open('clients')
    await list()
    await keys('j')
    await press('list.edit')
    await focused(editor)
    await keys('Mod+a')
    await type('Blue')
    await keys('Enter')
    await shows(/Bluewater/)
    expect(editor()!.value).toBe('Blue')
    expect(api.writes).toHaveLength(1)
  })
})

describe('what can’t be shown', () => {
  test('an empty result says so, with the way back to all', async () => {
    await open('allProjects', {}, { query: { search: 'zzz' } })
    await shows('No projects match this search and these filters.')
    ;(await the('button', 'Show all projects', pane)).focus()
    await keys('Enter')
    await until(() => expect(rows().length).toBeGreaterThan(5))
    await until(() => expect(address()).toBe('/dashboard/all-projects'))
  })

  test('a failed read says so in the server’s words, and Try again reads it again', async ({ api }) => {
    api.refuse('project.listAll', 503, { message: 'The database is away.', code: 'unavailable' })
    await open('allProjects')
    await shows('The projects couldn’t be loaded')
    await shows('The database is away.')
    api.allow('project.listAll')
    ;(await the('button', 'Try again', pane)).focus()
    await keys('Enter')
    await until(() => expect(rows().length).toBeGreaterThan(5))
  })

  test('an unknown sort order falls back to the usual one, with a notice', async () => {
    await open('allProjects', {}, { query: { sort: 'zodiac' } })
    await notice('This list can’t be sorted by “zodiac”')
    await until(() => expect(address()).toBe('/dashboard/all-projects'))
    await until(() => expect(atCursor()).toBe(NEWEST[0]))
  })
})

describe('the address', () => {
  test('keeps a filter, also over a reload, and “clear filters” takes it out', async () => {
    await open('allProjects', {}, { query: { status: 'active' } })
    await list()
    await until(() => expect(rows().every((row) => row.textContent.includes('Active'))).toBe(true))
    await reload()
    await list()
    expect(address()).toMatch(/status=active/i)
    expect(rows().every((row) => row.textContent.includes('Active'))).toBe(true)
    await search('clear filters')
    await shows('Clear filters', chosen)
    await keys('Enter')
    await until(() => expect(address()).toBe('/dashboard/all-projects'))
  })

  test('g p returns to the list where it was left, past its first page too', async () => {
    await open('allProjects')
    await list()
    await keys('0 1 2 j')
    await until(() => expect(address()).toMatch(/page=2/))
    const left = atCursor()
    await keys('g c')
    await until(() => expect(address()).toMatch('/dashboard/clients'))
    await keys('g p')
    await until(() => expect(address()).toMatch(/all-projects\?page=2/))
    await until(() => expect(atCursor()).toBe(left))
  })
})

describe('columns', () => {
  const heads = () => [...pane().querySelectorAll<HTMLElement>('[data-head]')].map((one) => one.dataset.head)

  test('a link’s columns are shown, and a reset restores the usual ones', async () => {
    await open('allProjects', {}, { query: { columns: 'name:300,ordered:90,client' } })
    await list()
    await until(() => expect(heads()).toEqual(['name', 'ordered', 'client']))
    await press('list.columnsReset')
    await until(() => expect(heads()).toEqual(['name', 'client', 'status', 'pacing', 'delivered']))
  })
})
