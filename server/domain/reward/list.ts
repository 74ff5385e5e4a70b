import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { Paging } from '../../../contract/listInput.ts'
import { sharesOf } from '../../../contract/percentages.ts'
import type { ProjectReward, Reward, RewardListInput, RewardTotals } from '../../../contract/reward.ts'
import { rewardFields } from '../../../contract/rewardFields.ts'
import { labelOf, PROVIDERS } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../core/context.ts'
import { searchedColumns } from '../../core/fieldColumns.ts'
import { listOf } from '../../core/listBuilder.ts'
import { holds } from '../../core/listSearch.ts'
import { amountFlag } from '../entry/entryRows.ts'
import { allowedAmounts } from '../payout/provider.ts'

export type RewardFilter = Omit<z.output<typeof RewardListInput>, Paging> & {
  /** A project and its children. */
  parts?: readonly number[]
}
type Row = Omit<Reward, 'amount' | 'provider_name' | 'allowed_amounts' | 'amount_flag' | 'allowed_actions' | 'refused_actions'>

/** A sum over a reward's entries of one status, from `entry_totals`. */
const total = (column: 'count' | 'amount_cents', status?: string) =>
  sql<number>`(select coalesce(sum(${sql.ref(column)}), 0) from entry_totals where entry_totals.project_id = rewards.project_id
    and entry_totals.reward_id = rewards.id${status ? sql` and entry_totals.status = ${sql.lit(status)}` : sql``})`

const FIGURES = {
  entries_count: total('count'),
  pending_count: total('count', 'pending'),
  pending_cents: total('amount_cents', 'pending'),
  sent_count: total('count', 'sent'),
  sent_cents: total('amount_cents', 'sent'),
  rejected_count: total('count', 'rejected'),
  rejected_cents: total('amount_cents', 'rejected'),
}
const PROVIDER = sql`case ${sql.join(
  PROVIDERS.map(({ value, label }) => sql`when rewards.provider_id = ${sql.lit(value)} then ${sql.lit(label)}`),
  sql` `,
)} else '' end`

/** True for rewards whose provider can't pay their amount. */
const UNPAYABLE = sql<SqlBool>`(${sql.join(
  PROVIDERS.map(
    ({ value, allowed }) =>
      sql`(rewards.provider_id = ${sql.lit(value)} and rewards.amount_cents not in (${sql.join(allowed.map((cents) => sql.lit(cents)))}))`,
  ),
  sql` or `,
)})`

const one = (condition: unknown, text: ReturnType<typeof sql<SqlBool>>) => (condition ? text : undefined)

const FOUND = [...searchedColumns(rewardFields).map((column) => `rewards.${column}`), 'projects.name']

/** The catalog of rewards, with what each has cost. */
export const rewardList = listOf<'reward', RewardFilter, Row, Reward>('reward', {
  table: 'rewards',
  join: 'join projects on projects.id = rewards.project_id join clients on clients.id = projects.client_id',
  scope: () => sql<SqlBool>`rewards.deleted_at is null and projects.deleted_at is null`,
  finds: ({ services }, word) =>
    sql<SqlBool>`(${sql.join(
      FOUND.map((column) => holds(services.database, column, word)),
      sql` or `,
    )})`,
  where: ({ project_id, client_id, partner_id, flag, used, parts }) => [
    one(project_id, sql`rewards.project_id = ${project_id}`),
    one(client_id, sql`projects.client_id = ${client_id}`),
    one(partner_id, sql`rewards.provider_id = ${partner_id}`),
    one(flag, UNPAYABLE),
    one(used === 'yes', sql`${FIGURES.entries_count} > 0`),
    one(used === 'no', sql`${FIGURES.entries_count} = 0`),
    one(parts, sql`rewards.project_id in (${sql.join(parts?.length ? parts : [0])})`),
  ],
  // The project's own rewards first, then child by child.
  leads: ({ parts }) =>
    parts &&
    sql`case rewards.project_id ${sql.join(
      parts.map((part, at) => sql`when ${sql.lit(part)} then ${sql.lit(at)}`),
      sql` `,
    )} end`,
  columns: () => ({
    ...FIGURES,
    project_name: sql`projects.name`,
    client_name: sql`clients.name`,
    provider_name: PROVIDER,
  }),
  also: () => [
    sql`rewards.project_id`,
    sql`projects.client_id`,
    sql`projects.generation`,
    sql`rewards.description`,
    sql`rewards.provider_id as partner_id`,
    sql`rewards.updated_at`,
    sql`rewards.lock_version`,
    sql`${total('count', 'processing')} as processing_count`,
    sql`${total('amount_cents', 'processing')} as processing_cents`,
  ],
  shown: ({ actor }, rows) =>
    rows.map((row) => ({
      ...row,
      processing_count: Number(row.processing_count),
      processing_cents: Number(row.processing_cents),
      amount: row.amount_cents / 100,
      provider_name: labelOf(PROVIDERS, row.partner_id, ''),
      allowed_amounts: allowedAmounts(row.partner_id).map((cents) => cents / 100),
      amount_flag: amountFlag(row.partner_id, row.amount_cents),
      ...allowedActions('reward', actor),
    })),
  file: {
    title: async (ctx, { project_id }) => {
      if (!project_id) return 'Rewards'
      const project = await ctx.db.selectFrom('projects').select('name').where('id', '=', project_id).executeTakeFirst()
      return `${project?.name ?? ''} catalogue`.trim()
    },
    cells: { provider_name: (row) => labelOf(PROVIDERS, row.partner_id, '') },
  },
})

