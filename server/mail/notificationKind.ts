import { setImmediate as turn } from 'node:timers/promises'
import type { JobKind, RunningJob } from '../core/context.ts'
import { markSent, putIntoInboxes, takeBack } from '../domain/notification/deliver.ts'
import { wantsMail } from '../domain/notification/notificationAudience.ts'
import { notificationMail } from './letters.ts'
import { sendLetter } from './sendLetter.ts'

/**
 * Adds a notification to every inbox, and mails it to users who want that.
 * Users who already have it are skipped, so that a resumed job sends it to nobody twice.
 */
export const notificationKind: JobKind = {
  untilStart: true,
  async run(job) {
    const { id } = job.input as { id: number }
    const result = { reached: 0, mailed: 0 }
    for (let after = 0; ; ) {
      job.signal.throwIfAborted()
      const piece = await sendPiece(job, id, after)
      if (!piece) return { ...result, audience: await job.write((ctx) => markSent(ctx, id)) }
      after = piece.last
      result.reached += piece.reached
      result.mailed += piece.mailed
      job.progress(result.reached)
      await turn()
    }
  },
  cancelled: (ctx, job) => takeBack(ctx, { ...(JSON.parse(job.input) as { id: number }), job_id: job.id }),
}

/** Delivers to some users' inboxes and mailboxes in one transaction, so that they can't get one without the other. */
const sendPiece = (job: RunningJob, id: number, after: number) =>
  job.write(async (ctx) => {
    const put = await putIntoInboxes(ctx, { id, job_id: job.id, after })
    if (!put) return null
    const { publicUrl } = job.services.settings
    const byMail = put.people.filter(wantsMail)
    for (const { email, first_name } of byMail)
      await sendLetter(ctx, { to: email, about: `notification:${id}` }, (organization) =>
        notificationMail(organization, { ...put.notification, first_name, publicUrl }),
      )
    return { last: put.people.at(-1)!.id, reached: put.people.length, mailed: byMail.length }
  })
