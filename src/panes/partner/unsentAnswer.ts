import { browserStore } from '../../data/browserStore.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'
import { BLANK, type Values } from './answerForm.ts'

/** Typed values that aren't on the server yet; `over` is the version they were typed over. */
export interface UnsentAnswer {
  values: Values
  over: number
}

const nameOf = ({ id, partner_id, token }: PartnerSession, round: number): string =>
  ['fieldwork.answer', id, partner_id, round, ...(token ? [] : ['phone'])].join('.')

/** Returns this device's unsent answer to a round; null without one. */
export function unsentAnswer(visit: PartnerSession, round: number): UnsentAnswer | null {
  const kept = browserStore.get(nameOf(visit, round)) as UnsentAnswer | null
  return kept?.values ? { ...kept, values: { ...BLANK, ...kept.values } } : null
}

/** Stores typed values on this device until the server has them; null deletes them. */
export const saveUnsentAnswer = (visit: PartnerSession, round: number, typed: UnsentAnswer | null): void =>
  browserStore.set(nameOf(visit, round), typed)
