import { expect, test } from 'vitest'
import { CLIENT_SCREENS } from '../../contract/screens.ts'
import { routes } from '../../src/routing/routes.ts'

test('the server has every screen’s access', () => {
  type Row = { access: string; outside?: boolean; tabs?: Record<string, { access: string }> }
  const open = Object.entries(routes as Record<string, Row>).flatMap(([id, row]) =>
    row.outside || row.access === 'admin'
      ? []
      : [id, ...Object.entries(row.tabs ?? {}).flatMap(([tab, { access }]) => (access === 'admin' ? [] : [`${id}.${tab}`]))],
  )
  expect([...CLIENT_SCREENS].sort()).toEqual(open.sort())
})
