import type { z } from 'zod'
import { amountList } from '../../contract/decimals.ts'
import { nameKey } from '../../contract/foldText.ts'
import { counted, dollars } from '../../contract/format.ts'
import type { rewardCalls } from '../../contract/reward.ts'
import { rewardFields } from '../../contract/rewardFields.ts'
import { labelOf, PROVIDERS } from '../../contract/vocabulary.ts'
import { copyFacts, REWARD } from '../../contract/writeEffects.ts'
import { appliedFields } from '../core/appliedFields.ts'
import { add, change, drop } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid } from '../core/errors.ts'
import { columnsIn, fieldReader } from '../core/fieldColumns.ts'
import type { HandlersOf } from '../core/handler.ts'
import { amountFlag } from '../domain/entry/entryRows.ts'
import { refuseTakenName } from '../domain/names.ts'
import { allowedAmounts } from '../domain/payout/provider.ts'
import { seenProject } from '../domain/project/detail.ts'
import { partIds } from '../domain/project/family.ts'
import { rewardList, rewardTotals, withProjectFigures } from '../domain/reward/list.ts'

type Calls = typeof rewardCalls
/** The form asks for confirmation above this many cents. */
const UNUSUAL = 1_000_000

async function list(ctx: Ctx<z.output<Calls['reward.list']['input']>>) {
  const answer = await rewardList.page(ctx, ctx.input)
  return { ...answer, page_size: ctx.input.per_page, totals: await rewardTotals(ctx, ctx.input) }
}

async function ofProject(ctx: Ctx<z.output<Calls['reward.ofProject']['input']>>) {
  const { id, ...input } = ctx.input
  await seenProject(ctx, id)
  const parts = await partIds(ctx, id)
  const ordered = [id, ...parts.filter((part) => part !== id)]
  const filter = { ...input, parts: ordered, column: input.column || ('amount_cents' as const) }
  const { data: shown, ...answer } = await rewardList.page(ctx, filter)
  const data = await withProjectFigures(ctx, shown as never)
  return { ...answer, data, page_size: input.per_page, totals: await rewardTotals(ctx, filter) }
}

/** Warnings about an unusual amount, which is accepted. */
function warningsOn({ provider_id, amount_cents }: { provider_id: number; amount_cents: number }): string[] {
  return [
    ...(amountFlag(provider_id, amount_cents)
      ? [
          `${labelOf(PROVIDERS, provider_id, '')} pays ${amountList(allowedAmounts(provider_id))}. Other amounts are flagged and can't be paid.`,
        ]
      : []),
    ...(amount_cents > UNUSUAL ? [`${dollars(amount_cents)} is more than ${dollars(UNUSUAL)}.`] : []),
  ]
}
const warned = (row: { provider_id: number; amount_cents: number }) => {
  const warnings = warningsOn(row)
  return warnings.length ? { warnings } : {}
}

async function create(ctx: Ctx<z.output<Calls['reward.create']['input']>>) {
  const { project_id, name, amount, reward_type = 'gift_card' } = ctx.input
  const project = await seenProject(ctx, project_id)
  const partner_id = ctx.input.partner_id ?? project.provider_id ?? PROVIDERS[0].value
  await refuseTakenName(ctx, 'reward', { name, project_id })
  const fields = {
    ...{ provider_id: partner_id, provider_code: '', description: '', reward_type },
    ...columnsIn('rewards', rewardFields, appliedFields(ctx, rewardFields, { ...ctx.input, partner_id })),
    ...{ name, amount_cents: amount },
  }
  const id = await addReward(ctx, project_id, fields)
  return {
    data: await rewardList.get(ctx, id),
    message: describeEffect(ctx, 'reward.create', { words: REWARD }),
    ...warned(fields),
  }
}

const fieldsIn = fieldReader(rewardFields)
interface Fields {
  name: string
  amount_cents: number
  provider_id: number
  provider_code: string
  description: string
  reward_type: string
}
async function addReward(ctx: Ctx, project_id: number, fields: Fields): Promise<number> {
  const change = { noun: 'reward', project_id, audience: 'admin' } as const
  return add(ctx, 'rewards', { subject: 'reward', values: fields, also: { project_id }, line: { project_id }, change })
}

