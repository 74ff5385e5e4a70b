import { feasibilityPath, PARTNER_PAGES, UNDER_DASHBOARD } from '../../contract/pages.ts'
import { tabStore } from './browserStore.ts'

/** A request that this tab has opened; without a token it is an administrator's preview. */
export interface PartnerSession {
  id: string
  partner_id: string
  token: string | null
  /** The server knows that it was opened. */
  noted?: true
}

/** Which of the partners' pages a URL shows, with the parameters of the first. */
export type PartnerPage = { page: 'feasibility'; id: string; partner_id: string } | { page: 'answered' } | { page: 'unknown' }

const patterns = Object.entries(PARTNER_PAGES).map(
  ([page, path]) => [page, new RegExp(`^(?:${UNDER_DASHBOARD})?${path.replace(/\{(\w+)\}/g, '(?<$1>\\d{1,15})')}/?$`)] as const,
)

/** Reads a path; anything but a partners' page leads to the page for missing requests. */
export function partnerPageOf(pathname: string): PartnerPage {
  for (const [page, pattern] of patterns) {
    const found = pattern.exec(pathname)
    if (!found) continue
    return page === 'feasibility'
      ? { page, id: found.groups!.id!, partner_id: found.groups!.partner_id! }
      : { page: page as 'answered' | 'unknown' }
  }
  return { page: 'unknown' }
}

const KEPT = 'fieldwork.partner'
interface StoredVisits {
  /** The visit that the receipt and the page for missing requests belong to. */
  current: string | null
  visits: Record<string, PartnerSession>
}
const keyOf = ({ id, partner_id }: Pick<PartnerSession, 'id' | 'partner_id'>): string => `${id}/${partner_id}`

/** Kept in memory too, because a browser may forbid storage. */
let memory: StoredVisits = { current: null, visits: {} }
function read(): StoredVisits {
  const stored = tabStore.get(KEPT) as StoredVisits | null
  return stored?.visits ? stored : memory
}
function write(kept: StoredVisits): void {
  memory = kept
  tabStore.set(KEPT, kept)
}

/** Saves a visit for this tab and makes it the current one. */
export function saveSession(visit: PartnerSession): PartnerSession {
  const { visits } = read()
  write({ current: keyOf(visit), visits: { ...visits, [keyOf(visit)]: visit } })
  return visit
}

/** Returns the visit this tab made last; null in a tab that opened no link. */
export function currentSession(): PartnerSession | null {
  const { current, visits } = read()
  return (current && visits[current]) || null
}

/** Moves the token from the URL to the tab's storage, and returns the visit of this request; null without a token. */
export function takeSession(place: { id: string; partner_id: string }): PartnerSession | null {
  const query = new URLSearchParams(location.search)
  const token = query.get('token')
  if (token !== null) {
    query.delete('token')
    const search = query.toString()
    history.replaceState(history.state, '', feasibilityPath(place.id, place.partner_id) + (search ? `?${search}` : ''))
  }
  const kept = read().visits[keyOf(place)]
  if (token) return saveSession({ ...place, token, ...(kept?.token === token && kept.noted ? { noted: true } : {}) })
  return kept?.token ? saveSession(kept) : null
}
