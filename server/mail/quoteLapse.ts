import { ANONYMOUS } from '../core/caller.ts'
import type { Ctx, JobKind, Services } from '../core/context.ts'
import { asSystem } from '../core/unit.ts'
import { recordsOf } from '../domain/project/list.ts'
import { lapsingQuotes, markLapsing } from '../domain/quote/lapses.ts'
import { clientReaders } from '../domain/quote/people.ts'
import { links, quoteLapses } from './letters.ts'
import { sendLetter } from './send.ts'

async function remind(ctx: Ctx, { id, project_id }: { id: number; project_id: number }): Promise<void> {
  const quote = await markLapsing(ctx, id)
  const [record] = await recordsOf(ctx, [project_id])
  if (!quote || !record) return
  const link = links.clientApproval(ctx.services.settings.publicUrl, record)
  for (const { email, first_name } of await clientReaders(ctx, record)) {
    const to = { first_name, project: record.name, ...quote, link }
    await sendLetter(ctx, { to: email, about: `project:${project_id}` }, (services) => quoteLapses(services, to))
  }
}

/** Mails each client once that a quote of theirs ends in two days; returns how many quotes were found. */
export async function mailLapsingQuotes(services: Services): Promise<number> {
  const found = await asSystem(services, 'quote.lapses', ANONYMOUS, lapsingQuotes)
  for (const quote of found) await asSystem(services, 'quote.lapses', ANONYMOUS, (ctx) => remind(ctx, quote))
  return found.length
}

/** It has no jobs of its own; its sweep queues the mails. */
export const quoteLapseKind: JobKind = { run: async () => ({}), sweep: mailLapsingQuotes }
