import { MAIL_WAITS } from '../../../contract/mailWaits.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { countedUntil } from '../../core/clockSkew.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { ago, DAY_MS } from '../../core/quotas.ts'
import { seenProject } from '../../domain/project/detail.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { roundRecipients } from '../../domain/quote/recipients.ts'
import { links, quoteAskedAgain, requestArrived, requestCorrected } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'
import { datesOf } from './partnerMail.ts'

const nameOf = ({ user }: Ctx): string => `${user.first_name} ${user.last_name}`.trim()

/** Mails a corrected request to the administrators, who may be pricing it. */
export async function mailCorrection(ctx: Ctx, record: ProjectRecord): Promise<void> {
  const facts = {
    project: record.name,
    by: nameOf(ctx),
    completes: record.ordered,
    dates: datesOf(record),
    link: links.approval(ctx.services.settings.publicUrl, record),
  }
  for (const owner of await roundRecipients(ctx, record)) {
    if (owner.id === ctx.actor.id) continue
    await sendLetter(ctx, { to: owner.email, about: `project:${record.id}`, delay_seconds: MAIL_WAITS }, (services) =>
      requestCorrected(services, { first_name: owner.first_name, ...facts }),
    )
  }
}

/** Mails a new request to the administrators, who price it next, but not to the one who created it. */
export async function mailNewRequest(ctx: Ctx, id: number): Promise<void> {
  const record = await seenProject(ctx, id)
  const client = await ctx.tx.selectFrom('clients').select('name').where('id', '=', record.client_id).executeTakeFirstOrThrow()
  const facts = {
    project: record.name,
    code: codeOf('project', id),
    client: client.name,
    by: nameOf(ctx),
    completes: record.ordered,
    dates: datesOf(record),
    link: links.approval(ctx.services.settings.publicUrl, record),
  }
  for (const owner of await roundRecipients(ctx, record)) {
    if (owner.id === ctx.actor.id) continue
    await sendLetter(ctx, { to: owner.email, about: `project:${id}`, delay_seconds: MAIL_WAITS }, (services) =>
      requestArrived(services, { first_name: owner.first_name, ...facts }),
    )
  }
}

const ASKED = 'project.askQuote'

/** Throws 409 if a new quote was requested in the last day and not withdrawn. */
async function refuseAskedAgain(ctx: Ctx, id: number): Promise<void> {
  const last = await ctx.tx
    .selectFrom('history')
    .select('action')
    .where('subject', '=', 'project')
    .where('subject_id', '=', id)
    .where('action', 'in', [ASKED, `undo ${ASKED}`])
    .where('at', '>', ago(ctx, DAY_MS))
    .where('at', '<=', countedUntil(ctx))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.action === ASKED) throw new HttpError(409, 'not_now', 'A new quote was already requested within the last day.')
}

/** Mails the client's message to the administrators who priced the project; at most once a day. */
export async function askQuote(ctx: Ctx, record: ProjectRecord, message: string): Promise<void> {
  await refuseAskedAgain(ctx, record.id)
  const link = links.approval(ctx.services.settings.publicUrl, record)
  const facts = { project: record.name, by: nameOf(ctx), valid_until: record.quote_valid_until, message, link }
  for (const owner of await roundRecipients(ctx, record))
    await sendLetter(ctx, { to: owner.email, about: `project:${record.id}`, delay_seconds: MAIL_WAITS }, (services) =>
      quoteAskedAgain(services, { first_name: owner.first_name, ...facts }),
    )
  await ctx.record({ subject: 'project', subject_id: record.id, after: { asked: record.quote_valid_until }, reason: message })
}
