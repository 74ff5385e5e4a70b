import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { expect } from '../support/e2e.ts'
import { call, open, pane } from './verbs.ts'

let serial = 0
/** A unique text. */
export const fresh = (word: string) => `${word} ${process.pid}-${++serial}`

/** The number of times a project has this note. */
export const notesOf = async (page: Page, id: number, text: string) =>
  (await call(page, 'note.list', { id, per_page: 100 })).data.filter(({ note }) => note === text).length

/** Opens a project's notes, and waits until the pane has its subject. */
export async function notes(page: Page, project: { id: number; name: string }) {
  await open(page, 'project', { id: project.id }, { tab: 'notes' })
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText(project.name)
}

/** Delays a call of this page by this many ms. */
export async function slow(page: Page, url: string, ms: number) {
  await page.route(url, async (route) => {
    await delay(ms)
    await route.continue()
  })
}
