import { describe } from 'vitest'
import {
  address,
  atCursor,
  choose,
  expect,
  focused,
  keys,
  list,
  open,
  pane,
  press,
  rows,
  selectedRows,
  test,
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
