import { browserStore } from '../../data/browserStore.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'

/** A typed message that the server may not have; `after` is the newest message at its first try, null before one. */
export interface UnsentMessage {
  text: string
  after: number | null
}

const nameOf = ({ id, partner_id, token }: PartnerSession): string =>
  ['fieldwork.message', id, partner_id, ...(token ? [] : ['agency'])].join('.')

/** Returns what was typed on this device and not sent. */
export const unsentMessage = (visit: PartnerSession): UnsentMessage =>
  (browserStore.get(nameOf(visit)) as UnsentMessage | null) ?? { text: '', after: null }

/** Stores it on this device until it is sent; an empty text deletes it. */
export const saveUnsentMessage = (visit: PartnerSession, typed: UnsentMessage): void =>
  browserStore.set(nameOf(visit), typed.text ? typed : null)
