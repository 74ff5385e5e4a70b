import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Tabs } from '../../src/ui/Tabs.tsx'

const row = renderToStaticMarkup(
  createElement(Tabs, {
    label: 'Project',
    selected: 'overview',
    onSelect: () => {},
    items: [
      { id: 'specifications', label: 'Specifications', domId: 'tab-1' },
      { id: 'overview', label: 'Overview', domId: 'tab-2', controls: 'panel' },
    ],
  }),
)
/** The attributes of an element in the row, found by the first attribute in its tag. */
const attributesOf = (mark: string): Record<string, string> => {
  const tag = row.match(/<[^>]+>/g)!.find((one) => one.includes(mark))!
  return Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
}

describe('a row of tabs by Radix', () => {
  it('is named, and isn’t a tab stop itself', () => {
    const list = attributesOf('role="tablist"')
    expect(list).toMatchObject({ 'aria-label': 'Project', 'aria-orientation': 'horizontal' })
    expect(list).not.toHaveProperty('tabindex')
  })
  it('has its tab stop at the selected tab', () => {
    expect(attributesOf('tab-2')).toMatchObject({ role: 'tab', type: 'button', 'aria-selected': 'true', tabindex: '0' })
    expect(attributesOf('tab-1')).toMatchObject({ role: 'tab', 'aria-selected': 'false', tabindex: '-1' })
  })
  it('names no missing panel', () => {
    expect(attributesOf('tab-2')['aria-controls']).toBe('panel')
    expect(attributesOf('tab-1')).not.toHaveProperty('aria-controls')
  })
})
