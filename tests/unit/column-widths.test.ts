import { expect, it } from 'vitest'
import { type Column, placeColumns } from '../../src/ui/grid/columns.ts'

const column = (id: string, more: Partial<Column<never>>): Column<never> => ({ id, header: id, render: () => null, ...more })
const COLUMNS = [
  column('name', { min: 200, flex: 3, name: true }),
  column('email', { min: 100, flex: 1, priority: 5 }),
  column('status', { width: 150, priority: 8 }),
  column('flags', { width: 90, priority: 1 }),
]
const widths = (room: number, needs: Record<string, number> = {}, columns = COLUMNS) =>
  Object.fromEntries(placeColumns(columns, room, new Map(Object.entries(needs))).map(({ column, width }) => [column.id, width]))

it('columns have their usual widths until their content is known', () => {
  expect(widths(540)).toEqual({ name: 200, email: 100, status: 150, flags: 90 })
  expect(widths(740)).toEqual({ name: 350, email: 150, status: 150, flags: 90 })
})

it('a column without much in it gives its room to those that are cut, before the rest is shared', () => {
  const needs = { name: 260, email: 170, status: 90, flags: 40 }
  expect(widths(560, needs)).toEqual({ name: 260, email: 170, status: 90, flags: 40 })
  expect(widths(640, needs)).toEqual({ name: 320, email: 190, status: 90, flags: 40 })
})

it('names come before the least important columns, and amounts in wider text before both', () => {
  expect(widths(540, { name: 300, email: 100, status: 220, flags: 90 })).toEqual({ name: 220, email: 100, status: 220 })
  expect(widths(540, { name: 800, email: 100, status: 150, flags: 400 })).toEqual({ name: 290, email: 100, status: 150 })
})

it('a pinned column stays where there is no room for it', () => {
  const pinned = COLUMNS.map((one) => (one.id === 'flags' ? { ...one, pinned: true } : one))
  expect(widths(320, {}, pinned)).toEqual({ name: 230, flags: 90 })
})

it('a width that the user set is neither taken nor grown', () => {
  const own = COLUMNS.map((one) => (one.id === 'status' ? { ...one, own: true } : one))
  expect(widths(700, { status: 20, flags: 40 }, own).status).toBe(150)
  expect(widths(700, { status: 400, flags: 40 }, own).status).toBe(150)
})
