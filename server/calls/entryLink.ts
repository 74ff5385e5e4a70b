import type { Updateable } from 'kysely'
import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import type { entryLinkCalls } from '../../contract/entryLink.ts'
import { entryLinkFields } from '../../contract/entryLinkFields.ts'
import { omit } from '../../contract/fieldKinds.ts'
import { type EntryParameter, FORMER_SECRET_HOURS, readEntry, SESSION_OUTCOMES } from '../../contract/sessionRules.ts'
import { add, change, drop, stale } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect, shownOnce, shownSecret } from '../core/describeEffect.ts'
import { assertAllowed, HttpError, invalid, notFound } from '../core/errors.ts'
import { columnsIn } from '../core/fieldColumns.ts'
import type { HandlersOf } from '../core/handler.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { full } from '../core/quotas.ts'
import { randomToken } from '../core/secrets.ts'
import { advisoryLock } from '../db/locked.ts'
import type { Schema } from '../db/schema.ts'
import { exitOf, type LinkRow, linkRecord, linkRows } from '../domain/fieldSession/entryLinks.ts'
import { newSecret, sealSecret } from '../domain/fieldSession/signing.ts'
import { seenProject } from '../domain/project/detail.ts'
import { chosenSurvey } from '../domain/survey/chosenSurvey.ts'
import { reachOf, urlFault } from '../domain/webhook/receiverAddress.ts'

type Input<Id extends keyof typeof entryLinkCalls> = z.output<(typeof entryLinkCalls)[Id]['input']>

const noun = 'entryLink' as const
/** The most links of a project. */
const MOST_LINKS = 200
const HOUR_MS = 3_600_000
const EXITS = ['return_complete', 'return_terminate', 'return_quota_full', 'return_security', 's2s_url'] as const

async function linkOf(ctx: Pick<Ctx, 'db' | 'actor'>, id: number): Promise<LinkRow & { partner: string }> {
  const [row] = await linkRows(ctx, { id })
  if (!row) throw notFound(`Entry link ${id}`)
  return row
}

/** Throws 422 for an exit that isn't a public address over https; placeholders are as good as any text. */
function refuseExits({ services }: Ctx, fields: Partial<Record<(typeof EXITS)[number], string>>): void {
  const reach = reachOf(services.settings)
  for (const name of EXITS) {
    const address = fields[name]
    const fault = address ? urlFault(address.replace(/\{\w+\}/g, 'x'), reach) : null
    if (fault) throw invalid(name, fault)
    const strange = address && /\{(?!(?:pid|rid|outcome|reason|t|sig)\})\w*\}/.exec(address)?.[0]
    if (strange) throw invalid(name, `${strange} is no placeholder: use {pid} {rid} {outcome} {reason} {t} {sig}`)
  }
}

/** Throws 422 for projects that don't exist, and for two parameters of one name. */
async function refuseLists(
  ctx: Ctx,
  { exclude_project_ids = [], param_map = {} }: { exclude_project_ids?: number[] | undefined; param_map?: object | undefined },
): Promise<void> {
  const names = Object.values(param_map)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalid('param_map', `param_map: two parameters are called ${twice}`)
  for (const id of exclude_project_ids) await seenProject(ctx, id)
}

const lists = (input: { exclude_project_ids?: number[] | undefined; param_map?: object | undefined }) => ({
  ...(input.exclude_project_ids ? { exclude_project_ids: JSON.stringify([...new Set(input.exclude_project_ids)]) } : {}),
  ...(input.param_map ? { param_map: JSON.stringify(input.param_map) } : {}),
})

async function create(ctx: Ctx<Input<'entryLink.create'>>) {
  const { id: project_id, survey_id: sent, partner_id, ...input } = ctx.input
  const project = await seenProject(ctx, project_id)
  if (project.status === 'rejected') throw new HttpError(409, 'not_now', 'This project was rejected, so nobody is sent into it.')
  const survey_id = await chosenSurvey(ctx, project_id, sent)
  const partner = ctx.tx.selectFrom('partners').select('id').where('id', '=', partner_id).where('deleted_at', 'is', null)
  if (!(await partner.executeTakeFirst())) throw invalid('partner_id', 'is not a partner', 'choice')
  refuseExits(ctx as Ctx, input)
  await refuseLists(ctx as Ctx, input)
  await advisoryLock(ctx.services.database, ctx.tx, 'entry_links', project_id)
  const held = await ctx.tx
    .selectFrom('entry_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', project_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(held.count) >= MOST_LINKS) throw full(`A project has ${MOST_LINKS} entry links at most. Delete one first.`)
  const [secret, partner_secret] = [newSecret(), newSecret()]
  const values = {
    ...{ return_complete: '', return_terminate: '', return_quota_full: '', return_security: '', s2s_url: '' },
    ...{ require_signature: 0, max_entrants_minute: 600 },
    ...stored(input),
    ...lists(input),
    ...{ project_id, survey_id, partner_id, state: 'test' as const },
  }
  const id = await add(ctx as Ctx, 'entry_links', {
    ...{ subject: noun, values, line: { project_id } },
    also: {
      ...{ token: randomToken(16), secret: sealSecret(ctx.services, secret) },
      ...{ partner_secret: sealSecret(ctx.services, partner_secret), secret_before: null, secret_before_until: null },
      ...{ partner_secret_before: null, partner_secret_before_until: null, deleted_at: null },
    },
    change: { noun, project_id, audience: 'admin' },
  })
  const row = await linkOf({ db: ctx.tx, actor: ctx.actor }, id)
  return {
    data: linkRecord(ctx, row),
    secret: shownSecret(ctx, secret),
    partner_secret: shownSecret(ctx, partner_secret),
    message: describeEffect(ctx, 'entryLink.create', { noun, also: shownOnce(ctx, 'secrets') }),
  }
}

