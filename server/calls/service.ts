import { seesAll } from '../../contract/actor.ts'
import type { Sentence } from '../../contract/effectText.ts'
import { nameKey } from '../../contract/foldText.ts'
import { count } from '../../contract/format.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { serviceCalls } from '../../contract/service.ts'
import {
  clauseOf,
  type EffectId,
  effectOf,
  joinClauses,
  NOTHING_CHANGED,
  unchangedOf,
  verbOf,
} from '../../contract/writeEffects.ts'
import { change, drop } from '../core/change.ts'
import { isWithin } from '../core/clockSkew.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { insertMany } from '../db/connect.ts'
import { byText } from '../db/foldedText.ts'
import { advisoryLock } from '../db/locked.ts'
import { historyPage } from '../domain/recordHistory.ts'
import { fullName, userRow } from '../domain/user/records.ts'
import { liveService, serviceList } from '../domain/visit/serviceList.ts'
import { usersOfServices } from '../domain/visit/serviceUsers.ts'
import { completedOf } from '../domain/visit/sums.ts'
import { type AccessChange, setServiceUsers } from '../domain/visit/users.ts'
import { addVenuesLater } from '../domain/visit/venueJob.ts'
import { AT_ONCE, refuseVenues, venueRows } from '../domain/visit/venueRows.ts'
import {
  categoryOf,
  emitBrand,
  heldBrand,
  heldService,
  joinCategory,
  refuseTakenService,
  refuseTerm,
} from '../domain/visit/write.ts'
import { discard, receive } from '../files/receiveUpload.ts'
import { readVenues } from '../imports/venues.ts'
import { links, serviceRequest } from '../mail/letters.ts'
import { sendLetter } from '../mail/sendLetter.ts'

const DAY = 86_400_000

const many = (number: number, one: string, several = `${one}s`) => `${count(number)} ${number === 1 ? one : several}`

/** What granting and removing access means for users, in the present tense for a dry run. */
function accessSentence({ added, removed, gaining, losing, emptied }: AccessChange, dry: boolean): Sentence {
  const part = (id: EffectId, users: number, rest: string) =>
    clauseOf(effectOf(id), { count: users, noun: 'user', rest }, dry ? 'before' : 'after')
  const parts = [
    ...(added ? [part('service.addUser', gaining, ` ${many(added, 'service')}`)] : []),
    ...(removed ? [part('service.removeUser', losing, ` ${many(removed, 'service')}`)] : []),
    ...(emptied ? [part('service.loseAll', emptied, '')] : []),
  ]
  return parts.length ? joinClauses(parts) : NOTHING_CHANGED
}

async function changeAccess(ctx: Ctx, changes: Parameters<typeof setServiceUsers>[1]) {
  const done = await setServiceUsers(ctx, changes)
  return { data: done, message: accessSentence(done, ctx.dry) }
}

