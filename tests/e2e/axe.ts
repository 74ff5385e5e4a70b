import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** The rules for every screen: WCAG 2.2 AA and earlier. */
export const WCAG = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } as const
/** The rules that depend on colors; all others give the same result in both themes. */
export const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const

/** Sets the theme that a page takes from its system; a user's setting would persist to the next test. */
export async function wear(page: Page, theme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/)
}

/** axe's rules, by tag or name. */
export interface Rules {
  type: 'tag' | 'rule'
  values: readonly string[]
}

/** Rows of a list beyond its eighth, which repeat the ones before them. */
export const REPEATED_ROWS = '[role=rowgroup] > [role=row]:nth-child(n+9)'

/**
 * Returns violations in words: the rule and its first elements, within one selector, without another.
 * Runs axe in the page and describes only violations: its Playwright builder takes several times as long.
 */
export async function faults(page: Page, rules: Rules, within?: string, without?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(
    async ({ rules, within, without }) => {
      const { configure, run } = (window as unknown as { axe: typeof axe }).axe
      const options: axe.RunOptions = {
        runOnly: { type: rules.type, values: [...rules.values] },
        resultTypes: ['violations'],
        elementRef: true,
      }
      // Otherwise it reads the source of every element that it checks, not only of those at fault.
      configure({ noHtml: true })
      const { violations } = await run({ include: within ?? document, ...(without && { exclude: without }) }, options)
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(
              (node) =>
                `${node.target.join(' ')} ${node.element?.outerHTML.slice(0, 140)} ${node.failureSummary?.split('\n')[1] ?? ''}`,
            )
            .join(' | ')}`,
      )
    },
    { rules, within, without },
  )
}
