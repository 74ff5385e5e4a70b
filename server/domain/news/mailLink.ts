import { mailOf, NEWS, NEWS_KINDS, type NewsKindId } from '../../../contract/news.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { locked } from '../../db/locked.ts'
import { preferencesOf } from '../user/records.ts'

const PURPOSE = 'news mail'
const DAY_MS = 86_400_000
/** How long the link in a mail stops its kinds. */
const LINK_DAYS = 90

/** The signed text of the link that stops the kinds of a mail, and when it expires. */
export function signMailLink({ services }: Pick<Ctx, 'services'>, user: number, kinds: readonly NewsKindId[]) {
  const until = Math.floor((services.now().getTime() + LINK_DAYS * DAY_MS) / 1000)
  return {
    token: services.secrets.sign(PURPOSE, `${user}:${kinds.join(',')}`, until),
    until: new Date(until * 1000).toISOString(),
  }
}

/** The account and the kinds of a link; throws 404 for one that is forged or expired, or whose account is gone. */
async function readMailLink(ctx: Pick<Ctx, 'services'>, find: (id: number) => Promise<User | undefined>, token: string) {
  const [id, listed = ''] = ctx.services.secrets.open(PURPOSE, token, ctx.services.now())?.split(':') ?? []
  const user = id ? await find(Number(id)) : undefined
  if (!user)
    throw new HttpError(
      404,
      'not_found',
      'This link doesn’t work any more. Sign in, and choose your emails in the account settings.',
    )
  const kinds = listed.split(',')
  return { user, kinds: NEWS_KINDS.filter((kind) => kinds.includes(kind)) }
}
type User = Pick<UserRow, 'id' | 'preferences'>

const stateOf = (kinds: readonly NewsKindId[], preferences: Readonly<Record<string, unknown>>) => ({
  kinds: kinds.map((kind) => ({ kind, when: NEWS[kind].when, stopped: mailOf(preferences, kind) === 'never' })),
})

const userIn = (db: Ctx['db'], id: number) =>
  db.selectFrom('users').select(['id', 'preferences']).where('id', '=', id).where('deleted_at', 'is', null)

/** The kinds of news that a link stops, and which are stopped. */
export async function kindsOfLink(ctx: Pick<Ctx, 'db' | 'services'>, token: string) {
  const { user, kinds } = await readMailLink(ctx, (id) => userIn(ctx.db, id).executeTakeFirst(), token)
  return stateOf(kinds, preferencesOf(user))
}

/** Stops the mails of one of the link's kinds, or of all; `changed` are the words of those that were mailed before. */
export async function stopMail(ctx: Ctx, token: string, kind?: NewsKindId) {
  const hold = (id: number) => locked(ctx.services.database, userIn(ctx.tx, id)).executeTakeFirst()
  const { user, kinds } = await readMailLink(ctx, hold, token)
  const preferences = preferencesOf(user)
  const changed = kinds.filter((one) => (kind === undefined || one === kind) && mailOf(preferences, one) !== 'never')
  const news_mail = { ...(preferences.news_mail as object), ...Object.fromEntries(changed.map((one) => [one, 'never'])) }
  const next = { ...preferences, news_mail }
  if (changed.length) {
    await ctx.tx
      .updateTable('users')
      .set({ preferences: JSON.stringify(next) })
      .where('id', '=', user.id)
      .execute()
    await ctx.record({
      subject: 'user',
      subject_id: user.id,
      after: { news_mail: changed.map((one) => NEWS[one].line).join(', ') },
    })
    // Open workspaces write all settings, so they must read this one first.
    ctx.emit({ noun: 'account', id: user.id, audience: 'user', user_id: user.id })
  }
  return { ...stateOf(kinds, next), changed: changed.map((one) => NEWS[one].line) }
}
