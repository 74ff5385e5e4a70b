import { nounOf } from '../../contract/nounOf.ts'
import { onFeed, openFeed } from '../data/indexFeed.ts'
import { href, type RouteId } from '../routing/routes.ts'
import type { EntityIndex } from './entityIndex.ts'
import { FrecencyStore } from './frecencyStore.ts'
import { takeAhead } from './readAhead.ts'
import { forgetEntityIndex, openEntityIndex } from './searchClient.ts'

export type { IndexStatus } from './entityIndex.ts'
export { omissions } from './omissions.ts'
export { toToken } from './query.ts'
export { spellingsOf } from './spelling.ts'
export type { Hit } from './types.ts'

let opened: { person: number; index: EntityIndex } | null = null

/** The wait after a failed load; it doubles each time. */
const FIRST_WAIT_MS = 2000
const MOST_WAIT_MS = 60_000

/** Returns the names a user can find, stored in the browser and kept up to date; opened by the first call. */
export function entitiesOf(person: number): EntityIndex {
  if (opened?.person === person) return opened.index
  opened?.index.close()
  const index = openEntityIndex({ user: String(person), load: openFeed, ahead: takeAhead(person) })
  const { close } = index
  let again: ReturnType<typeof setTimeout> | undefined
  let closed = false
  // Without names the palette is half as useful, and a change that isn't read would be missing until the next one.
  const retry = (wait: number): void => {
    clearTimeout(again)
    if (!closed) again = setTimeout(() => reload(Math.min(2 * wait, MOST_WAIT_MS)), wait)
  }
  const reload = (wait: number): void => void index.reload().catch(() => retry(wait))
  const stop = onFeed(() => reload(FIRST_WAIT_MS))
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

/** Returns the frecency of records that a user opened, by key. */
export const usesOf = (person: number): readonly [key: string, frecency: number][] => new FrecencyStore(String(person)).entries()

/** Deletes the names stored in this browser, so that nothing can be found after sign-out. */
export async function forgetEntitiesOf(person: number): Promise<void> {
  if (opened?.person === person) {
    opened.index.close()
    opened = null
  }
  await forgetEntityIndex(String(person))
}

/** Returns a found record's path: its own screen, or the list that contains it. */
export function pathOfEntity(kind: string, id: number | string, detail: string): string {
  const { screen, listed } = nounOf(kind) ?? {}
  const to = href as unknown as (route: RouteId, params: object, more?: object) => string
  // A brand opens without a saved filter.
  if (screen) return to(screen as RouteId, { id, filter: 'none' })
  // A saved filter leads to its own brand.
  if (kind === 'filter') return href('brand', { id: 0, filter: id })
  // A VIP experience opens on its project, whose code ends the second line.
  const project = kind === 'vip' && /P-(\d+)$/.exec(detail)
  if (project) return href('project', { id: project[1]! }, { tab: 'vip', query: { search: id } })
  // The list of users has a tab per role.
  const tab = kind === 'user' ? { tab: detail.startsWith('administrator') ? 'adminUsers' : 'clientUsers' } : {}
  return to(listed as RouteId, {}, { ...tab, query: { search: String(id) } })
}
