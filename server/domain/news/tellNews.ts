import { type SqlBool, sql } from 'kysely'
import { isAdmin } from '../../../contract/actor.ts'
import { mailOf, NEWS, type NewsKindId, type NewsMail, newsIdOf } from '../../../contract/news.ts'
import { addDays } from '../../../contract/pacing.ts'
import type { Ctx, TellsNews, UserRow } from '../../core/context.ts'
import { clientUserScope } from '../../core/scope.ts'
import { insertMany, type Tx } from '../../db/connect.ts'
import { dayStart } from '../content/days.ts'
import { isFollowedBy } from '../project/followedProjects.ts'
import { HAS_NO_OWNER } from '../project/projectOwner.ts'
import { fullName, preferencesOf } from '../user/records.ts'
import { eventsIn, type NewsEvent } from './newsEvents.ts'

/** How long (ms) what is mailed at once waits for more news of the same record. */
const GATHERS_MS = 60_000
const HOUR_MS = 3_600_000
/** The hour of the daily mail, in the display zone. */
const MORNING = 8

type Person = Pick<UserRow, 'id' | 'preferences'>

/** When news of now is due by mail; null for never. */
function dueAt(how: NewsMail, { now, today, zone }: { now: string; today: string; zone: string }): string | null {
  const at = Date.parse(now)
  if (how === 'now') return new Date(at + GATHERS_MS).toISOString()
  if (how === 'hourly') return new Date((Math.floor(at / HOUR_MS) + 1) * HOUR_MS).toISOString()
  if (how === 'never') return null
  const morningOf = (day: string) => new Date(Date.parse(dayStart(day, zone)) + MORNING * HOUR_MS).toISOString()
  const morning = morningOf(today)
  return morning > now ? morning : morningOf(addDays(today, 1))
}

/** The readers of an event: followers who may see it, or every administrator if nobody owns a new request. */
function readersOf(tx: Tx, { kind, project_id, user_id }: NewsEvent, authors: readonly number[]): Promise<Person[]> {
  const user = sql<number>`users.id`
  const sees = sql`(users.role = 'admin' or (${sql.lit(NEWS[kind].internal ? 0 : 1)} = 1 and ${clientUserScope(user)}))`
  const concerns =
    user_id !== undefined
      ? sql`users.id = ${user_id}`
      : kind === 'request'
        ? sql`(${isFollowedBy(user)} or (users.role = 'admin' and ${HAS_NO_OWNER}))`
        : isFollowedBy(user)
  return tx
    .selectFrom('users')
    .innerJoin('projects', (join) => join.on('projects.id', '=', project_id))
    .select(['users.id', 'users.preferences'])
    .where('users.deleted_at', 'is', null)
    .where('users.status', '=', 'active')
    .where('projects.deleted_at', 'is', null)
    .where('users.id', 'not in', [0, ...authors])
    .where(sql<SqlBool>`${concerns} and ${sees}`)
    .orderBy('users.id')
    .execute()
}

/**
 * Tells people what a write did to the projects that they follow, in its own transaction: once, or not at all.
 * People don't hear of what they did themselves.
 */
export const tellNews: TellsNews = async (tx, { caller, lines, now, today, zone, emit }) => {
  const { actor, user } = caller
  const events = eventsIn(lines, actor !== null && !isAdmin(actor))
  const authors = [actor?.id ?? 0, actor?.admin_id ?? 0]
  for (const event of events) {
    const people = await readersOf(tx, event, authors)
    const by = event.partner ?? (user ? fullName(user) : '')
    const piece = { subject: 'project', subject_id: event.project_id, kind: event.kind, by_name: by } as const
    await insertMany(
      tx,
      'news',
      people.map((person) => newsOf(person, piece, { now, today, zone })),
    )
    for (const { id } of people)
      emit({ noun: 'notice', id: newsIdOf('project', event.project_id), audience: 'user', user_id: id })
  }
}

/** Tells somebody that their own export or import is done. */
export async function tellDone(ctx: Ctx, { job, kind, user }: { job: number; kind: NewsKindId; user: number }): Promise<void> {
  const person = await ctx.tx
    .selectFrom('users')
    .select(['id', 'preferences'])
    .where('id', '=', user)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!person) return
  const times = { now: ctx.now, today: ctx.today, zone: ctx.services.settings.timeZone }
  await insertMany(ctx.tx, 'news', [newsOf(person, { subject: 'job', subject_id: job, kind, by_name: '' }, times)])
  ctx.emit({ noun: 'notice', id: newsIdOf('job', job), audience: 'user', user_id: user })
}

interface Piece {
  subject: 'project' | 'job'
  subject_id: number
  kind: NewsKindId
  by_name: string
}

/** A row of news for a person. */
const newsOf = (
  { id, preferences }: Person,
  { subject, subject_id, kind, by_name }: Piece,
  times: { now: string; today: string; zone: string },
) => ({
  ...{ user_id: id, subject, subject_id, kind, by_name, read_at: null, created_at: times.now },
  mail_due: dueAt(mailOf(preferencesOf({ preferences }), kind), times),
})