/** How many venues, users and visits a service has, which its removal deletes. */
async function heldBy({ tx }: Pick<Ctx, 'tx'>, id: number) {
  const [venues, visits, users] = await Promise.all([
    tx
      .selectFrom('venues')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('service_id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
    tx
      .selectFrom('visit_days')
      .select((eb) => eb.fn.sum('visits').as('count'))
      .where('service_id', '=', id)
      .executeTakeFirstOrThrow(),
    tx
      .selectFrom('service_users')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('service_id', '=', id)
      .executeTakeFirstOrThrow(),
  ])
  return { venues: Number(venues.count), visits: Number(visits.count ?? 0), users: Number(users.count) }
}

/** When the caller last requested access; null if never. */
async function requestedAt({ db, actor }: Pick<Ctx, 'db' | 'actor'>): Promise<string | null> {
  const row = await db
    .selectFrom('history')
    .select('at')
    .where('subject', '=', 'user')
    .where('subject_id', '=', actor.id)
    .where('action', '=', 'service.request')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

export const serviceHandlers: HandlersOf<typeof serviceCalls> = {
  'service.list': (ctx) => serviceList.page(ctx, ctx.input),
  'service.get': async (ctx) => ({ data: await liveService(ctx, ctx.input.id) }),
  'service.getBySid': async (ctx) => ({ data: await liveService(ctx, ctx.input.sid) }),

  async 'service.history'(ctx) {
    const { id } = ctx.input
    await liveService(ctx, id)
    return historyPage(ctx, 'service', ctx.input)
  },

  async 'service.ofUser'(ctx) {
    const user = await userRow(ctx.db, { id: ctx.input.user_id })
    const rows = await ctx.db
      .selectFrom('services')
      .innerJoin('brands', 'brands.id', 'services.brand_id')
      .leftJoin('service_users', (join) =>
        join.onRef('service_users.service_id', '=', 'services.id').on('service_users.user_id', '=', user.id),
      )
      .leftJoin('users', 'users.id', 'service_users.added_by')
      .select(['services.id', 'services.brand_id', 'brands.name as brand_name', 'services.name', 'services.status', 'added_at'])
      .select(['users.first_name', 'users.last_name', 'users.email'])
      .where('services.deleted_at', 'is', null)
      .where('brands.deleted_at', 'is', null)
      .orderBy(byText(ctx.db, 'brands.name'))
      .orderBy('brands.id')
      .orderBy(byText(ctx.db, 'services.name'))
      .orderBy('services.id')
      .execute()
    const all = seesAll(user)
    const data = rows.map(({ first_name, last_name, email, ...row }) => ({
      ...row,
      selected: all || row.added_at !== null,
      added_by_name: email === null ? '' : fullName({ first_name: first_name!, last_name: last_name!, email }),
    }))
    return { data, count: data.length, page: 1 }
  },

  'service.usersOf': (ctx) => usersOfServices(ctx, ctx.input),

  async 'service.create'(ctx) {
    const {
      brand_id,
      category,
      service_name: name,
      s3_bucket,
      start_date,
      end_date = null,
      ordered,
      user_ids = [],
      venues,
    } = ctx.input
    const brand = await heldBrand(ctx, brand_id)
    const { id: category_id, name: categoryName } = await categoryOf(ctx, category, 'category')
    refuseTerm(start_date, end_date, 'end_date')
    await refuseTakenService(ctx, { brand, name, field: 'service_name' })
    const { id } = await ctx.tx
      .insertInto('services')
      .values({
        ...{ brand_id, name, name_key: nameKey(name), category_id, s3_bucket, start_dt: start_date, end_dt: end_date, ordered },
        ...{ first_day: null, last_at: null, deleted_at: null, created_at: ctx.now, updated_at: ctx.now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    refuseVenues(venues)
    const later = venues.length > AT_ONCE
    if (!later) await insertMany(ctx.tx, 'venues', venueRows(ctx, id, venues))
    await joinCategory(ctx, brand_id, category_id)
    await ctx.record({
      subject: 'service',
      subject_id: id,
      after: {
        ...{ brand: brand.name, name, category: categoryName, start_dt: start_date },
        ...(end_date ? { end_dt: end_date } : {}),
        ...(ordered ? { ordered } : {}),
        ...(s3_bucket ? { s3_bucket } : {}),
        ...(venues.length ? { venues: venues.length } : {}),
      },
    })
    if (user_ids.length) await setServiceUsers(ctx, { user_ids, add: [id] })
    const job_id = later ? await addVenuesLater(ctx, { id, name, brand_id }, venues) : null
    ctx.emit({ noun: 'service', id })
    emitBrand(ctx, brand_id)
    const rest = later ? `; ${count(venues.length)} venues are being added to it` : ''
    const message = describeEffect(ctx, 'service.create', { noun: 'service', rest })
    return { data: await liveService(ctx, id), message, job_id }
  },

  'service.readVenues': ownTransaction({ noKey: 'it stores nothing' }, async (ctx) => {
    const { fields, stored, ignored, allowance } = await receive(ctx, {
      schema: () => serviceCalls['service.readVenues'].input,
      file: 'file',
      types: ['csv', 'xlsx'],
      ready: async () => {},
    })
    try {
      const [file] = stored
      if (!file || stored.length > 1) throw invalid('file', MESSAGES.oneFile)
      const { venues, check } = await readVenues({ ...file, readers: ctx.services.readers }, fields)
      const data = venues.map(({ code, name, address, latitude = null, longitude = null, dma = null }) => ({
        ...{ code: String(code), name, address, latitude, longitude, dma },
      }))
      return { data: { venues: data, check }, ...(ignored.length ? { ignored } : {}) }
    } finally {
      await discard(ctx, stored)
      allowance.end()
    }
  }),

  async 'service.edit'(ctx) {
    const { id, lock_version: lock, ...patch } = ctx.input
    const { service, brand } = await heldService(ctx, id)
    const term = {
      start_dt: patch.start_dt ?? service.start_dt,
      end_dt: patch.end_dt === undefined ? service.end_dt : patch.end_dt,
    }
    const moved = term.start_dt !== service.start_dt || term.end_dt !== service.end_dt
    if (moved) refuseTerm(term.start_dt, term.end_dt)
    if (patch.name !== undefined) await refuseTakenService(ctx, { brand, name: patch.name, id, field: 'name' })
    if (patch.category_id !== undefined) await categoryOf(ctx, patch.category_id, 'category_id')
    const row = await change(ctx, 'services', { subject: 'service', id, patch, lock, change: { noun: 'service' } })
    if (patch.category_id !== undefined) await joinCategory(ctx, brand.id, patch.category_id)
    const name_key = patch.name === undefined ? service.name_key : nameKey(patch.name)
    const completed = moved ? await completedOf(ctx, { id, ...term }) : service.completed
    if (name_key !== service.name_key || completed !== service.completed)
      await ctx.tx.updateTable('services').set({ name_key, completed }).where('id', '=', id).execute()
    if (row.lock_version !== service.lock_version) emitBrand(ctx, brand.id)
    return { data: await liveService(ctx, id), message: describeEffect(ctx, 'service.edit', { noun: 'service' }) }
  },

  async 'service.remove'(ctx) {
    const { id } = ctx.input
    const { service, brand } = await heldService(ctx, id)
    const held = await heldBy(ctx, id)
    await drop(ctx, 'services', { subject: 'service', id, change: { noun: 'service' } })
    emitBrand(ctx, brand.id)
    const lose = verbOf(effectOf('service.removeUser'), ctx.dry ? 'before' : 'after')
    const rest = `: ${many(held.venues, 'venue')}, ${many(held.visits, 'visit')}, ${many(held.users, 'user')} ${lose} it`
    return { message: describeEffect(ctx, 'service.remove', { name: service.name, rest }) }
  },

  'service.addUser': (ctx) => changeAccess(ctx, { user_ids: [ctx.input.user_id], add: [ctx.input.service_id], field: 'user_id' }),
  'service.removeUser': (ctx) =>
    changeAccess(ctx, { user_ids: [ctx.input.user_id], remove: [ctx.input.service_id], field: 'user_id' }),
  'service.setUsers': (ctx) => changeAccess(ctx, ctx.input),

  async 'service.request'(ctx) {
    await advisoryLock(ctx.services.database, ctx.tx, 'requests', ctx.actor.id)
    const before = await requestedAt({ db: ctx.tx, actor: ctx.actor })
    if (before && isWithin(before, ctx.now, DAY)) return { data: { asked_at: before }, message: unchangedOf('service.request') }
    const admins = await ctx.tx
      .selectFrom('users')
      .select(['id', 'email', 'first_name'])
      .where('role', '=', 'admin')
      .where('status', '=', 'active')
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    const clients = await ctx.tx
      .selectFrom('user_clients')
      .innerJoin('clients', 'clients.id', 'client_id')
      .select('clients.name')
      .where('user_id', '=', ctx.actor.id)
      .where('clients.deleted_at', 'is', null)
      .orderBy('clients.id')
      .execute()
    const { email } = ctx.user
    const from = { name: fullName(ctx.user), email, clients: clients.map(({ name }) => name).join(', ') }
    const link = links.users(ctx.services.settings.publicUrl)
    for (const { email: to, first_name } of admins)
      await sendLetter(ctx, { to, about: `visitation user:${ctx.actor.id}` }, (organization) =>
        serviceRequest(organization, { first_name, ...from, link }),
      )
    await ctx.record({ subject: 'user', subject_id: ctx.actor.id, after: { visitation: 'asked for access' } })
    return {
      data: { asked_at: ctx.now },
      message: describeEffect(ctx, 'service.request', { words: ['the administrators', 'administrators'], rest: ' by email' }),
    }
  },
  'service.requested': async (ctx) => ({ data: { asked_at: await requestedAt(ctx) } }),
}
