import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { KeyFigures } from '../../src/panes/project/KeyFigures.tsx'

it('draws rings for pacing, delivered and ordered, whose ring is what of it is delivered', () => {
  const summary = { pacing: 90, pacing_color: 'green', pacing_state: 'running', expected: 500, delivered: 400, ordered: 1295 }
  const html = renderToStaticMarkup(createElement(KeyFigures, { summary, against: null }))
  const figures = html.split('<figure').slice(1)
  expect(figures.map((figure) => figure.includes('<circle'))).toEqual([true, true, true])
  expect(figures[2]).toContain('1,295')
  expect(figures[2]).toContain('895 to go')
})
