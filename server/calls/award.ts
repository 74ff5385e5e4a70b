import type { z } from 'zod'
import type { awardCalls } from '../../contract/award.ts'
import { emailKey } from '../../contract/fieldKinds.ts'
import { counted } from '../../contract/format.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { hadAlready, PEOPLE } from '../../contract/writeEffects.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { insertMany } from '../db/connect.ts'
import { advisoryLock, locked } from '../db/locked.ts'
import { seenProject } from '../domain/project/detail.ts'
import { awardList, liveVip, vipList } from '../domain/vip/list.ts'

type Of<Id extends keyof typeof awardCalls> = z.output<(typeof awardCalls)[Id]['input']>

/** The key of an address that was read. */
const keyOf = (email: string) => emailKey(email) ?? email
const _people = (number: number) => (number === 1 ? 'One person' : counted(number, 'person', 'people'))

/** A project's awards, one row for each experience. */
async function byExperience(ctx: Ctx<Of<'award.list'>>) {
  const { id, page, per_page, search, order, column, updated_since } = ctx.input
  const filter = {
    id,
    page,
    per_page,
    search,
    order,
    updated_since,
    awarded: true,
    column: column === 'experience' ? 'name' : '',
  } as const
  const { data, count } = await vipList.page(ctx, filter)
  const rows = data.map((row) => ({
    id: row.id,
    email: '',
    experience_id: row.id,
    experience: row.name,
    experience_gone: row.removed,
    project_id: row.project_id,
    awarded: row.awarded,
    first_at: row.first_award_at!,
    created_at: row.last_award_at!,
    by: '',
    paid_cents: 0,
    allowed_actions: [],
    refused_actions: {},
  }))
  return { data: rows, count, page, page_size: per_page }
}

/** Splits addresses into new, repeated and invalid ones. */
async function sorted(ctx: Ctx, experience_id: number, emails: readonly string[]) {
  const errors = emails.flatMap((value, at) =>
    emailKey(value) !== null ? [] : [{ line: at + 1, value: value.slice(0, 254), message: MESSAGES.inviteEmail }],
  )
  const valid = emails.filter((email) => emailKey(email) !== null)
  const known = new Set<string>()
  for (let at = 0; at < valid.length; at += 500) {
    const rows = await ctx.tx
      .selectFrom('vip_awards')
      .select('email_key')
      .where('experience_id', '=', experience_id)
      .where('withdrawn_at', 'is', null)
      .where('email_key', 'in', valid.slice(at, at + 500).map(keyOf))
      .execute()
    for (const { email_key } of rows) known.add(email_key)
  }
  const fresh: string[] = []
  const repeats: string[] = []
  for (const email of valid) {
    const key = keyOf(email)
    ;(known.has(key) ? repeats : fresh).push(email)
    known.add(key)
  }
  return { fresh, repeats, errors }
}

async function create(ctx: Ctx<Of<'award.create'>>) {
  const { id: project_id, experience_id, emails } = ctx.input
  await seenProject(ctx, project_id)
  const experience = await liveVip(ctx, experience_id)
  if (experience.project_id !== project_id) throw notFound('This VIP experience')
  await advisoryLock(ctx.services.database, ctx.tx, 'vip', project_id)
  const { fresh, repeats, errors } = await sorted(ctx as Ctx, experience_id, emails)
  // A list without a valid address is refused as a whole, so that the form shows the errors where they were typed.
  if (!fresh.length && !repeats.length)
    throw new HttpError(422, 'invalid', MESSAGES.inviteEmail, { fields: { emails: MESSAGES.inviteEmail }, data: { errors } })
  await insertMany(
    ctx.tx,
    'vip_awards',
    fresh.map((email) => ({
      experience_id,
      email,
      email_key: keyOf(email),
      awarded_by: ctx.actor.id,
      created_at: ctx.now,
      withdrawn_at: null,
    })),
  )
  if (fresh.length) {
    await ctx.record({ subject: 'vip', subject_id: experience_id, project_id, after: { awarded: fresh.length } })
    ctx.emit({ noun: 'vip', id: experience_id, project_id, audience: 'admin' })
  }
  const left = [
    ...(repeats.length ? [`${repeats.length} had it already`] : []),
    ...(errors.length ? [`${errors.length} not valid`] : []),
  ].join(', ')
  const facts = { count: fresh.length, words: PEOPLE, rest: ` “${experience.name}”${left ? `; ${left}` : ''}` }
  const message = fresh.length ? describeEffect(ctx, 'award.create', facts) : hadAlready(repeats.length)
  return { data: { experience_id, awarded: fresh.length, repeats, errors }, message }
}

async function withdraw(ctx: Ctx<Of<'award.withdraw'>>) {
  const { id: project_id, ids, reason } = ctx.input
  await seenProject(ctx, project_id)
  const query = ctx.tx
    .selectFrom('vip_awards')
    .select(['id', 'experience_id'])
    .where('id', 'in', ids)
    .where('withdrawn_at', 'is', null)
    .where('experience_id', 'in', (eb) => eb.selectFrom('vip_experiences').select('id').where('project_id', '=', project_id))
  const rows = await locked(ctx.services.database, query).execute()
  if (!rows.length) throw notFound(ids.length === 1 ? 'This award' : 'These awards')
  await ctx.tx
    .updateTable('vip_awards')
    .set({ withdrawn_at: ctx.now })
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  for (const [experience, some] of Map.groupBy(rows, (row) => row.experience_id)) {
    await ctx.record({ subject: 'vip', subject_id: experience, project_id, after: { withdrawn: some.length }, reason })
    ctx.emit({ noun: 'vip', id: experience, project_id, audience: 'admin' })
  }
  const message = describeEffect(ctx, 'award.withdraw', { count: rows.length, noun: 'award' })
  return { data: { withdrawn: rows.length }, message }
}

export const awardHandlers: HandlersOf<typeof awardCalls> = {
  async 'award.list'(ctx) {
    await seenProject(ctx, ctx.input.id)
    if (ctx.input.by === 'experience') return byExperience(ctx)
    return { ...(await awardList.page(ctx, ctx.input)), page_size: ctx.input.per_page }
  },
  'award.create': create,
  'award.withdraw': withdraw,
}
