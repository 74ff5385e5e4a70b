import { browserStore } from '../../data/browserStore.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'
import { BLANK, type Values } from './answerForm.ts'

/** What was typed and isn't on the server yet; `over` is the version of the answer that it was typed over. */
export interface UnsentAnswer {
  values: Values
  over: number
}

const nameOf = ({ id, partner_id, token }: PartnerSession, round: number): string =>
  ['fieldwork.answer', id, partner_id, round, ...(token ? [] : ['phone'])].join('.')

/** What this device keeps of an unsent answer to a round; null without any. */
export function unsentAnswer(visit: PartnerSession, round: number): UnsentAnswer | null {
  const kept = browserStore.get(nameOf(visit, round)) as UnsentAnswer | null
  return kept?.values ? { ...kept, values: { ...BLANK, ...kept.values } } : null
}

/** Keeps what was typed on this device until the server has it; null forgets it. */
export const saveUnsentAnswer = (visit: PartnerSession, round: number, typed: UnsentAnswer | null): void =>
  browserStore.set(nameOf(visit, round), typed)
