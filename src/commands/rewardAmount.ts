import { amountList } from '../../contract/decimals.ts'
import { dollars } from '../../contract/format.ts'
import { PROVIDERS } from '../../contract/vocabulary.ts'

/** Above this a reward is unusual, and the form warns. */
const HIGH_CENTS = 1_000_000

/** Returns the amounts that a provider pays, in cents. */
export const amountsOf = (provider: number): readonly number[] => PROVIDERS.find(({ value }) => value === provider)?.allowed ?? []

/** Returns a warning for an unusual amount, which is still accepted; null if there is none. */
export function amountWarning(cents: number, provider: number): string | null {
  const row = PROVIDERS.find(({ value }) => value === provider)
  if (row && !(row.allowed as readonly number[]).includes(cents))
    return `${row.label} pays ${amountList(row.allowed)}. Other amounts are flagged and can’t be paid.`
  return cents > HIGH_CENTS ? `${dollars(cents)} is more than ${dollars(HIGH_CENTS)}.` : null
}
