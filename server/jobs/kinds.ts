import type { JobKind } from '../context.ts'
import { payoutKind } from '../payout/payout.ts'
import { exportKind } from './export.ts'

/** Every kind of job that the server runs. */
export const KINDS: Record<string, JobKind> = {
  export: exportKind,
  payout: payoutKind,
}
