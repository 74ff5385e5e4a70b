import { describe } from 'vitest'
import {
  atCursor,
  expect,
  keys,
  list,
  open,
  palette,
  pane,
  press,
  rows,
  search,
  selectedRows,
  shows,
  test,
  until,
} from '../support/screens.tsx'

describe('a client user', () => {
  test.override('who', 'client')

  test('sees their own projects, without commands for administrators', async () => {
    await open('allProjects')
    await list()
    expect(rows().length).toBeGreaterThan(0)
    await keys('x')
    await until(() => expect(selectedRows()).toHaveLength(1))
    expect(pane().querySelector('[data-command="project.setStatus"]') === null).toBe(true)
    await search('new client')
    await shows('No results for “new client”', palette)
  })

  test('can’t edit a cell: e opens no field, and the next key is the list’s', async ({ api }) => {
    await open('allProjects')
    await list()
    const first = atCursor()
    await press('list.edit')
    await keys('j')
    await until(() => expect(atCursor()).not.toBe(first))
    expect(pane().querySelector('[data-inline]') === null).toBe(true)
    expect(api.writes).toEqual([])
  })
})