const pendingWords = (number: number) => counted(number, 'pending entry', 'pending entries')

async function edit(ctx: Ctx<z.output<Calls['reward.edit']['input']>>) {
  const { id, lock_version, name } = ctx.input
  const was = await rewardList.get(ctx, id)
  if (name !== undefined) await refuseTakenName(ctx, 'reward', { id, name, was: was.name, project_id: was.project_id })
  const row = await change(ctx, 'rewards', {
    subject: 'reward',
    id,
    patch: columnsIn('rewards', rewardFields, appliedFields(ctx, rewardFields, ctx.input, was)),
    lock: lock_version,
    line: { project_id: was.project_id },
    change: { noun: 'reward', project_id: was.project_id, audience: 'admin' },
  })
  const keep = row.amount_cents !== was.amount_cents && was.pending_count > 0
  const keptNote = keep
    ? `${pendingWords(was.pending_count)} ${was.pending_count === 1 ? 'keeps' : 'keep'} ${dollars(was.amount_cents)}.`
    : ''
  const isOdd = row.amount_cents !== was.amount_cents || row.provider_id !== was.partner_id
  return {
    data: await rewardList.get(ctx, id),
    message: describeEffect(ctx, 'reward.edit', { words: REWARD, also: [keptNote] }),
    ...(isOdd ? warned(row) : {}),
  }
}

async function remove(ctx: Ctx<{ id: number }>) {
  const { id } = ctx.input
  const { name, project_id, pending_count: pending } = await rewardList.get(ctx, id)
  const change = { noun: 'reward', project_id, audience: 'admin' } as const
  await drop(ctx, 'rewards', { subject: 'reward', id, line: { project_id }, change })
  const keptNote = pending ? `${pendingWords(pending)} ${pending === 1 ? 'keeps' : 'keep'} it and can still be paid.` : ''
  return { message: describeEffect(ctx, 'reward.remove', { name, also: [keptNote] }), data: { pending } }
}

async function copy(ctx: Ctx<z.output<Calls['reward.copy']['input']>>) {
  const ids = [...new Set(ctx.input.ids)]
  const rewards = await ctx.tx
    .selectFrom('rewards')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const missing = ids.find((id) => !rewards.some((reward) => reward.id === id))
  if (missing !== undefined) throw invalid('ids', `ids: there is no reward ${missing}`)
  const made: number[] = []
  const left_out: { id: number; project_id: number; reason: string }[] = []
  for (const project_id of [...new Set(ctx.input.project_ids)].sort((a, b) => a - b)) {
    const project = await seenProject(ctx, project_id)
    // The first check takes the lock for names, which is held until the commit.
    await refuseTakenName(ctx, 'reward', { name: '\n', project_id })
    const there = await ctx.tx
      .selectFrom('rewards')
      .select('name')
      .where('project_id', '=', project_id)
      .where('deleted_at', 'is', null)
      .execute()
    const taken = new Set(there.map((reward) => nameKey(reward.name)))
    for (const reward of rewards) {
      const { id, name, reward_type } = reward
      if (taken.has(nameKey(name))) {
        left_out.push({ id, project_id, reason: `${project.name} has a reward of this name` })
        continue
      }
      taken.add(nameKey(name))
      made.push(await addReward(ctx, project_id, { ...columnsIn('rewards', rewardFields, fieldsIn(reward)), reward_type }))
    }
  }
  const message = describeEffect(ctx, 'reward.copy', copyFacts(made.length, left_out.length))
  return { data: { made, left_out }, message }
}

export const rewardHandlers: HandlersOf<typeof rewardCalls> = {
  'reward.list': list,
  'reward.get': async (ctx) => ({ data: await rewardList.get(ctx, ctx.input.id) }),
  'reward.ofProject': ofProject,
  'reward.create': create,
  'reward.edit': edit,
  'reward.remove': remove,
  'reward.copy': copy,
}
