import { PROVIDERS } from '../../../contract/vocabulary.ts'
import type { Database } from '../../db/connect.ts'
import { insertMany, transact } from '../../db/connect.ts'

/** One reward to be paid. */
export interface Payment {
  /** The entry's id is the idempotency key: paying the same key again must answer the first payout, never make a second one. */
  key: number
  provider_id: number
  amount_cents: number
  email: string
}

/** What became of one payment: paid; a failure that may pass (the entry waits as pending again); or one that will not (rejected). */
export type Outcome = { key: number; paid: string } | { key: number; retry: string } | { key: number; refused: string }

/** A reward provider. A real one is one file with its address and its answers; it sends the key with each payment. */
export interface PayoutProvider {
  /** Pays; throws when it could not be reached, and then everything may be tried again. */
  pay(payments: readonly Payment[]): Promise<Outcome[]>
}

/** Thrown by the built-in provider when our own database failed: no word about any provider. */
export class NotRecorded extends Error {
  constructor(cause: unknown) {
    super('the payouts could not be recorded', { cause })
  }
}

/** The built-in provider: records each payout under its key and sends nothing anywhere. */
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

/** The amounts a provider can pay, in cents; none means any. */
export function allowedAmounts(providerId: number): readonly number[] {
  return PROVIDERS.find((provider) => provider.value === providerId)?.allowed ?? []
}

let standIn: PayoutProvider | null = null
/** Puts another provider in the built-in one's place until it is called with null: for tests of failures. */
export function payThrough(provider: PayoutProvider | null): void {
  standIn = provider
}

/** The payout provider by id; both are the built-in one until a real one is added here. */
export function providerFor(_providerId: number, database: Database, now: () => Date): PayoutProvider {
  return standIn ?? recordingProvider(database, now)
}
