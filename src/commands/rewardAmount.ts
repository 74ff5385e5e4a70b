import { amountList } from '../../contract/decimals.ts'
import { dollars } from '../../contract/format.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { amountFault, readAmount } from '../../contract/money.ts'
import { PROVIDERS } from '../../contract/vocabulary.ts'

/** Above this a reward is unusual, and the form warns. */
const HIGH_CENTS = 1_000_000

/** The reward providers as options. */
export const PROVIDER_OPTIONS = PROVIDERS.map(({ value, label, allowed }) => ({
  value: String(value),
  label,
  detail: `pays ${amountList(allowed)}`,
}))

/** Returns the amounts that a provider pays, in cents. */
export const amountsOf = (provider: number): readonly number[] => PROVIDERS.find(({ value }) => value === provider)?.allowed ?? []

/** Parses a typed amount into cents, "$1,250.50" or "5"; null if it isn't an amount. */
export const centsIn = (text: string): number | null => readAmount(text).cents

/** Returns what is wrong with a typed amount, in the specification's words; null if nothing is. */
export function rewardAmountFault(text: string): string | null {
  if (!text.trim()) return MESSAGES.rewardAmount
  const amount = readAmount(text)
  if (amount.cents === null) return amountFault(MESSAGES.rewardAmountUnread, amount)
  return amount.cents > 0 ? null : MESSAGES.rewardAmountWrong
}

/** Returns a warning for an unusual amount, which is still accepted; null if there is none. */
export function amountWarning(cents: number, provider: number): string | null {
  const row = PROVIDERS.find(({ value }) => value === provider)
  if (row && !(row.allowed as readonly number[]).includes(cents))
    return `${row.label} pays ${amountList(row.allowed)}. Other amounts are flagged and can’t be paid.`
  return cents > HIGH_CENTS ? `${dollars(cents)} is more than ${dollars(HIGH_CENTS)}.` : null
}

/** Returns the default code of a provider's reward: GC-005, PP-005. */
export const usualCode = (cents: number, provider: number): string =>
  `${provider === 600 ? 'PP' : 'GC'}-${String(Math.round(cents / 100)).padStart(3, '0')}`
