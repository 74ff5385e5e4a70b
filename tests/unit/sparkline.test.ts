import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Sparkline } from '../../src/ui/charts/Sparkline.tsx'

const drawn = (values: number[], today: boolean) => {
  const html = renderToStaticMarkup(createElement(Sparkline, { values, today, label: 'completes' }))
  return { points: /points="([^"]*)"/.exec(html)?.[1]?.split(' ').length ?? 0, label: html.includes('completes') }
}

describe('a sparkline', () => {
  it('ends at yesterday, as today isn’t over', () => expect(drawn([3, 4, 5, 1], true).points).toBe(3))
  it('without a today draws all it has', () => expect(drawn([3, 4, 5, 1], false).points).toBe(4))
  it('of nothing draws nothing, and keeps its description', () =>
    expect(drawn([0, 0, 0, 0], true)).toEqual({ points: 0, label: true }))
})
