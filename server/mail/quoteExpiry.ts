import { ANONYMOUS } from '../core/caller.ts'
import type { Ctx, JobKind, Services } from '../core/context.ts'
import { asSystem } from '../core/unitOfWork.ts'
import { recordsOf } from '../domain/project/list.ts'
import { expiringQuotes, markReminded } from '../domain/quote/expiry.ts'
import { clientRecipients } from '../domain/quote/recipients.ts'
import { links, quoteExpires } from './letters.ts'
import { sendLetter } from './sendLetter.ts'

async function remind(ctx: Ctx, { id, project_id }: { id: number; project_id: number }): Promise<void> {
  const quote = await markReminded(ctx, id)
  const [record] = await recordsOf(ctx, [project_id])
  if (!quote || !record) return
  const link = links.clientApproval(ctx.services.settings.publicUrl, record)
  for (const { email, first_name } of await clientRecipients(ctx, record)) {
    const to = { first_name, project: record.name, ...quote, link }
    await sendLetter(ctx, { to: email, about: `project:${project_id}` }, (services) => quoteExpires(services, to))
  }
}

/** Mails each client once that a quote of theirs expires in two days; returns how many quotes were found. */
export async function mailExpiringQuotes(services: Services): Promise<number> {
  const found = await asSystem(services, 'quote.lapses', ANONYMOUS, expiringQuotes)
  for (const quote of found) await asSystem(services, 'quote.lapses', ANONYMOUS, (ctx) => remind(ctx, quote))
  return found.length
}

/** Has no jobs of its own; its sweep queues the mails. */
export const quoteExpiryKind: JobKind = { run: async () => ({}), sweep: mailExpiringQuotes }
