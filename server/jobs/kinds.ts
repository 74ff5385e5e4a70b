import { payoutKind } from '../payout/payout.ts'
import { exportKind } from './export.ts'
import type { JobKind } from './types.ts'

/** Every kind of job that the server runs. */
export const KINDS: Record<string, JobKind> = {
  export: exportKind,
  payout: payoutKind,
}
