import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** The rules that every screen keeps: WCAG 2.2 AA and what came before it. */
export const WCAG = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } as const
/** Of these rules, the ones that colours decide: the others find the same in both themes, as the elements are the same. */
export const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const

/** Rules of axe, by their tags or by their names. */
export interface Rules {
  type: 'tag' | 'rule'
  values: readonly string[]
}

/**
 * What breaks these rules, in words: rule, and the first elements that break it; `within` a selector, or on the whole page. axe runs in the page
 * itself and describes only what it finds fault with: to describe what passes, and to load itself into a second page that puts the results
 * together, as its builder for Playwright does, takes several times as long as to look.
 */
export async function faults(page: Page, rules: Rules, within?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(
    async ({ rules, within }) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe
      const options: axe.RunOptions = {
        runOnly: { type: rules.type, values: [...rules.values] },
        resultTypes: ['violations'],
      }
      const { violations } = await run(within ?? document, options)
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map((node) => `${node.target.join(' ')} ${node.html.slice(0, 140)} ${node.failureSummary?.split('\n')[1] ?? ''}`)
            .join(' | ')}`,
      )
    },
    { rules, within },
  )
}
