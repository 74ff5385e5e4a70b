import type { JobKind } from './core/context.ts'
import { retentionKind } from './domain/endings.ts'
import { fieldSessionKind } from './domain/fieldSession/sessionJobs.ts'
import { historyKind } from './domain/historyRetention.ts'
import { payoutKind } from './domain/payout/payout.ts'
import { quotaKind } from './domain/quota/lapse.ts'
import { forgetWithdrawn } from './domain/runtime/withdrawn.ts'
import { refreshKind } from './domain/survey/refresh.ts'
import { visitsKind } from './domain/visit/rebuild.ts'
import { rollupKind } from './domain/visit/rollups.ts'
import { venuesKind } from './domain/visit/venueJob.ts'
import { contentKind } from './exports/contentZip.ts'
import { exportKind } from './exports/export.ts'
import { thumbnailKind } from './files/thumbnails.ts'
import { importJob } from './imports/importJob.ts'
import { locationKind } from './imports/locations.ts'
import { rewardKind } from './imports/rewards.ts'
import { mailKind } from './mail/mailKind.ts'
import { newsKind } from './mail/newsKind.ts'
import { notificationKind } from './mail/notificationKind.ts'
import { quoteExpiryKind } from './mail/quoteExpiry.ts'
import { sessionPostKind } from './webhooks/sessionPostKind.ts'
import { webhookKind } from './webhooks/webhookKind.ts'

/** Every kind of job the server runs. */
export const KINDS: Record<string, JobKind> = {
  export: exportKind,
  content: contentKind,
  thumbnails: thumbnailKind,
  mail: mailKind,
  payout: payoutKind,
  rewards: importJob(rewardKind),
  'question refresh': refreshKind,
  notification: notificationKind,
  news: newsKind,
  'quote lapse': quoteExpiryKind,
  locations: importJob(locationKind),
  'visit rebuild': visitsKind,
  'visit rollups': rollupKind,
  venues: venuesKind,
  webhook: webhookKind,
  quotas: quotaKind,
  sessions: fieldSessionKind,
  'session post': sessionPostKind,
  retention: retentionKind,
  'history retention': { ...historyKind, sweep: forgetWithdrawn },
}