/** Ids in one read of sums. */
const AT_ONCE = 5000

/** Totals of what all matching rewards have cost. */
export async function rewardTotals(ctx: Ctx, filter: RewardFilter): Promise<RewardTotals> {
  const ids = await rewardList.ids(ctx, filter)
  const totals: RewardTotals = {
    rewards: ids.length,
    pending_count: 0,
    pending_cents: 0,
    sent_count: 0,
    sent_cents: 0,
    rejected_count: 0,
    rejected_cents: 0,
  }
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const sums = await ctx.db
      .selectFrom('entry_totals')
      .innerJoin('rewards', (on) =>
        on.onRef('rewards.id', '=', 'entry_totals.reward_id').onRef('rewards.project_id', '=', 'entry_totals.project_id'),
      )
      .select((eb) => ['status', eb.fn.sum('count').as('count'), eb.fn.sum('entry_totals.amount_cents').as('cents')])
      .where('rewards.id', 'in', ids.slice(at, at + AT_ONCE))
      .groupBy('status')
      .execute()
    for (const { status, count, cents } of sums) {
      if (status === 'processing') continue
      totals[`${status}_count`] += Number(count)
      totals[`${status}_cents`] += Number(cents)
    }
  }
  return totals
}

/** Rewards of one project with their share of its entries, and the days from creation to payment. */
export async function withProjectFigures(ctx: Ctx, rows: readonly Reward[]): Promise<ProjectReward[]> {
  if (!rows.length) return []
  const projects = [...new Set(rows.map((row) => row.project_id))]
  const all = await ctx.db
    .selectFrom('entry_totals')
    .select((eb) => ['project_id', 'reward_id', eb.fn.sum('count').as('count')])
    .where('project_id', 'in', projects)
    .groupBy(['project_id', 'reward_id'])
    .orderBy('reward_id')
    .execute()
  const shares = new Map<number, number>()
  for (const own of Map.groupBy(all, ({ project_id }) => project_id).values()) {
    const percents = sharesOf(own.map((row) => Number(row.count)))
    for (const [at, { reward_id }] of own.entries()) if (reward_id !== null) shares.set(reward_id, percents[at]!)
  }
  const days =
    ctx.services.database.engine === 'postgres'
      ? sql<number>`avg(extract(epoch from sent_at::timestamptz - created_at::timestamptz) / 86400.0)`
      : sql<number>`avg(julianday(sent_at) - julianday(created_at))`
  const paid = await ctx.db
    .selectFrom('entries')
    .select(['reward_id', days.as('days')])
    .where('project_id', 'in', projects)
    .where('status', '=', 'sent')
    .where('sent_at', 'is not', null)
    .groupBy('reward_id')
    .execute()
  const took = new Map(paid.map((row) => [row.reward_id, Number(row.days)]))
  return rows.map((row) => {
    const mean = took.get(row.id)
    return {
      ...row,
      share: shares.get(row.id) ?? 0,
      days_to_payment: mean === undefined ? null : Math.round(mean * 10) / 10,
    }
  })
}
