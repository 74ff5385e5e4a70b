import { mailOf, NEWS, type NewsKindId } from '../../contract/news.ts'
import { ANONYMOUS } from '../core/caller.ts'
import type { Ctx, JobKind, Services } from '../core/context.ts'
import { toHttpError } from '../core/httpErrors.ts'
import { asSystem } from '../core/unitOfWork.ts'
import { peopleWithDueNews, postponeNews, takeDueNews } from '../domain/news/dueNews.ts'
import { readableNews } from '../domain/news/inbox.ts'
import { signMailLink } from '../domain/news/mailLink.ts'
import { preferencesOf } from '../domain/user/records.ts'
import { links, newsMail } from './letters.ts'
import { sendLetter } from './sendLetter.ts'

/**
 * Queues one mail with all the news that is due for a person.
 * The same transaction takes it off what is due.
 */
async function mailTo(ctx: Ctx, id: number): Promise<void> {
  const taken = await takeDueNews(ctx, id)
  if (!taken) return
  const { user, ids } = taken
  const preferences = preferencesOf(user)
  const actor = { id, role: user.role, admin_id: null }
  const rows = await readableNews({ db: ctx.tx, actor }, ids)
  // What was read in the meantime, or isn't wanted any more, isn't mailed.
  const news = rows.filter((row) => row.read_at === null && mailOf(preferences, row.kind) !== 'never')
  if (!news.length) return
  const kinds = [...new Set(news.map(({ kind }): NewsKindId => kind))]
  const { publicUrl, timeZone } = ctx.services.settings
  const { token, until } = signMailLink(ctx, id, kinds)
  const records = [...Map.groupBy(news, ({ subject, subject_id }) => `${subject} ${subject_id}`).values()].map((lines) => ({
    name: lines[0]!.name,
    link: links.record(publicUrl, lines[0]!.noun, Number(lines[0]!.subject_id)),
    lines: lines.map(({ kind, by_name, created_at }) => ({ line: NEWS[kind].line, by: by_name, at: created_at })),
  }))
  const to = {
    first_name: user.first_name,
    records,
    zone: timeZone,
    inbox: links.inbox(publicUrl),
    stop: links.stopMail(publicUrl, token),
  }
  await sendLetter(ctx, { to: user.email, about: `news user:${id}`, opens: { until, account: id } }, (services) =>
    newsMail(services, to),
  )
}

/** Mails the news that is due, a person at a time; returns how many people had some. */
export async function mailNews(services: Services, signal?: AbortSignal): Promise<number> {
  const people = await peopleWithDueNews(services)
  for (const user_id of people) {
    if (signal?.aborted) break
    try {
      await asSystem(services, 'news.mail', ANONYMOUS, (ctx) => mailTo(ctx as Ctx, user_id))
    } catch (error) {
      if (toHttpError(services.database, error)) throw error
      // One mail that can't be made must not hold up those of everybody after it.
      services.log.error({ err: error, user_id }, 'news could not be mailed; tried again in an hour')
      await asSystem(services, 'news.mail', ANONYMOUS, (ctx) => postponeNews(ctx as Ctx, user_id))
    }
  }
  return people.length
}

/** Has no jobs of its own; it looks for news to mail every ten seconds. */
export const newsKind: JobKind = { run: async () => ({}), tick: mailNews }
