import { expect, test } from 'vitest'
import { columnsOf } from '../../src/list/nounColumns.tsx'

test('a column of times is never narrower than its longest time, whatever width its list asks for', () => {
  const widthOf = (width: number) => columnsOf('entry', { created_at: { width, priority: 1 } })[0]!.width
  expect([widthOf(108), widthOf(140)]).toEqual([132, 140])
})
