import { PROVIDERS } from '../../../contract/vocabulary.ts'
import type { Database } from '../../db/connect.ts'
import { insertMany, transact } from '../../db/connect.ts'

/** A reward to pay. */
interface Payment {
  /** The entry's id as idempotency key: repeating it must return the first payout and never make another. */
  key: number
  provider_id: number
  amount_cents: number
  email: string
}

/** A payment's outcome: paid, failed for now (the entry is pending again), or refused for good (rejected). */
export type Outcome = { key: number; paid: string } | { key: number; retry: string } | { key: number; refused: string }

/** A reward provider; a real one sends the key with each payment. */
export interface PayoutProvider {
  /** Pays; throws if the provider can't be reached, after which everything may be retried. */
  pay(payments: readonly Payment[]): Promise<Outcome[]>
}

/** Thrown by the built-in provider if our own database failed; it doesn't count as a provider's failure. */
export class NotRecorded extends Error {
  constructor(cause: unknown) {
    super('the payouts could not be recorded', { cause })
  }
}

/** The built-in provider: records each payout under its key, and sends nothing. */
export function recordingProvider(database: Database, now: () => Date): PayoutProvider {
  return {
    async pay(payments) {
      const at = now().toISOString()
      const rows = payments.map(({ key, provider_id, amount_cents, email }) => ({
        entry_id: key,
        provider_id,
        amount_cents,
        email,
        reference: `FW-${provider_id}-${key}`,
        at,
      }))
      await transact(database, (tx) => insertMany(tx, 'payouts', rows, 'skip')).catch((error: unknown) => {
        throw new NotRecorded(error)
      })
      return rows.map((row) => ({ key: row.entry_id, paid: row.reference }))
    },
  }
}

/** Amounts a provider can pay, in cents; empty means any. */
export function allowedAmounts(providerId: number): readonly number[] {
  return PROVIDERS.find((provider) => provider.value === providerId)?.allowed ?? []
}

let standIn: PayoutProvider | null = null
/** Replaces the built-in provider until called with null, to test failures. */
export function payThrough(provider: PayoutProvider | null): void {
  standIn = provider
}

/** The provider by id; every id has the built-in one until a real one is added here. */
export function providerFor(_providerId: number, database: Database, now: () => Date): PayoutProvider {
  return standIn ?? recordingProvider(database, now)
}
