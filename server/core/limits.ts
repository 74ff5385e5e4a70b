import { type Amount, readAmounts } from './amounts.ts'

/**
 * TABLE  limits for one user (docs/operating.md); `LIMITS=name=number,…` changes them.
 * The defaults exceed what an administrator needs at work.
 */
export const LIMITS = {
  upload_mb_hour: { usual: 500, about: 'megabytes uploaded in an hour' },
  upload_mb_day: { usual: 2000, about: 'megabytes uploaded in 24 hours' },
  upload_mb_kept: { usual: 20_000, about: 'megabytes of uploads kept in all' },
  upload_files_day: { usual: 2000, about: 'files uploaded in 24 hours' },
  upload_files_kept: { usual: 50_000, about: 'uploaded files kept in all' },
  layouts: { usual: 2000, about: 'shared workspaces kept in all' },
  layouts_mb: { usual: 20, about: 'megabytes of shared workspaces kept in all' },
  views: { usual: 500, about: 'saved views kept in all (100 of them on one screen)' },
  preferences_kb: { usual: 32, about: 'kilobytes of preferences' },
  requests_day: { usual: 200, about: 'project requests by a client user in 24 hours' },
  messages_minute: { usual: 20, about: 'messages of one person or partner in conversations, in a minute' },
  exports_day: { usual: 300, about: 'exports started in 24 hours' },
  keys: { usual: 200, about: 'API keys and tokens that are valid' },
  token_minute: { usual: 1200, about: 'calls of one token: so many at once, and so many a minute from then on' },
  webhooks: { usual: 50, about: 'webhooks of one person' },
  acting: { usual: 20, about: 'sessions in which an administrator acts as somebody' },
  writes_day: {
    usual: 50_000,
    about: 'changes of any kind: so many at once, and so many a day from then on, counted by each process',
  },
  sign_ins_minute: { usual: 30, about: 'tries to sign in from one address: so many at once, and so many a minute from then on' },
  account_requests_day: { usual: 500, about: 'requests for an account by strangers in 24 hours, all together' },
} as const satisfies Record<string, Amount>
export type LimitName = keyof typeof LIMITS
export type Limits = Record<LimitName, number>

const MOST = 1_000_000_000

/** Reads `LIMITS`, such as `upload_mb_day=5000,views=1000`; adds a sentence to `faults` for each wrong part. */
export const readLimits = (text: string, faults: string[]): Limits =>
  readAmounts(LIMITS, { setting: 'LIMITS', least: 1, most: MOST, range: `a whole number from 1 to ${MOST}` }, text, faults)
