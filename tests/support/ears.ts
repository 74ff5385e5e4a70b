import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Virtual } from '@guidepup/virtual-screen-reader'
import { expect, type Page } from '@playwright/test'

declare global {
  interface Window {
    Reader?: typeof Virtual
    /** Everything spoken, in order. */
    said?: string[]
  }
}

/** Guidepup's reader as a script, because a page's policy allows no script except what a test evaluates. */
let script: string | undefined
const reader = (): string => {
  const file = createRequire(import.meta.url).resolve('@guidepup/virtual-screen-reader/browser.js')
  const source = readFileSync(file, 'utf8')
  const name = /export\s*\{[^}]*?([\w$]+) as Virtual\b[^}]*\};?/.exec(source)
  if (!name) throw new Error('The virtual screen reader exports its class in another way now.')
  script ??= `{ ${source.slice(0, name.index)}\nwindow.Reader = ${name[1]} }`
  return script
}

/**
 * Runs in the page: starts the reader, which speaks whatever gets the focus, and changes of live regions.
 * A row that the focused field only refers to is spoken by a second reader, as real ones do.
 */
async function begin(): Promise<void> {
  const Reader = window.Reader!
  const whole = new Reader()
  await whole.start({ container: document.body })
  // The log itself, not a copy, so that rows are inserted in order.
  const phrases = await whole.spokenPhraseLog()
  phrases.length = 0
  window.said = phrases
  const named = 'aria-activedescendant'
  let last = ''
  const sayRow = async () => {
    const row = document.getElementById(document.activeElement?.getAttribute(named) || ' ')
    const one = new Reader()
    if (row) await one.start({ container: row })
    const words = row ? await one.lastSpokenPhrase() : ''
    if (words && words !== last) phrases.push(words)
    last = words
  }
  // Speaks an alert when it appears; Guidepup speaks only changes within existing regions.
  const sayAlerts = (changes: MutationRecord[]) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof HTMLElement && node.isConnected)
        for (const alert of node.matches('[role=alert]') ? [node] : node.querySelectorAll<HTMLElement>('[role=alert]'))
          phrases.push(`assertive: ${alert.textContent}`)
  }
  new MutationObserver(sayAlerts).observe(document.body, { subtree: true, childList: true })
  let next = 0
  // Letters and arrows change it several times in a task.
  new MutationObserver(() => {
    cancelAnimationFrame(next)
    next = requestAnimationFrame(() => void sayRow())
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: [named] })
}

/** The speech of a virtual screen reader on a page. */
export interface Ears {
  /** Waits until these were spoken in this order since the last time; other speech may come in between. */
  hear(...sentences: (string | RegExp)[]): Promise<void>
  /** Everything spoken since the last time. */
  heard(): Promise<string[]>
  /** Forgets what was spoken. */
  forget(): Promise<void>
}

const fits = (words: string, sentence: string | RegExp): boolean =>
  typeof sentence === 'string' ? words.includes(sentence) : sentence.test(words)

/** Starts a virtual screen reader on a page's current document; another document needs another one. */
export async function listen(page: Page): Promise<Ears> {
  // In the workspace, the announcer loads once the page is idle.
  if (await page.locator('[data-column]').count()) await page.locator('[data-announcer]').waitFor({ state: 'attached' })
  await page.evaluate(reader())
  await page.evaluate(begin)
  const heard = () => page.evaluate(() => [...(window.said ?? [])])
  const forget = (count = Number.MAX_SAFE_INTEGER) => page.evaluate((count) => void window.said!.splice(0, count), count)
  return {
    heard,
    forget: () => forget(),
    async hear(...sentences) {
      let end = 0
      const missing = async () => {
        const phrases = await heard()
        end = 0
        for (const sentence of sentences) {
          const at = phrases.findIndex((words, place) => place >= end && fits(words, sentence))
          if (at < 0) return [`not heard: ${sentence}`, ...phrases]
          end = at + 1
        }
        return []
      }
      await expect.poll(missing).toEqual([])
      await forget(end)
    },
  }
}

/** Runs in the page: reads the focused pane, or a page without panes, to its end or to a number of items. */
async function readPane(most: number): Promise<{ said: string[]; ended: boolean }> {
  const shown =
    document.querySelector<HTMLElement>('[data-column][data-active] section[role=tabpanel]:not([inert])') ??
    document.querySelector('main')!
  const one = new window.Reader!()
  await one.start({ container: shown })
  let ended = false
  for (let at = 0; at < most && !ended; at++) {
    await one.next()
    ended = /^end of (tabpanel|main)/.test(await one.lastSpokenPhrase())
  }
  const phrases = [...(await one.spokenPhraseLog())]
  await one.stop()
  return { said: phrases, ended }
}

/** The speech for the focused pane, or for a page without panes; `ended` is false beyond `most` items. */
export async function readThrough(page: Page, most: number): Promise<{ said: string[]; ended: boolean }> {
  if (!(await page.evaluate(() => window.Reader !== undefined))) await page.evaluate(reader())
  return page.evaluate(readPane, most)
}