const PLAIN = omit(entryLinkFields, 'require_signature')
/** The columns of fields that were sent. */
const stored = ({ require_signature, ...fields }: Partial<Omit<Input<'entryLink.edit'>, 'id' | 'lock_version'>>) => ({
  ...columnsIn('entry_links', PLAIN, fields),
  ...(require_signature === undefined ? {} : { require_signature: require_signature ? 1 : 0 }),
})

async function edit(ctx: Ctx<Input<'entryLink.edit'>>) {
  const { id, lock_version, exclude_project_ids, param_map, ...fields } = ctx.input
  const was = await linkOf(ctx, id)
  refuseExits(ctx as Ctx, fields)
  await refuseLists(ctx as Ctx, { exclude_project_ids, param_map })
  const patch = { ...stored(fields), ...lists({ exclude_project_ids, param_map }) }
  await save(ctx as Ctx, was, patch, lock_version)
  return { data: linkRecord(ctx, await linkOf(ctx, id)), message: describeEffect(ctx, 'entryLink.edit', { noun }) }
}

const save = (ctx: Ctx, { id, project_id }: LinkRow, patch: Updateable<Schema['entry_links']>, lock?: number) =>
  change(ctx, 'entry_links', {
    ...{ subject: noun, id, patch, lock, line: { project_id } },
    change: { noun, project_id, audience: 'admin' as const },
  })

async function setState(ctx: Ctx<Input<'entryLink.pause'>>, state: 'active' | 'paused', effect: 'pause' | 'resume') {
  const { id, lock_version } = ctx.input
  const was = await linkOf(ctx, id)
  assertAllowed(denialOf(`entryLink.${effect}`, ctx.actor, was))
  if (state === 'active') {
    const survey = ctx.tx.selectFrom('surveys').select('survey_link').where('id', '=', was.survey_id)
    if (!(await survey.executeTakeFirstOrThrow()).survey_link)
      throw new HttpError(409, 'not_now', 'The survey has no address to send people to: set its survey link first.')
  }
  await save(ctx as Ctx, was, { state }, lock_version)
  return { data: linkRecord(ctx, await linkOf(ctx, id)), message: describeEffect(ctx, `entryLink.${effect}`, { noun }) }
}

async function rotate(ctx: Ctx<Input<'entryLink.rotate'>>) {
  const { id, of, lock_version } = ctx.input
  const was = await linkOf(ctx, id)
  const secret = newSecret()
  const until = new Date(ctx.services.now().getTime() + FORMER_SECRET_HOURS * HOUR_MS).toISOString()
  const sealed = sealSecret(ctx.services, secret)
  const also =
    of === 'survey'
      ? { secret: sealed, secret_before: was.secret, secret_before_until: until }
      : { partner_secret: sealed, partner_secret_before: was.partner_secret, partner_secret_before_until: until }
  const { lock_version: lock } = was
  if (lock_version !== undefined && lock_version !== lock) throw stale('entry link', was, {})
  await ctx.tx
    .updateTable('entry_links')
    .set(onlyColumns('entry_links', { ...also, updated_at: ctx.now, lock_version: lock + 1 }))
    .where('id', '=', id)
    .execute()
  await ctx.record({ subject: noun, subject_id: id, project_id: was.project_id, after: { secret_of: of } })
  ctx.emit({ noun, id, project_id: was.project_id, audience: 'admin' })
  return {
    data: linkRecord(ctx, await linkOf(ctx, id)),
    secret: shownSecret(ctx, secret),
    message: describeEffect(ctx, 'entryLink.rotate', { noun, also: shownOnce(ctx, 'secret') }),
  }
}

async function tryExits(ctx: Ctx<Input<'entryLink.test'>>) {
  const link = await linkOf(ctx, ctx.input.id)
  const { values, ignored } = readEntry(ctx.input.query, JSON.parse(link.param_map) as Partial<Record<EntryParameter, string>>)
  const person = { pid: values.pid ?? 'pid', rid: 'TEST0000000000000000000000', reason: '' }
  const exits = SESSION_OUTCOMES.map((outcome) => [outcome, exitOf(ctx.services, link, outcome, person) ?? ''])
  return { data: { exits: Object.fromEntries(exits), read: values as Record<string, string>, ignored } }
}

export const entryLinkHandlers = {
  'entryLink.ofProject': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const rows = await linkRows(ctx, { project_id: ctx.input.id })
    return { data: rows.map((row) => linkRecord(ctx, row)), count: rows.length, page: 1 }
  },
  'entryLink.get': async (ctx) => ({ data: linkRecord(ctx, await linkOf(ctx, ctx.input.id)) }),
  'entryLink.create': create,
  'entryLink.edit': edit,
  'entryLink.remove': async (ctx) => {
    const { id, project_id, name } = await linkOf(ctx, ctx.input.id)
    await drop(ctx as Ctx, 'entry_links', {
      ...{ subject: noun, id, line: { project_id } },
      change: { noun, project_id, audience: 'admin' },
    })
    return { message: describeEffect(ctx, 'entryLink.remove', { name }) }
  },
  'entryLink.rotate': rotate,
  'entryLink.pause': (ctx) => setState(ctx, 'paused', 'pause'),
  'entryLink.resume': (ctx) => setState(ctx, 'active', 'resume'),
  'entryLink.test': tryExits,
} as HandlersOf<typeof entryLinkCalls>
