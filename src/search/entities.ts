import { nounOf } from '../../contract/nounOf.ts'
import { onFeed, openFeed } from '../data/feed.ts'
import { href, type RouteId } from '../routing/routes.ts'
import type { EntityIndex } from './open.ts'
import { forgetEntityIndex, openEntityIndex } from './searchClient.ts'

let opened: { person: number; index: EntityIndex } | null = null

/** After a first load that failed; twice as long each time after. */
const FIRST_WAIT_MS = 2000
const MOST_WAIT_MS = 60_000

/** The names that a person may find, kept in the browser and up to date; opened at the first asking. */
export function entitiesOf(person: number): EntityIndex {
  if (opened?.person === person) return opened.index
  opened?.index.close()
  const index = openEntityIndex({ user: String(person), load: openFeed })
  const stop = onFeed(() => void index.reload().catch(() => undefined))
  const { close } = index
  let again: ReturnType<typeof setTimeout> | undefined
  let closed = false
  const retry = (wait: number): void => {
    if (closed) return
    again = setTimeout(() => void index.reload().catch(() => retry(Math.min(2 * wait, MOST_WAIT_MS))), wait)
  }
  // Without names at all the palette is half of itself: they are asked for until they come.
  index.current.catch(() => retry(FIRST_WAIT_MS))
  index.close = () => {
    closed = true
    clearTimeout(again)
    stop()
    close()
  }
  opened = { person, index }
  return index
}

/** Removes the names stored in this browser, so that nothing can be found after signing out. */
export async function forgetEntitiesOf(person: number): Promise<void> {
  if (opened?.person === person) {
    opened.index.close()
    opened = null
  }
  await forgetEntityIndex(String(person))
}

/** The address of a found record: its own screen, or the list that contains it. */
export function pathOfEntity(kind: string, id: number | string, detail: string): string {
  const { screen, listed } = nounOf(kind) ?? {}
  const to = href as unknown as (route: RouteId, params: object, more?: object) => string
  if (screen) return to(screen as RouteId, { id })
  // The list of users has a tab for each role.
  const tab = kind === 'user' ? { tab: detail.startsWith('administrator') ? 'adminUsers' : 'clientUsers' } : {}
  return to(listed as RouteId, {}, { ...tab, query: { search: String(id) } })
}
