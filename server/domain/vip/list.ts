import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { Award, awardCalls } from '../../../contract/award.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Vip, vipCalls } from '../../../contract/vip.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { listOf } from '../../core/listBuilder.ts'
import { projectScope } from '../../core/scope.ts'
import { seenProject } from '../project/detail.ts'

type Filter = Omit<z.output<(typeof vipCalls)['vip.list']['input']>, Paging | 'id'> & { id?: number | undefined }
type Row = Omit<Vip, 'removed' | 'allowed_actions' | 'refused_actions'> & { removed: number }

const awards = (figure: string) =>
  sql`(select ${sql.raw(figure)} from vip_awards where vip_awards.experience_id = vip_experiences.id and vip_awards.withdrawn_at is null)`

const AWARDED = {
  table: 'vip_awards',
  id: 'experience_id',
  at: 'created_at',
  where: sql<SqlBool>`changed.withdrawn_at is null`,
}

/** VIP experiences by project; deleted ones only if requested, for the sake of their awards. */
export const vipList = listOf<'vip', Filter, Row, Vip>('vip', {
  table: 'vip_experiences',
  changed: (_ctx, _since, { awarded }) => [{ table: 'vip_experiences' }, ...(awarded ? [AWARDED] : [])],
  join: 'join projects on projects.id = vip_experiences.project_id',
  scope: ({ actor }) => projectScope(actor),
  where: ({ id, awarded }) => [
    id !== undefined && sql<SqlBool>`vip_experiences.project_id = ${id}`,
    awarded
      ? sql<SqlBool>`exists (select 1 from vip_awards where vip_awards.experience_id = vip_experiences.id and vip_awards.withdrawn_at is null)`
      : sql<SqlBool>`vip_experiences.deleted_at is null`,
  ],
  columns: () => ({
    awarded: awards('count(*)'),
    first_award_at: awards('min(created_at)'),
    last_award_at: awards('max(created_at)'),
  }),
  empty: ['first_award_at', 'last_award_at'],
  also: () => [
    sql`vip_experiences.project_id`,
    sql`projects.name as project_name`,
    sql`(case when vip_experiences.deleted_at is null then 0 else 1 end) as removed`,
    sql`vip_experiences.updated_at`,
    sql`vip_experiences.lock_version`,
  ],
  shown: ({ actor }, rows) =>
    rows.map((row) => ({ ...row, removed: Number(row.removed) === 1, ...allowedActions('vip', actor) })),
  file: { title: async (ctx, { id }) => (id ? `${(await seenProject(ctx, id)).name} VIP experiences` : 'VIP experiences') },
})

/** A VIP experience that isn't deleted; throws 404. */
export async function liveVip(ctx: Ctx, id: number): Promise<Vip> {
  const vip = await vipList.get(ctx, id)
  if (vip.removed) throw notFound('This VIP experience')
  return vip
}

type AwardFilter = Omit<z.output<(typeof awardCalls)['award.list']['input']>, Paging>
type AwardRow = Omit<Award, 'experience_gone' | 'awarded' | 'first_at' | 'allowed_actions' | 'refused_actions'> & {
  experience_gone: number
}

/** A project's awards that aren't withdrawn, including those of deleted experiences. */
export const awardList = listOf<'award', AwardFilter, AwardRow, Award>('award', {
  table: 'vip_awards',
  changed: () => [{ table: 'vip_awards', at: 'created_at' }],
  join: `join vip_experiences on vip_experiences.id = vip_awards.experience_id
    join projects on projects.id = vip_experiences.project_id
    left join users on users.id = vip_awards.awarded_by`,
  scope: ({ actor }) => sql<SqlBool>`(vip_awards.withdrawn_at is null and ${projectScope(actor)})`,
  where: ({ id, experience_id }) => [
    sql<SqlBool>`vip_experiences.project_id = ${id}`,
    experience_id !== undefined && sql<SqlBool>`vip_awards.experience_id = ${experience_id}`,
  ],
  columns: () => ({
    experience: sql`vip_experiences.name`,
    by: sql`trim(coalesce(users.first_name || ' ' || users.last_name, ''))`,
    paid_cents: sql`(select coalesce(sum(entries.amount_cents), 0) from entries
      where entries.project_id = vip_experiences.project_id and entries.email_key = vip_awards.email_key and entries.status = 'sent')`,
  }),
  also: () => [
    sql`vip_awards.experience_id`,
    sql`vip_experiences.project_id`,
    sql`(case when vip_experiences.deleted_at is null then 0 else 1 end) as experience_gone`,
  ],
  shown: ({ actor }, rows) =>
    rows.map((row) => ({
      ...row,
      experience_gone: Number(row.experience_gone) === 1,
      awarded: 1,
      first_at: row.created_at,
      ...allowedActions('award', actor),
    })),
  file: { title: async (ctx, { id }) => `${(await seenProject(ctx, id)).name} VIP awards` },
})
